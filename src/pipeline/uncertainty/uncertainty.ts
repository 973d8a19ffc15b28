import type { Request } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { enrich } from "../5-enrich/enrich.ts";
import { dedupe } from "../6-dedupe/dedupe.ts";
import type { Found } from "../finding.ts";
import type { Unique } from "../unique.ts";
import { namesNear, nearMisses } from "./near-misses.ts";
import type { UnknownWord } from "./unknown-words.ts";

/** Below this confidence the answer says that it is not sure. */
const sureFrom = 1 / 3;
/** Words that are named as not found, and words near to each. */
const mostWords = 5;
const mostNear = 3;
/** Letters of all of them, and of one. */
const mostOfWords = 240;
const longestWord = 30;
/** A character of another script takes a token or more. */
const longestForeign = 12;

/** What an answer says before anything else where it is not sure of itself, and what it names where there is nothing to print. */
export type Uncertainty = { notice?: string; nearMisses: Unique[] };

/** Confidence is a label and never a gate: it decides what is said of the evidence, not whether there is any. */
export async function uncertaintyOf(
  found: Found,
  confidence: number,
  unique: readonly Unique[],
  request: Request,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Uncertainty> {
  const notice = await noticeOf(found, confidence, unique.length, recipe, workspace);
  if (unique.length > 0) return { ...(notice === undefined ? {} : { notice }), nearMisses: [] };
  const near = await nearMisses(found.query.text, recipe, workspace);
  const { items } = await enrich(near, request, recipe, workspace);
  return { ...(notice === undefined ? {} : { notice }), nearMisses: dedupe(items).unique };
}

/** What is said of an answer of `count` items; nothing of one that is sure of itself. */
export async function noticeOf(
  found: Found,
  confidence: number,
  count: number,
  recipe: Recipe,
  workspace: Workspace,
): Promise<string | undefined> {
  // In a chat the turns are there anyway, and are no answer.
  if (count > 0 && (confidence >= sureFrom || recipe.chat)) return undefined;
  if (count === 0 && recipe.look.nothing) return recipe.look.nothing;
  const unknown = await missingWords(found.unknown, workspace);
  if (count > 0) return `Little here is certain.${unknown}`;
  if (workspace.isPartial) return `Nothing that is indexed so far matches; the rest is being read.${unknown}`;
  const wordless = unknown === "" && analyse(found.query.text.slice(0, longestRead)).length === 0;
  return wordless ? "Nothing here matches: the question has no word to look for." : `Nothing here matches.${unknown}`;
}

const longestRead = 2000;

async function missingWords(unknown: readonly UnknownWord[], workspace: Workspace): Promise<string> {
  const sentences: string[] = [];
  let length = 0;
  for (const each of unknown.slice(0, mostWords)) {
    const next = await described(each, workspace);
    length += widthOf(next);
    if (sentences.length > 0 && length > mostOfWords) break;
    sentences.push(next);
  }
  const left = unknown.length - sentences.length;
  const more = left > 0 ? ` and ${left} more word${left === 1 ? "" : "s"}` : "";
  const absent = workspace.isPartial ? "Not found so far" : "Not in this workspace";
  return sentences.length > 0 ? ` ${absent}: ${sentences.join(", ")}${more}.` : "";
}

/** Letters of other scripts take more tokens than those of ASCII. */
function widthOf(text: string): number {
  return text.length + 2 * (text.match(/[^\x00-\x7f]/g)?.length ?? 0);
}

/** `enforce (near: limit, fit)`. */
async function described({ word, near }: UnknownWord, workspace: Workspace): Promise<string> {
  const alike = near.length >= mostNear ? [] : (await namesNear(word, workspace, mostNear)).map(({ name }) => name);
  const all = [...new Set([...near, ...alike])].slice(0, mostNear).map(shortened);
  return all.length > 0 ? `${shortened(word)} (near: ${all.join(", ")})` : shortened(word);
}

function shortened(word: string): string {
  const letters = [...word];
  const most = /^[ -~]*$/.test(word) ? longestWord : longestForeign;
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : word;
}
