import type { Scored } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Found } from "../finding.ts";
import { namesNear, nearMisses } from "./near-misses.ts";
import type { UnknownWord } from "./unknown-words.ts";

/** Below this confidence the answer states that it is not sure. */
const certainFrom = 1 / 3;
/** How many missing words are listed, and how many similar words for each. */
const mostWords = 5;
const mostSimilar = 3;
/** Characters for the whole list, and for one word. */
const longestList = 240;
const longestWord = 30;
/** The limit for other scripts, where a character takes a token or more. */
const longestForeign = 12;

/**
 * `notice`: the first sentence of an uncertain answer. `nearMisses`: the items that are named if there is nothing to
 * print.
 */
export type Uncertainty = { notice?: string; nearMisses: Scored[] };

/**
 * The uncertainty of an answer of `count` items; `before`: as of a time. Confidence is a label and never a filter: it
 * decides how the evidence is described, not whether it is printed.
 */
export async function uncertaintyOf(
  found: Found,
  confidence: number,
  count: number,
  recipe: Recipe,
  workspace: Workspace,
  before?: number,
): Promise<Uncertainty> {
  const notice = await noticeOf(found, confidence, count, recipe, workspace);
  const near = count > 0 ? [] : await nearMisses(found.query.text, recipe, workspace, before);
  return { ...(notice === undefined ? {} : { notice }), nearMisses: near };
}

/** Undefined if the answer is certain. */
async function noticeOf(
  found: Found,
  confidence: number,
  count: number,
  recipe: Recipe,
  workspace: Workspace,
): Promise<string | undefined> {
  if (found.place && count > 0) return found.place.notice;
  // A chat has no notice while turns are printed: they are printed anyway and do not claim to be an answer.
  if (count > 0 && (confidence >= certainFrom || recipe.chat)) return undefined;
  if (count === 0 && found.isUnread) return "Nothing that can be read matches; not all can be read.";
  if (count === 0 && recipe.look.nothing) return recipe.look.nothing;
  // Files that were never read may contain the words.
  if (count === 0 && workspace.leftOut !== undefined) return `Nothing that is indexed matches. ${workspace.leftOut}`;
  if (found.place) return found.place.notice;
  const unknown = await missingWords(found.unknown, workspace);
  if (count > 0) return `Little here is certain.${unknown}`;
  if (workspace.isPartial) return `Nothing that is indexed so far matches; the rest is being read.${unknown}`;
  const hasNoWords = unknown === "" && analyse(found.query.text.slice(0, longestRead)).length === 0;
  return hasNoWords ? "Nothing here matches: the question has no word to look for." : `Nothing here matches.${unknown}`;
}

const longestRead = 2000;

async function missingWords(unknown: readonly UnknownWord[], workspace: Workspace): Promise<string> {
  const sentences: string[] = [];
  let length = 0;
  for (const each of unknown.slice(0, mostWords)) {
    const next = await missingWord(each, workspace);
    length += widthOf(next);
    if (sentences.length > 0 && length > longestList) break;
    sentences.push(next);
  }
  const left = unknown.length - sentences.length;
  const more = left > 0 ? ` and ${left} more word${left === 1 ? "" : "s"}` : "";
  const absent = workspace.isPartial ? "Not found so far" : "Not in this workspace";
  return sentences.length > 0 ? ` ${absent}: ${sentences.join(", ")}${more}.` : "";
}

/** Length in units of ASCII characters: letters of other scripts take more tokens. */
function widthOf(text: string): number {
  return text.length + 2 * (text.match(/[^\x00-\x7f]/g)?.length ?? 0);
}

/** `enforce (near: limit, fit)`. */
async function missingWord({ word, near }: UnknownWord, workspace: Workspace): Promise<string> {
  const similarNames =
    near.length >= mostSimilar ? [] : (await namesNear(word, workspace, mostSimilar)).map(({ name }) => name);
  const all = [...new Set([...near, ...similarNames])].slice(0, mostSimilar).map(shortened);
  return all.length > 0 ? `${shortened(word)} (near: ${all.join(", ")})` : shortened(word);
}

function shortened(word: string): string {
  const letters = [...word];
  const limit = /^[ -~]*$/.test(word) ? longestWord : longestForeign;
  return letters.length > limit ? `${letters.slice(0, limit).join("")}…` : word;
}
