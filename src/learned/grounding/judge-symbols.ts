import { analyse, splitIdentifier } from "../../text/analysis/analyse.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Anchor } from "../memory.ts";
import { definitionsOf, qualifiedIn, sketchedUnits } from "./anchors.ts";
import { deletedBy, removedBy, renamedBy } from "./git-history.ts";
import { fateOf, type GitAnswers } from "./paths.ts";
import { compareSketches, isMarked, wordsIn } from "./sketch.ts";
import {
  factors,
  type GroundingCase,
  type GroundingVerdict,
  type Grounds,
  isGone,
  isMissing,
  isRenamed,
} from "./verdict.ts";

/** The symbols that occur anywhere in the workspace, if only as text: queried together. */
async function symbolsInText(symbols: string[], { store, owner }: Workspace): Promise<Set<string>> {
  const terms = new Map(symbols.map((name) => [name, termsOf(name)]));
  const allTerms = [...new Set([...terms.values()].flat())];
  if (allTerms.length === 0) return new Set(symbols);
  const { frequencies } = await store.termStatistics(owner, "unit", allTerms);
  return new Set(symbols.filter((name) => terms.get(name)!.every((term) => frequencies.has(term))));
}

/**
 * The index terms of whole identifiers; a stop word has none. The part before the last dot is often a variable: it
 * counts only where it is no plain word.
 */
function termsOf(name: string): string[] {
  const parts = name.split(".");
  const telling = parts.filter((part, index) => index === parts.length - 1 || splitIdentifier(part).length > 1);
  return telling.flatMap((part) => analyse(part).at(-1) ?? []);
}

export async function judgeSymbol(one: GroundingCase, grounds: Grounds): Promise<GroundingVerdict | undefined> {
  const { workspace, present } = grounds;
  const { anchor } = one;
  const { name } = one.mention;
  // A name of a library may be defined elsewhere: only what this tree once had can be gone.
  if (!anchor) return undefined;
  if (present.has(anchor.item ?? "") || (await definitionsOf(name, workspace)).length > 0) return undefined;
  const names = await namesOf(anchor.path, grounds);
  const successor = await renamedTo(name, anchor, names.at(-1)!, grounds);
  if (successor !== undefined) return isRenamed(name, successor);
  if ((await isInCode(name, workspace)) || (await isDefined(name, workspace))) return undefined;
  const sha = await removalOf(lastOf(name), names, one.written, grounds);
  if (sha !== undefined) return isGone(name, sha);
  // A changelog may still mention it.
  const isWritten = (await symbolsInText([name], workspace)).has(name);
  return isWritten ? undefined : { note: isMissing(name), factor: factors.missing };
}

/** True when it occurs in code, if only as text: it may be generated there. */
async function isInCode(name: string, { store, owner }: Workspace): Promise<boolean> {
  const term = termsOf(name).at(-1);
  if (term === undefined) return true;
  const search = { scope: "unit" as const, terms: [{ term, weight: 1 }], limit: 1 };
  return (await store.searchText(owner, { ...search, filter: { sources: ["code"] } })).length > 0;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

async function isDefined(name: string, workspace: Workspace): Promise<boolean> {
  return (await definitionsOf(name, workspace)).length > 0 || (await definitionsOf(lastOf(name), workspace)).length > 0;
}

/** The later names of a file, oldest first. */
async function namesOf(path: string, grounds: Grounds): Promise<string[]> {
  const { paths } = grounds;
  if (paths.onDisk(path)) return [path];
  return (await fateOf(path, paths, gitAnswers(grounds)))?.names ?? [path];
}

/** Git, within its budget. */
export function gitAnswers({ workspace, git }: Grounds): GitAnswers {
  const { root, store, owner } = workspace;
  return {
    renamed: (sha, path) => renamedBy(root, sha, path, git),
    deleted: async (path) => deletedBy(root, path, await store.shelf("commit").revision(owner), git),
  };
}

/** With fewer words two functions may be equal by chance. */
const fewestWords = 6;

/** The only unit of the file with the symbol's text under a new name. */
async function renamedTo(
  name: string,
  anchor: Anchor,
  path: string,
  { workspace }: Grounds,
): Promise<string | undefined> {
  const { sketch, beside } = anchor;
  if (sketch === undefined || beside === undefined || wordsIn(sketch) < fewestWords) return undefined;
  const units = await sketchedUnits(path, workspace);
  const heirs = units
    .filter(({ item }) => !isMarked(beside, qualifiedIn(item)))
    .map((unit) => ({ item: unit.item, likeness: compareSketches(unit.sketch, sketch) }));
  for (const likeness of ["same", "alike"] as const) {
    const matches = heirs.filter((heir) => heir.likeness === likeness);
    if (matches.length > 1) return undefined;
    const [heir] = matches;
    if (heir) return name.includes(".") ? qualifiedIn(heir.item) : heir.item.name;
  }
  return undefined;
}

/**
 * Limit of commits that are searched for the one that removed a word: a tenth of a second for a file of 3,000 lines.
 */
const mostCommits = 200;
/** Commit times are whole seconds, and clocks of two machines differ a little. */
const clockTolerance = 5000;

/** The commit that removed a word from a file at or after a time when it was there, where git is sure. */
export async function removalOf(
  word: string,
  names: string[],
  at: number | undefined,
  { workspace, git }: Grounds,
): Promise<string | undefined> {
  const { store, owner, root } = workspace;
  const since = at === undefined ? {} : { since: at - clockTolerance };
  const shas = await store.commits.touching(owner, names, { limit: mostCommits, ...since });
  return removedBy(root, { word, paths: names, shas }, git);
}
