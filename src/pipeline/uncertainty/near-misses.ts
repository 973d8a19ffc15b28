import { unreadWarning } from "../../errors.ts";
import type { Item, Scored } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { sources } from "../../sources/all.ts";
import { bringsLines, bringsTurns, type Source } from "../../sources/source.ts";
import type { Shelf } from "../../stores/store.ts";
import { analyse, splitIdentifier } from "../../text/analysis/analyse.ts";
import { editDistance } from "../../text/similarity/levenshtein.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const mostMisses = 5;
/** Some of the records may have expired, so more are read than are shown. */
const mostLooked = 50;
/** How many words are looked up, one by one. A word longer than `longestWord` is data. */
const mostWords = 8;
const longestWord = 40;
const shortestWord = 3;
/** Characters of the query that are read. */
const longestRead = 500;
const words = /[\p{L}\p{N}_]+/gu;

/**
 * Items with a name similar to a word of the query, on the recipe's shelves. If there are none: the readme and the
 * newest records, as a place to start. `before`: only records from before this time.
 */
export async function nearMisses(
  query: string,
  recipe: Recipe,
  workspace: Workspace,
  before?: number,
): Promise<Scored[]> {
  const searchedSources = sourcesOf(recipe);
  const queryWords = [...new Set(query.slice(0, longestRead).match(words) ?? [])].slice(0, mostWords);
  const inFiles = searchedSources.some(bringsLines);
  const similarNames = inFiles
    ? (await Promise.all(queryWords.map((word) => namesNear(word, workspace, 2)))).flat()
    : [];
  const others = searchedSources.filter((source) => !bringsLines(source));
  const listed =
    similarNames.length >= mostMisses
      ? []
      : (await Promise.all(others.map(({ shelf }) => firstItems(shelf, workspace)))).flat();
  const similar = [...similarNames, ...listed.filter(({ name }) => queryWords.some((word) => isSimilar(word, name)))];
  const files = similar.length === 0 && inFiles ? await readmes(workspace) : [];
  const items = similar.length > 0 ? similar : [...files, ...newest(listed)];
  const once = [...new Map(items.map((item) => [item.id, item])).values()];
  const current = await currentOf(once.slice(0, mostLooked), others, workspace, before);
  return current.slice(0, mostMisses).map((item) => ({ item, signals: {}, distance: 0, score: 0, because: {} }));
}

/** The items without expired and replaced records. */
async function currentOf(
  items: Item[],
  searchedSources: readonly Source[],
  workspace: Workspace,
  before = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const dropped = new Set<string>();
  for (const source of searchedSources) {
    const own = items.filter((item) => source.brings.includes(item.source));
    const known = own.filter(({ changed = 0 }) => changed < before);
    const holding = await holdingOf(known, source, workspace);
    for (const item of own) if (!holding.includes(item)) dropped.add(item.id);
  }
  return items.filter(({ id }) => !dropped.has(id));
}

async function holdingOf(items: Item[], source: Source, workspace: Workspace): Promise<Item[]> {
  if (!source.current || items.length === 0) return items;
  try {
    return await source.current(items, workspace);
  } catch (error) {
    // It is unknown whether a damaged record is still current. The damage was reported when the source was read.
    if (unreadWarning(error) === undefined) throw error;
    return [];
  }
}

/**
 * Items in files whose name is similar to a word or contains it (fuzzy search, then Levenshtein distance to the parts
 * of the name).
 */
export async function namesNear(text: string, { store, owner }: Workspace, limit: number): Promise<Item[]> {
  if (text.length < shortestWord || text.length > longestWord) return [];
  const hits = await store.searchNames(owner, { text, mode: "fuzzy", limit: mostAlike });
  const near = hits.map(({ item }) => item).filter(({ name }) => isSimilar(text, name));
  if (near.length > 0 || text.length < shortestTypo) return near.slice(0, limit);
  // "paymnt" is not similar to PaymentClient as a whole, but to one of its words.
  const samePrefix = await store.searchNames(owner, {
    text: text.slice(0, prefixLength),
    mode: "fuzzy",
    limit: mostWithPrefix,
  });
  return samePrefix
    .map(({ item }) => item)
    .filter(({ name }) => isSimilar(text, name))
    .slice(0, limit);
}

const shortestTypo = 5;
const prefixLength = 4;
const mostWithPrefix = 50;
const mostAlike = 20;
/**
 * One edit is allowed per this many letters. With fewer letters, or with a different first letter, "letter" would match
 * `setter` and "invoices" would match `choices`.
 */
const lettersPerEdit = 5;
/** Shorter words are part of too many names by chance. */
const shortestInside = 4;

/**
 * A misspelling begins like the word; another form has its stem; and some names contain the word without a separator:
 * `filename`.
 */
function isSimilar(word: string, name: string): boolean {
  if (word.length > longestWord) return false;
  const lowerWord = word.toLowerCase();
  if (lowerWord.length >= shortestInside && name.toLowerCase().includes(lowerWord)) return true;
  const parts = (name.match(words) ?? []).flatMap(splitIdentifier);
  const stems = new Set(analyse(word));
  if (parts.some((part) => analyse(part).some((term) => stems.has(term)))) return true;
  if (lowerWord.length < shortestTypo) return false;
  const edits = Math.floor(lowerWord.length / lettersPerEdit);
  return [...parts, name.toLowerCase()].some(
    (part) => part[0] === lowerWord[0] && editDistance(lowerWord, part) <= edits,
  );
}

/** The recipe's sources without messages, which the user wrote. */
function sourcesOf({ asks }: Recipe): Source[] {
  const recipeSources = asks.flatMap((ask) => sources.find(({ name }) => name === ask.source) ?? []);
  return [...new Set(recipeSources)].filter((source) => !bringsTurns(source));
}

/** The first batch of items on a shelf. */
async function firstItems(name: Shelf, { store, owner }: Workspace): Promise<Item[]> {
  const shelf = store.shelf(name);
  for await (const batch of shelf.allTerms(owner, "unit")) {
    return shelf.items(
      owner,
      batch.map(({ id }) => id),
    );
  }
  return [];
}

/** Newest first, one item per path: a document is listed once, not once per chunk. */
function newest(items: readonly Item[]): Item[] {
  const byTime = [...items].sort((a, b) => (b.changed ?? 0) - (a.changed ?? 0) || (a.id < b.id ? -1 : 1));
  return [...new Map(byTime.toReversed().map((item) => [item.path, item])).values()].toReversed();
}

async function readmes({ store, owner }: Workspace): Promise<Item[]> {
  const readme = await store.searchPaths(owner, { text: "readme.md", mode: "fuzzy", limit: mostMisses });
  return readme.map(({ item }) => item);
}
