import type { Workspace } from "../../workspace/workspace.ts";
import type { Anchor } from "../memory.ts";
import { GitAllowance } from "./git-history.ts";
import { judge } from "./judge.ts";
import { type CodeMention, mentionsOf } from "./mentions.ts";
import { Paths } from "./paths.ts";
import { makeTargets, packageScripts, type Scripts } from "./scripts.ts";
import type { GroundingCase, GroundingVerdict, Grounds } from "./verdict.ts";

/** A written text that may refer to code. */
export type GroundedClaim = {
  id: string;
  text: string;
  /** When it was written, in milliseconds since 1970. */
  written: number;
  /** Where the names were at that time; undefined if that was not recorded. */
  anchors?: Anchor[];
};

export type Grounding = {
  /** Factor on the score, 0..1. */
  factor: number;
  /** Notes for the reader, such as "src/old.ts was renamed to src/new.ts". */
  notes: string[];
};

export type GroundOptions = {
  /**
   * Limit of calls of git, all within half a second: which commit removed a symbol, what a changed file was renamed to.
   */
  deep?: number;
  /** Time limit of all of them, milliseconds. */
  patience?: number;
};

const defaultDeep = 5;
const deepMilliseconds = 500;
const smallestFactor = 0.9;
const mostNotes = 5;

/**
 * Compares what texts mention with the workspace as indexed now. A claim without problems is absent from the result.
 */
export async function ground(
  claims: GroundedClaim[],
  workspace: Workspace,
  options: GroundOptions = {},
): Promise<Map<string, Grounding>> {
  const cases = new Map<string, GroundingCase>();
  const byClaim = claims.map((claim) => ({ id: claim.id, keys: collect(claim, cases) }));
  if (cases.size === 0) return new Map();
  // Without an index, everything would seem to be missing.
  if ((await workspace.store.revision(workspace.owner)) === 0) return new Map();

  const verdicts = new Map<string, GroundingVerdict | undefined>();
  const anchored = [...cases.values()].flatMap(({ anchor }) => anchor?.item ?? []);
  const grounds: Grounds = {
    workspace,
    paths: new Paths(workspace),
    present: new Set((await workspace.store.items(workspace.owner, anchored)).map(({ id }) => id)),
    packageScripts: once(() => packageScripts(workspace)),
    makeTargets: once(() => makeTargets(workspace)),
    git: new GitAllowance(options.deep ?? defaultDeep, options.patience ?? deepMilliseconds),
  };
  await Promise.all([...cases].map(async ([key, one]) => verdicts.set(key, await judge(one, grounds))));

  const grounded = new Map<string, Grounding>();
  for (const { id, keys } of byClaim) {
    const against = keys.flatMap((key) => verdicts.get(key) ?? []);
    if (against.length === 0) continue;
    const product = against.reduce((factor, verdict) => factor * verdict.factor, 1);
    const notes = [...new Set(against.map(({ note }) => note))].slice(0, mostNotes);
    grounded.set(id, { factor: Math.max(smallestFactor, product), notes });
  }
  return grounded;
}

function once(load: () => Promise<Scripts>): () => Promise<Scripts> {
  let scripts: Promise<Scripts> | undefined;
  return () => (scripts ??= load());
}

/** Adds the mentions of a claim to the cases, each distinct one once, and returns their keys. */
function collect(claim: GroundedClaim, cases: Map<string, GroundingCase>): string[] {
  return mentionsOf(claim.text).flatMap((mention) => {
    if (mention.past || mention.command?.runs === "other") return [];
    const anchor = claim.anchors?.find(({ name }) => name === mention.name);
    const trust = trustOf(mention, anchor, claim);
    const key = [mention.kind, mention.name, trust, anchor?.path, anchor?.hash].join("\0");
    const existing = cases.get(key);
    if (existing) existing.written = Math.min(existing.written, claim.written);
    else cases.set(key, { mention, anchor, trust, written: claim.written });
    return [key];
  });
}

/** A name that could not be located when the text was written has not been removed since. */
function trustOf(
  { sure }: CodeMention,
  anchor: Anchor | undefined,
  { anchors }: GroundedClaim,
): GroundingCase["trust"] {
  if (anchor) return "anchored";
  return sure && anchors === undefined ? "sure" : "unsure";
}
