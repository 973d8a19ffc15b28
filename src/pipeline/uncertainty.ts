import type { Item, Scored } from "../item.ts";
import type { Request } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace.ts";
import type { Found } from "./1-resolve.ts";
import { enrich } from "./4-enrich.ts";
import { dedupe } from "./5-dedupe.ts";
import type { Unique } from "./unique.ts";
import type { UnknownWord } from "./unknown-words.ts";

/** Below this confidence the answer says that it is not sure. */
const sureFrom = 1 / 3;
/** Words that are named as not found, and words near to each. */
const mostWords = 5;
const mostNear = 3;
const longestWord = 40;

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
  if (unique.length > 0 && confidence >= sureFrom) return { nearMisses: [] };
  const missing = await Promise.all(found.unknown.slice(0, mostWords).map((each) => described(each, workspace)));
  const more = found.unknown.length > mostWords ? `, and ${found.unknown.length - mostWords} more words` : "";
  const unknown = missing.length > 0 ? ` Not in this workspace: ${missing.join(", ")}${more}.` : "";
  if (unique.length > 0) return { notice: `Little here is certain.${unknown}`, nearMisses: [] };
  const { items } = await enrich(await closestItems(found, workspace), request, recipe, workspace);
  return { notice: `Nothing here matches.${unknown}`, nearMisses: dedupe(items).unique };
}

/** `enforce (near: limit, fit)`. */
async function described({ word, near }: UnknownWord, workspace: Workspace): Promise<string> {
  const alike = near.length >= mostNear ? [] : (await namesNear(word, workspace, mostNear)).map(({ name }) => name);
  const all = [...new Set([...near, ...alike])].slice(0, mostNear);
  const shown = word.length > longestWord ? `${word.slice(0, longestWord)}…` : word;
  return all.length > 0 ? `${shown} (near: ${all.join(", ")})` : shown;
}

async function namesNear(text: string, { store, owner }: Workspace, limit: number): Promise<Item[]> {
  if (text.length < 3 || text.length > longestWord) return [];
  const hits = await store.searchNames(owner, { text, mode: "fuzzy", limit });
  return hits.map(({ item }) => item);
}

const mostMisses = 5;
/** Words that are looked for one by one. */
const mostLooked = 8;

/** What is called something like a word of the query; where nothing is, what a stranger would open first. */
async function closestItems({ query }: Found, workspace: Workspace): Promise<Scored[]> {
  const words = [...new Set(query.text.slice(0, 500).match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, mostLooked);
  const alike = (await Promise.all(words.map((word) => namesNear(word, workspace, 2)))).flat();
  const items = alike.length > 0 ? alike : await firstFiles(workspace);
  const once = [...new Map(items.map((item) => [item.id, item])).values()];
  return once.slice(0, mostMisses).map((item) => ({ item, signals: {}, distance: 0, score: 0, because: {} }));
}

async function firstFiles({ store, owner }: Workspace): Promise<Item[]> {
  const readme = await store.searchPaths(owner, { text: "readme.md", mode: "fuzzy", limit: mostMisses });
  return readme.map(({ item }) => item);
}
