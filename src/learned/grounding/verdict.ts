import type { Workspace } from "../../workspace/workspace.ts";
import type { Anchor } from "../memory.ts";
import type { GitAllowance } from "./git.ts";
import type { CodeMention } from "./mentions.ts";
import type { Paths } from "./paths.ts";
import type { Scripts } from "./scripts.ts";

/** Something that claims name, with what is known of it from when they were written. */
export type GroundingCase = {
  mention: CodeMention;
  anchor?: Anchor;
  /** `anchored`: it was there. `sure`: it is a name of code. `unsure`: judged only where history knows it. */
  trust: "anchored" | "sure" | "unsure";
  /** When the first of the claims was written. */
  written: number;
};

/** What speaks against a claim. */
export type GroundingVerdict = { note: string; factor: number };

/** What a case is judged by. */
export type Grounds = {
  workspace: Workspace;
  paths: Paths;
  /** Ids of the items of anchors that are as they were: path, kind and qualified name. */
  present: ReadonlySet<string>;
  packageScripts(): Promise<Scripts>;
  makeTargets(): Promise<Scripts>;
  git: GitAllowance;
};

/**
 * What a claim is still worth. That something it names was renamed or is gone is for its reader to know; it says little about whether the claim is
 * what was asked for, so it only breaks ties: with a half, the exact memory ranked below others that had nothing to do with the question.
 */
export const factors = { known: 1, renamed: 0.98, missing: 0.98, gone: 0.95 };

export function isMissing(name: string): string {
  return `${name} is not in the workspace now`;
}

/** The new name comes from git or from a file, where it may hold anything; a note is one line. */
export function isRenamed(name: string, to: string): GroundingVerdict {
  const shown = to.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "\ufffd");
  return { note: `${name} was renamed to ${shown}`, factor: factors.renamed };
}

export function isGone(name: string, sha: string, factor = factors.gone): GroundingVerdict {
  return { note: `${name} is gone since ${sha.slice(0, 7)}`, factor };
}
