import type { Workspace } from "../../workspace/workspace.ts";
import type { Anchor } from "../memory.ts";
import type { GitAllowance } from "./git-history.ts";
import type { CodeMention } from "./mentions.ts";
import type { Paths } from "./paths.ts";
import type { Scripts } from "./scripts.ts";

/** Something that claims mention, with what was recorded when they were written. */
export type GroundingCase = {
  mention: CodeMention;
  anchor?: Anchor;
  /** `anchored`: it existed. `sure`: it is a name of code. `unsure`: judged only where history has it. */
  trust: "anchored" | "sure" | "unsure";
  /** When the first of the claims was written. */
  written: number;
};

/** An objection to a claim. */
export type GroundingVerdict = { note: string; factor: number };

/** The data that a case is judged by. */
export type Grounds = {
  workspace: Workspace;
  paths: Paths;
  /** Ids of anchored items that still exist unchanged in path, kind and qualified name. */
  present: ReadonlySet<string>;
  packageScripts(): Promise<Scripts>;
  makeTargets(): Promise<Scripts>;
  git: GitAllowance;
};

/**
 * Factors on the score of a claim. The reader has to know that a mentioned name was renamed or is gone, but that says
 * little about relevance, so it only breaks ties: with a factor of a half, the exact memory ranked below unrelated
 * ones.
 */
export const factors = { known: 1, renamed: 0.98, missing: 0.98, gone: 0.95 };

export function isMissing(name: string): string {
  return `${name} is not in the workspace now`;
}

/** The new name comes from git or from a file and may contain anything; a note is one line. */
export function isRenamed(name: string, to: string): GroundingVerdict {
  const printable = to.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "\ufffd");
  return { note: `${name} was renamed to ${printable}`, factor: factors.renamed };
}

export function isGone(name: string, sha: string, factor = factors.gone): GroundingVerdict {
  return { note: `${name} is gone since ${sha.slice(0, 7)}`, factor };
}
