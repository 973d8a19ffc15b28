import { visible } from "../../text/invisible.ts";
import { oneLine } from "../../text/one-line.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Category } from "../memory.ts";
import { type Check, checkOf, covers, reasonOf } from "./checks.ts";
import type { FileEdit, LoggedCommand, SessionEvent } from "./session-events.ts";
import { packageSteps, preparingCommand, readsOnly, undoes } from "./shell-steps.ts";

/** What was tried, in a sentence, and where in the session it ended. */
export type TriedAttempt = {
  at: number;
  category: Category;
  content: string;
  /** Undecided when the session ended: a longer log of it may decide it. */
  unfinished?: true;
};

/**
 * What was tried in a session: from the commands that ran, how they ended, and what changed between them. Precision
 * counts more than recall: everything stated here is in the log. A mistake in a line written a moment ago, a search
 * that finds nothing, or a test written before its feature is no attempt.
 */
export function attemptsOf(events: readonly SessionEvent[]): TriedAttempt[] {
  const steps = stepsOf(events);
  const undone = undoneChanges(steps);
  return [...undone.attempts, ...failures(steps, undone), ...replacedCommands(steps), ...removedPackages(steps)].sort(
    (a, b) => a.at - b.at,
  );
}

type CheckStep = { kind: "check"; at: number } & Check;
/** Something that a person may have done between two messages. */
type Unseen = { kind: "unseen"; at: number };
type Step = CheckStep | Unseen | ({ at: number } & FileEdit) | ({ at: number } & LoggedCommand);

/** Rules compare steps with each other; a log with more of them is read from its end. */
const mostSteps = 3000;

function stepsOf(events: readonly SessionEvent[]): Step[] {
  const steps = events.flatMap((event, at): Step[] => {
    if (event.kind === "called" || (event.kind === "said" && event.by === "user")) return [{ kind: "unseen", at }];
    if (event.kind === "said") return [];
    if (event.kind === "changed") return isForDebugging(event) ? [] : [{ ...event, at }];
    const check = checkOf(event);
    return [check ? { kind: "check", at, ...check } : { ...event, at }];
  });
  return steps.slice(-mostSteps);
}

type ChangeStep = Extract<Step, { kind: "changed" }>;

type Undone = {
  attempts: TriedAttempt[];
  changes: Set<ChangeStep>;
  /** Checks of these changes whose failure has been reported. */
  checks: Set<Step>;
};

/**
 * Changes that were reverted after a check had failed on them: by the opposite edit, or by git. Changes that were
 * committed in between are not reverted by it.
 */
function undoneChanges(steps: readonly Step[]): Undone {
  const attempts: TriedAttempt[] = [];
  const changes = new Set<ChangeStep>();
  const checks = new Set<Step>();
  // A stash that was applied again reverts nothing.
  const putBackAt = steps.findLastIndex(
    (step) => step.kind === "ran" && /\bgit stash (?:pop|apply)\b/.test(step.command),
  );
  let open: ChangeStep[] = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind === "check" || step.kind === "unseen") continue;
    const isCommit = step.kind === "ran" && step.status === 0 && /\bgit commit\b/.test(step.command);
    if (isCommit) open = [];
    const isUndone = (change: ChangeStep) =>
      step.kind === "changed"
        ? step.path === change.path &&
          step.before === change.after &&
          step.after === change.before &&
          change.after !== ""
        : step.status === 0 &&
          (i > putBackAt || !/\bgit stash\b/.test(step.command)) &&
          undoes(step.command, change.path);
    const back = open.filter(isUndone);
    open = open.filter((change) => !back.includes(change));
    if (back.length > 0) {
      for (const change of back) changes.add(change);
      if (step.kind === "changed") changes.add(step);
      const checksOfThem = steps.slice(steps.indexOf(back[0]!), i).filter((each) => each.kind === "check");
      for (const check of checksOfThem) checks.add(check);
      const failed = checksOfThem.at(-1);
      if (failed?.outcome === "failed") {
        const content = `Changing ${described(back)} was tried and taken back: ${failed.label} failed${reasonIn(failed)}.`;
        attempts.push({ at: step.at, category: "event", content });
      }
    } else if (step.kind === "changed") open.push(step);
  }
  return { attempts, changes, checks };
}

/** Checks that failed, with the change that made them pass; or that never passed. */
function failures(steps: readonly Step[], undone: Undone): TriedAttempt[] {
  const attempts: TriedAttempt[] = [];
  const seen = new Set<Step>();
  for (const [i, first] of steps.entries()) {
    if (first.kind !== "check" || first.outcome === "passed" || seen.has(first)) continue;
    const runs = [first];
    let passed: number | undefined;
    for (let j = i + 1; j < steps.length && passed === undefined; j++) {
      const step = steps[j]!;
      if (step.kind !== "check" || !covers(step, first)) continue;
      if (step.outcome === "passed") passed = j;
      else if (step.key === first.key) runs.push(step);
    }
    for (const run of runs) seen.add(run);
    if (undone.checks.has(first)) continue;
    const attempt =
      passed === undefined ? unsolved(steps, runs, undone.changes) : solved(steps, runs, passed, undone.changes);
    if (attempt) attempts.push(attempt);
  }
  return attempts;
}

function solved(
  steps: readonly Step[],
  runs: readonly CheckStep[],
  passedAt: number,
  undone: ReadonlySet<ChangeStep>,
): TriedAttempt | undefined {
  const [first] = runs;
  const last = runs.at(-1)!;
  const between = steps.slice(steps.indexOf(last) + 1, passedAt);
  const made = changesIn(between, undone);
  const { at } = steps[passedAt]!;
  const failed = `${first!.label} failed${reasonIn(first!)}`;
  const prepared = between.flatMap((step) =>
    step.kind === "ran" && step.status === 0 ? (preparingCommand(step.command) ?? []) : [],
  );
  const didSomething = changesIn(steps.slice(0, passedAt), new Set()).length > 0;
  if (made.length === 0 && runs.length === 1) {
    if (prepared.length > 0 && prepared.length <= 2) {
      const content = `${failed}. It passed after ${prepared.map((command) => `"${command}"`).join(" and ")}.`;
      return { at, category: "workflow", content };
    }
    const isUntouched = between.every((step) =>
      step.kind === "ran" ? readsOnly(step.command) : step.kind === "check",
    );
    // After changes in this session, a second run may only be testing another state.
    if (!isUntouched || didSomething || first!.outcome !== "failed") return undefined;
    return { at, category: "event", content: `${failed}, and passed when it was run again with nothing changed.` };
  }
  if (made.length === 0 || first!.outcome !== "failed") return undefined;
  const earlier = runs.slice(0, -1).flatMap((run, k) => {
    const changes = changesIn(steps.slice(steps.indexOf(run) + 1, steps.indexOf(runs[k + 1]!)), undone);
    // A different failure afterwards is progress.
    return reasonOf(runs[k + 1]!) === reasonOf(run) ? [{ changes, helped: false }] : [{ changes, helped: true }];
  });
  const helpful = [...earlier.filter(({ helped }) => helped).flatMap(({ changes }) => changes), ...made];
  const useless = earlier.filter(({ helped }) => !helped).flatMap(({ changes }) => changes);
  const before = changesIn(steps.slice(0, steps.indexOf(first!)), undone);
  const writtenBefore = new Set(before.map(({ path }) => path));
  const paths = new Set(helpful.map(({ path }) => path));
  // The change that helped is one of many, and the log does not say which.
  if (paths.size > mostOfFix || [...paths].every((path) => writtenBefore.has(path))) return undefined;
  if (writtenBefore.size > 0 && isMissing(reasonOf(first!))) return undefined;
  const notHelpful = useless.filter(({ path }) => !helpful.some((change) => change.path === path));
  const content = `${failed}. It passed after ${described(helpful)} changed.${
    notHelpful.length > 0 ? ` A change to ${described(notHelpful)} had not helped.` : ""
  }`;
  return { at, category: "error", content };
}

/** Several runs with changes between them that never passed. */
function unsolved(
  steps: readonly Step[],
  runs: readonly CheckStep[],
  undone: ReadonlySet<ChangeStep>,
): TriedAttempt | undefined {
  const last = runs.at(-1)!;
  const changes = changesIn(steps.slice(steps.indexOf(runs[0]!) + 1, steps.indexOf(last)), undone);
  const isLatest = !steps
    .slice(steps.indexOf(last) + 1)
    .some((step) => step.kind === "check" && step.purpose === last.purpose && step.outcome === "passed");
  if (runs.length < 2 || changes.length === 0 || !isLatest || last.outcome !== "failed") return undefined;
  const content = `${last.label} still failed when the session ended${reasonIn(last)}. Changing ${described(changes)} did not help.`;
  return { at: last.at, category: "event", content, unfinished: true };
}

/** A missing command, and the one for the same purpose that exists. */
function replacedCommands(steps: readonly Step[]): TriedAttempt[] {
  return steps.flatMap((step, i): TriedAttempt[] => {
    if (step.kind !== "check" || step.outcome !== "unavailable") return [];
    const next = steps
      .slice(i + 1, i + 1 + nearby)
      .find((each) => each.kind === "check" && each.outcome !== "unavailable");
    if (next?.kind !== "check" || next.purpose !== step.purpose || next.key === step.key) return [];
    const content = `${step.label} does not run here${reasonIn(step, " (", ")")}; ${next.label} does.`;
    return [{ at: next.at, category: "workflow", content }];
  });
}

/** Steps within which one command may answer another. */
const nearby = 8;

function removedPackages(steps: readonly Step[]): TriedAttempt[] {
  const commands = steps.flatMap((step) =>
    step.kind === "ran" && step.status === 0
      ? packageSteps(step.command).map((each) => ({ ...each, at: step.at }))
      : [],
  );
  return commands.flatMap(({ name, removed, at }, i): TriedAttempt[] => {
    const isAdded = commands.slice(0, i).some((each) => each.name === name && !each.removed);
    if (!removed || !isAdded) return [];
    const next = commands.slice(i + 1).find((each) => !each.removed);
    if (next?.name === name) return [];
    const content = `${name} was installed and removed again${next ? `; then ${next.name} was installed` : ""}.`;
    return [{ at, category: "event", content }];
  });
}

function changesIn(steps: readonly Step[], undone: ReadonlySet<ChangeStep>): ChangeStep[] {
  return steps.filter((step) => step.kind === "changed").filter((step) => !undone.has(step));
}

/** The files, each with the first line it got. */
function described(changes: readonly FileEdit[]): string {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const parts = [...byPath.values()].slice(0, mostFiles).map(({ path, before, after }) => {
    const line = firstAdded(before, after);
    return `${oneLine(visible(path))}${line === undefined ? "" : ` (${line})`}`;
  });
  const more = byPath.size - parts.length;
  const all = more > 0 ? [...parts, `${more} ${more === 1 ? "file" : "files"} more`] : parts;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

const mostFiles = 3;
const mostOfFix = 5;
const longestAdded = 100;

function firstAdded(before: string, after: string): string | undefined {
  // A new file is described by its name.
  if (before === "") return undefined;
  const known = new Set(before.split("\n").map((line) => line.trim()));
  const line = after
    .split("\n")
    .map((each) => oneLine(visible(each)))
    .find((each) => each.length > 2 && !known.has(each));
  if (line === undefined || redact(line).found > 0) return undefined;
  return line.length > longestAdded ? `${line.slice(0, longestAdded - 1)}…` : line;
}

function reasonIn(check: Check, before = ": ", after = ""): string {
  const reason = reasonOf(check);
  return reason === undefined ? "" : `${before}${reason.replace(/\.$/, "")}${after}`;
}

/** Whether a failure only says that something is not written yet. */
function isMissing(reason: string | undefined): boolean {
  return /not defined|is not a (?:function|constructor)|cannot find|failed to load|no module named|cannot import|has no (?:attribute|exported member)|undefined: |does not exist|unresolved|not found|no method named|undefined (?:local variable|method)/i.test(
    reason ?? "",
  );
}

const printing =
  /^(?:console\.\w+\(|print[fl]?n?\(|println!|dbg!|eprintln!|fmt\.Print|log\.Print|puts |p |pp |var_dump\(|debugger|binding\.|breakpoint\(|System\.out\.|\/\/|#)/;

/** Added or removed lines that only print. */
function isForDebugging({ before, after }: FileEdit): boolean {
  const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
  const difference = (a: string, b: string) => {
    const known = new Set(linesOf(b));
    return linesOf(a).filter((line) => line !== "" && !known.has(line));
  };
  const changed = [...difference(after, before), ...difference(before, after)];
  return changed.length > 0 && changed.every((line) => printing.test(line));
}
