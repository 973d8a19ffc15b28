import { DossierError } from "../../errors.ts";
import {
  type Attempt,
  type Experience,
  type ExperienceOutcome,
  isActive,
  type OutcomeStatus,
  outcomes,
  type RootCauseCategory,
  rootCauses,
  type Tier,
} from "../experience.ts";

/**
 * The steps of an experience, as functions from one body to the next. It is active until it has a tier; afterwards
 * stated fields never change: notes may be added, and missing fields filled in.
 */

export type Beginning = Attempt & Pick<Experience, "session" | "domain" | "goal">;

/** What was observed so far, and what is tried instead; absent fields stay unchanged. */
export type Revision = Partial<Attempt> & { observed?: string };

export type Reasons = {
  surprise?: string;
  rootCause?: { category?: RootCauseCategory; description?: string };
  lesson?: { whatWorked?: string; takeaway?: string };
};

export type Resolution = Reasons & { status?: OutcomeStatus; result?: string; afterTheFact?: boolean };

/** What a command's exit status says about the prediction. */
export type ExperienceVerdict = { status: "confirmed" | "falsified"; command: string; result: string };

/** The surface's name for an input, for messages about missing ones. */
export type InputNameOf = (key: string) => string;

/** Limit of notes and earlier attempts of one experience, since each step writes the whole body. */
export const mostEntries = 1000;

export function begin({ session, domain, goal, hypothesis, action, prediction, strategy }: Beginning): Experience {
  return { session, domain, goal, hypothesis, action, prediction, strategy, history: [], iterations: 1, notes: [] };
}

/** Moves the current attempt into the history with what was observed; a captured failure is such an observation. */
export function revise(experience: Experience, revision: Revision, now: number): Experience {
  refuseResolved(experience);
  refuseFull(experience.history, "attempts");
  const { outcome, ...rest } = experience;
  const { hypothesis, action, prediction, strategy } = experience;
  const observed = joinParts(outcome?.result, revision.observed);
  const former = { hypothesis, action, prediction, strategy, until: now, ...(observed !== "" && { observed }) };
  return {
    ...rest,
    hypothesis: revision.hypothesis ?? hypothesis,
    action: revision.action ?? action,
    prediction: revision.prediction ?? prediction,
    strategy: revision.strategy ?? strategy,
    history: [...experience.history, former],
    iterations: experience.iterations + 1,
  };
}

/** Resolves an experience by the stated outcome, together with the failure that a command left, if any. */
export function resolve(
  experience: Experience,
  resolution: Resolution,
  now: number,
  nameOf: InputNameOf = (key) => key,
): Experience {
  refuseResolved(experience);
  const captured = experience.outcome;
  const status = resolution.status ?? captured?.status;
  if (!status) {
    throw new DossierError("bad-input", `${nameOf("status")} is missing; it takes one of ${outcomes.join(", ")}.`);
  }
  const agreeing = captured?.status === status ? captured : undefined;
  const result = resolution.result ?? agreeing?.result;
  const outcome: ExperienceOutcome = {
    status,
    ...(result !== undefined && { result }),
    capturedAt: agreeing?.capturedAt ?? now,
    autoCaptured: agreeing !== undefined,
    ...(agreeing?.command !== undefined && { command: agreeing.command }),
  };
  if (status === "falsified") refuseUnexplained(resolution, nameOf);
  const explained = explain(experience, resolution, nameOf);
  // The result of a command is kept as a note when a person decides otherwise.
  const overruled = captured && !agreeing ? noted(explained, captured.result ?? captured.status, now) : explained;
  return { ...overruled, outcome, tier: tierOf(outcome, resolution.afterTheFact ?? false) };
}

function tierOf(outcome: ExperienceOutcome, afterTheFact: boolean): Tier {
  if (outcome.status === "abandoned") return "abandoned";
  if (outcome.autoCaptured) return "gold";
  return afterTheFact || outcome.result === undefined ? "bronze" : "silver";
}

/** Adds the reasons that a resolved experience lacks, such as the lesson of one that a command resolved. */
export function amend(experience: Experience, reasons: Reasons, nameOf: InputNameOf = (key) => key): Experience {
  if (isActive(experience)) {
    throw new DossierError("conflict", "Only a resolved experience can be amended; this one is still active.");
  }
  const stated: [string, unknown, unknown][] = [
    ["surprise", experience.surprise, reasons.surprise],
    ["rootCause", experience.rootCause, reasons.rootCause],
    ["lesson", experience.lesson?.whatWorked, reasons.lesson?.whatWorked],
    ["takeaway", experience.lesson?.takeaway, reasons.lesson?.takeaway],
  ];
  for (const [key, before, now] of stated) {
    if (before !== undefined && now !== undefined) {
      throw new DossierError("already-resolved", `${nameOf(key)} was stated when it was resolved, and stays.`);
    }
  }
  return explain(experience, reasons, nameOf);
}

/**
 * Records a command's verdict. Success resolves; failure waits for its surprise and root cause, and a later success of
 * the same attempt does not undo it: something else must have changed, which an update has to state.
 */
export function capture(experience: Experience, verdict: ExperienceVerdict, now: number): Experience {
  refuseResolved(experience);
  const { status, command, result } = verdict;
  if (status === "confirmed" && experience.outcome) return addNote(experience, result, now);
  const outcome: ExperienceOutcome = { status, result, capturedAt: now, autoCaptured: true, command };
  return status === "confirmed" ? { ...experience, outcome, tier: tierOf(outcome, false) } : { ...experience, outcome };
}

export function addNote(experience: Experience, text: string, now: number): Experience {
  refuseFull(experience.notes, "notes");
  return noted(experience, text, now);
}

function noted(experience: Experience, text: string, now: number): Experience {
  return { ...experience, notes: [...experience.notes, { at: now, text }] };
}

function explain(experience: Experience, { surprise, rootCause, lesson }: Reasons, nameOf: InputNameOf): Experience {
  const explained = { ...experience };
  if (surprise !== undefined) explained.surprise = surprise;
  if (rootCause?.category !== undefined || rootCause?.description !== undefined) {
    const { category, description } = rootCause;
    if (category === undefined || description === undefined) {
      throw new DossierError(
        "bad-input",
        `A root cause has a category and a description: ${missing(absentCause(rootCause, nameOf))}.`,
      );
    }
    explained.rootCause = { category, description };
  }
  const whatWorked = lesson?.whatWorked ?? experience.lesson?.whatWorked;
  const takeaway = lesson?.takeaway ?? experience.lesson?.takeaway;
  if (whatWorked !== undefined) explained.lesson = { whatWorked, ...(takeaway !== undefined && { takeaway }) };
  else if (takeaway !== undefined) {
    throw new DossierError("bad-input", `${nameOf("lesson")} is missing; ${nameOf("takeaway")} adds to it.`);
  }
  return explained;
}

function refuseUnexplained({ surprise, rootCause }: Reasons, nameOf: InputNameOf): void {
  const absent = [...(surprise === undefined ? [nameOf("surprise")] : []), ...absentCause(rootCause, nameOf)];
  if (absent.length === 0) return;
  throw new DossierError("bad-input", `A falsified experience says what surprised and why: ${missing(absent)}.`);
}

function absentCause(rootCause: Reasons["rootCause"], nameOf: InputNameOf): string[] {
  const names: string[] = [];
  if (rootCause?.category === undefined) names.push(`${nameOf("rootCause")} (one of ${rootCauses.join(", ")})`);
  if (rootCause?.description === undefined) names.push(nameOf("rootCauseDescription"));
  return names;
}

function missing(names: string[]): string {
  return names.length > 1
    ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are missing`
    : `${names[0]} is missing`;
}

function refuseResolved({ outcome, tier }: Experience): void {
  if (tier === undefined) return;
  throw new DossierError("already-resolved", `This experience is already resolved as ${outcome?.status} (${tier}).`);
}

function refuseFull(entries: unknown[], kind: string): void {
  if (entries.length < mostEntries) return;
  throw new DossierError("too-long", `This experience has ${entries.length} ${kind}, which is as many as are kept.`);
}

function joinParts(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("; ");
}
