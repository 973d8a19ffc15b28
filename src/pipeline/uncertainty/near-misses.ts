import type { Item, Scored } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { sources } from "../../sources/all.ts";
import { bringsLines, bringsTurns, type Source } from "../../sources/source.ts";
import type { Shelf } from "../../stores/store.ts";
import { splitIdentifier } from "../../text/analysis/analyse.ts";
import { editDistance } from "../../text/similarity/levenshtein.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const mostMisses = 5;
/** Words that are looked for one by one; a longer word is data. */
const mostLooked = 8;
const longestWord = 40;
const shortestWord = 3;
/** Of a query only the beginning is read for them. */
const longestRead = 500;
const words = /[\p{L}\p{N}_]+/gu;

/** What is called something like a word of the query, on the shelves that the recipe asks; where nothing is, what a stranger would open first. */
export async function nearMisses(query: string, recipe: Recipe, workspace: Workspace): Promise<Scored[]> {
  const places = sourcesAsked(recipe);
  const queryWords = [...new Set(query.slice(0, longestRead).match(words) ?? [])].slice(0, mostLooked);
  const inFiles = places.some(bringsLines);
  const similarNames = inFiles
    ? (await Promise.all(queryWords.map((word) => namesNear(word, workspace, 2)))).flat()
    : [];
  const others = places.filter((source) => !bringsLines(source));
  const listed =
    similarNames.length >= mostMisses
      ? []
      : (await Promise.all(others.map(({ shelf }) => some(shelf, workspace)))).flat();
  const alike = [...similarNames, ...listed.filter(({ name }) => queryWords.some((word) => isNear(word, name)))];
  const files = alike.length === 0 && inFiles ? await firstFiles(workspace) : [];
  const items = alike.length > 0 ? alike : [...files, ...newest(listed)];
  const once = [...new Map(items.map((item) => [item.id, item])).values()];
  return once.slice(0, mostMisses).map((item) => ({ item, signals: {}, distance: 0, score: 0, because: {} }));
}

/** Names of the workspace's files that are like a word. */
export async function namesNear(text: string, { store, owner }: Workspace, limit: number): Promise<Item[]> {
  if (text.length < shortestWord || text.length > longestWord) return [];
  const hits = await store.searchNames(owner, { text, mode: "fuzzy", limit });
  if (hits.length > 0 || text.length < shortestSlip) return hits.map(({ item }) => item);
  // "paymnt" is not like PaymentClient, but like a word of it.
  const begun = await store.searchNames(owner, { text: text.slice(0, beginning), mode: "fuzzy", limit: mostBegun });
  return begun
    .map(({ item }) => item)
    .filter(({ name }) => isNear(text, name))
    .slice(0, limit);
}

const shortestSlip = 5;
const beginning = 4;
const mostBegun = 50;
/** Letters of a word for each that may differ. */
const lettersPerSlip = 4;

function isNear(word: string, name: string): boolean {
  if (word.length < shortestSlip || word.length > longestWord) return false;
  const lowerWord = word.toLowerCase();
  return (name.match(words) ?? [])
    .flatMap(splitIdentifier)
    .some((part) => editDistance(lowerWord, part) <= Math.floor(lowerWord.length / lettersPerSlip));
}

/** Messages are no places to look at: what was said is said by whoever is asking. */
function sourcesAsked({ asks }: Recipe): Source[] {
  const askedSources = asks.flatMap((ask) => sources.find(({ name }) => name === ask.source) ?? []);
  return [...new Set(askedSources)].filter((source) => !bringsTurns(source));
}

/** Some of what is on a shelf: enough to name a few. */
async function some(name: Shelf, { store, owner }: Workspace): Promise<Item[]> {
  const shelf = store.shelf(name);
  for await (const batch of shelf.allTerms(owner, "unit")) {
    return shelf.items(
      owner,
      batch.map(({ id }) => id),
    );
  }
  return [];
}

/** One of each place: a document is not named by its five parts. */
function newest(items: readonly Item[]): Item[] {
  const byTime = [...items].sort((a, b) => (b.changed ?? 0) - (a.changed ?? 0) || (a.id < b.id ? -1 : 1));
  return [...new Map(byTime.toReversed().map((item) => [item.path, item])).values()].toReversed();
}

async function firstFiles({ store, owner }: Workspace): Promise<Item[]> {
  const readme = await store.searchPaths(owner, { text: "readme.md", mode: "fuzzy", limit: mostMisses });
  return readme.map(({ item }) => item);
}
