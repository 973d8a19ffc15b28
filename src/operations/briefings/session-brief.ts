import { unreadWarning } from "../../errors.ts";
import { runGit } from "../../git/run-git.ts";
import { currentOnly } from "../../learned/memory/validity.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { unreadPart } from "../core/closed-records.ts";
import { activeExperiences } from "../experience/experience-find.ts";
import { bodyOf as experienceOf } from "../experience/experience-shape.ts";
import { bodyOf, shownMemory } from "../memory/memory-shape.ts";
import { counted, plain } from "../terminal/phrases.ts";

/**
 * The opening of a session: what its user pinned, the active experience, and what changed since the last session. It
 * costs a few hundred tokens at most, since nobody has asked yet.
 */
export async function sessionBrief(
  workspace: Workspace,
  maxTokens: number,
): Promise<{ text: string; warnings: string[] }> {
  const warnings = new Set<string>();
  const readable = (lines: Promise<string[]>) =>
    lines.catch((error: unknown) => {
      const warning = unreadWarning(error);
      if (warning === undefined) throw error;
      warnings.add(warning);
      return [];
    });
  const [pinned, open, changes] = await Promise.all([
    readable(pinnedLines(workspace)),
    readable(openLines(workspace)),
    newCommits(workspace),
  ]);
  for (const warning of await readable(unreadPart(workspace))) warnings.add(warning);
  const text = sectionsWithin(maxTokens, pinned, open, changes);
  return { text, warnings: [...warnings] };
}

function sectionsWithin(maxTokens: number, pinned: string[], open: string[], changes: string[]): string {
  const parts = [
    { title: "Pinned by the user", lines: pinned },
    { title: "Being tried", lines: open },
    { title: "Changed since the last session", lines: changes },
  ].filter(({ lines }) => lines.length > 0);
  const render = () => parts.map(({ title, lines }) => `## ${title}\n\n${lines.join("\n")}\n`).join("\n");
  const counter = tokenCounter("o200k_base");
  // Cut from the end: pinned memories are worth most.
  for (let text = render(); parts.length > 0; text = render()) {
    if (counter.count(text) <= maxTokens) return text;
    const last = parts.at(-1)!;
    last.lines.pop();
    if (last.lines.length === 0) parts.pop();
  }
  return "";
}

const mostPinned = 20;
const longestLine = 400;

async function pinnedLines(workspace: Workspace): Promise<string[]> {
  if (!workspace.hasRecords()) return [];
  const records = await workspace.records();
  const filter = { type: "memory" as const, where: { pinned: [true] }, ...currentOnly(Date.now()) };
  const page = await records.list(workspace.owner, { ...filter, limit: mostPinned });
  return page.records
    .sort((a, b) => bodyOf(b).importance - bodyOf(a).importance || b.created - a.created)
    .map((record) => {
      const { content, scope } = shownMemory(record);
      const where = scope === undefined || scope === "~" ? "" : ` (in ${scope})`;
      return `- ${line(content)}${plain(where)}`;
    });
}

const mostOpen = 3;

async function openLines(workspace: Workspace): Promise<string[]> {
  const open = await activeExperiences(workspace);
  return open.slice(0, mostOpen).map((record) => {
    const { goal, hypothesis, prediction, outcome } = experienceOf(record);
    const state = outcome ? ` It ${outcome.status === "falsified" ? "failed" : "ended"} and has to be explained.` : "";
    return `- ${record.id}: ${line(goal)}. Hypothesis: ${line(hypothesis)}. Predicted: ${line(prediction)}.${state}`;
  });
}

const lastSeen = "session:head";
const mostCommits = 10;

/** Commits since the last session began, the newest first. The first session has nothing to compare with. */
async function newCommits({ root, store, owner }: Workspace): Promise<string[]> {
  const before = new TextDecoder().decode((await store.metadata(owner, lastSeen)) ?? new Uint8Array());
  const head = await lines(root, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const [sha] = head;
  if (sha === undefined || sha === before) return [];
  await store.writeMetadata(owner, lastSeen, new TextEncoder().encode(sha));
  if (!/^[0-9a-f]{40,64}$/.test(before)) return [];
  const range = ["--no-merges", `${before}..${sha}`, "--", "."];
  const commits = await lines(root, ["log", "--format=%h %an: %s", `-n${mostCommits + 1}`, ...range]);
  const listed = commits.slice(0, mostCommits).map((commit) => `- ${line(commit)}`);
  if (commits.length <= mostCommits) return listed;
  const [all] = await lines(root, ["rev-list", "--count", ...range]);
  return [...listed, `- and ${counted(Number(all) - mostCommits, "commit")} more`];
}

/** Lines of git's output; none where git fails, as in a rebased repository or outside of one. */
async function lines(root: string, args: string[]): Promise<string[]> {
  const answer = await runGit(root, args);
  return "output" in answer
    ? answer.output
        .toString("utf8")
        .split("\n")
        .filter((each) => each !== "")
    : [];
}

// Characters that open a block, an element or a code span, and text that looks like a citation.
const signs = /^(?:[#>*+=|~-]+)|[<`]|\[(?=[a-z]{3}-)/g;

/** One line that cannot steer a terminal, open a block, or close the element that a client puts around it. */
function line(text: string): string {
  const one = plain(text).replace(/\s+/g, " ").trim();
  const short = one.length > longestLine ? `${one.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, "")}…` : one;
  return short.replace(signs, "\\$&");
}
