import type { Item } from "../../../item.ts";
import {
  askedName,
  askedPath,
  baseName,
  closeNames,
  endsAs,
  fuzzyCandidates,
  inOrderOfRank,
  lastName,
  nameLikeness,
  pathLikeness,
  pathScore,
  possibleNames,
  qualifiedLikeness,
  rarestTrigrams,
  sameText,
  scored,
  tailScore,
} from "../../search/name-likeness.ts";
import { trigrams } from "../../spelling.ts";
import type { Hit, NameSearch } from "../../store.ts";
import { isNamed, type ShelfView } from "../engine/shelf.ts";
import { itemsWhere } from "../items/items.ts";
import { conditions } from "./filter.ts";
import { namesSharingTrigrams } from "./trigrams.ts";

// A block is named after the first thing in it: a search by name means that thing.
const notBlock = "i.kind <> 'block'";

export async function searchNames(view: ShelfView, search: NameSearch): Promise<Hit[]> {
  if (search.text.trim() === "" || search.limit <= 0) return [];
  const text = askedName(search.text);
  const find = async () => {
    if (search.mode === "fuzzy") return fuzzyNames(view, text, search);
    if (search.mode === "exact")
      return scored(await itemsWithName(view, [text], search), (item) => sameText(item.name, text));
    return scored(await itemsWithName(view, possibleNames(text), search), (item) => endsAs(item.qualifiedName, text));
  };
  return inOrderOfRank(await find(), search.limit);
}

export async function searchPaths(view: ShelfView, search: NameSearch): Promise<Hit[]> {
  if (search.text.trim() === "" || search.limit <= 0) return [];
  const path = askedPath(search.text);
  const { mode } = search;
  const hits =
    mode === "fuzzy"
      ? await fuzzyPaths(view, path, search)
      : scored(await based(view, path, search), (item) => pathScore(item.path, path, mode));
  return inOrderOfRank(hits, search.limit);
}

async function itemsWithName(view: ShelfView, names: string[], { filter }: NameSearch): Promise<Item[]> {
  const where = await conditions(view, filter, 4);
  return itemsWhere(
    view,
    `i.name IN (SELECT w.id FROM names AS w WHERE w.owner = $1 AND w.shelf = $2 AND w.folded = ANY($3::text[]) AND w.items > 0) AND i.name > 0
     AND ${notBlock}${where.sql}`,
    [names.map((name) => name.toLowerCase()), ...where.values],
  );
}

async function based(view: ShelfView, path: string, { filter }: NameSearch): Promise<Item[]> {
  const where = await conditions(view, filter, 4);
  return itemsWhere(view, `f.base = $3 AND f.whole = i.id${where.sql}`, [baseName(path), ...where.values]);
}

/**
 * The trigrams to search for, rarest first, or undefined for a word without any or a shelf that is not searched by
 * name. The server scans the owner's paths, or names: there are few paths.
 */
async function storedTrigrams(
  view: ShelfView,
  from: string,
  text: string,
  word: string,
): Promise<string[] | undefined> {
  const wordTrigrams = trigrams(word);
  if (wordTrigrams.length === 0 || !isNamed(view.shelf)) return undefined;
  const [counts, total] = await Promise.all([
    view.all<{ gram: string; names: number }>(
      `SELECT g.gram, count(*) AS names FROM ${from} CROSS JOIN unnest($3::text[]) AS g(gram)
       WHERE n.owner = $1 AND n.shelf = $2 AND ${text} AND strpos(n.text, g.gram) > 0 GROUP BY g.gram`,
      [wordTrigrams],
    ),
    view.get<{ count: number }>(`SELECT count(*) FROM ${from} WHERE n.owner = $1 AND n.shelf = $2 AND ${text}`),
  ]);
  return rarestTrigrams(counts, total!.count);
}

/** Names that share one of the trigrams, most similar first by pg_trgm. */
const sharing = "EXISTS (SELECT 1 FROM unnest($4::text[]) AS g(gram) WHERE strpos(TEXT, g.gram) > 0)";
const mostAlike = "similarity(TEXT, $3) + word_similarity($3, TEXT) DESC";

type ShelfName = { id: number; folded: string };

async function itemsNamed(
  view: ShelfView,
  names: readonly ShelfName[],
  text: string,
  search: NameSearch,
): Promise<Hit[]> {
  const close = closeNames(names.slice(0, fuzzyCandidates), lastName(text), search.limit);
  const where = await conditions(view, search.filter, 4);
  const rows = await itemsWhere(view, `i.name = ANY($3::int[]) AND i.name > 0 AND ${notBlock}${where.sql}`, [
    close.map(({ id }) => id),
    ...where.values,
  ]);
  return scored(rows, (item) => nameLikeness(item, text));
}

async function fuzzyNames(view: ShelfView, text: string, search: NameSearch): Promise<Hit[]> {
  const last = lastName(text);
  const hasTrigrams = isNamed(view.shelf) && trigrams(last).length > 0;
  if (!hasTrigrams)
    return scored(await itemsWithName(view, [last], search), (item) => qualifiedLikeness(item.qualifiedName, text));
  const numbers = await namesSharingTrigrams(view, last);
  const where = await conditions(view, search.filter, numbers ? 4 : 5);
  const filter =
    where.sql &&
    `AND EXISTS (SELECT 1 FROM items AS i WHERE i.owner = $1 AND i.shelf = $2 AND i.name = n.id AND i.name > 0${where.sql})`;
  const names = numbers
    ? await view.all<ShelfName>(
        `SELECT n.id, n.folded FROM unnest($3::int[]) WITH ORDINALITY AS w(id, line)
         JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.id = w.id WHERE n.items > 0 ${filter}
         ORDER BY w.line LIMIT ${fuzzyCandidates}`,
        [numbers, ...where.values],
      )
    : await scannedNames(view, last, filter, where.values);
  return names.length === 0 ? [] : itemsNamed(view, names, text, search);
}

/** Of a shelf that was not written to since it has trigrams: the server compares all of its names. */
async function scannedNames(view: ShelfView, last: string, filter: string, values: unknown[]): Promise<ShelfName[]> {
  const from = "(SELECT owner, shelf, folded AS text, items FROM names) AS n";
  const grams = await storedTrigrams(view, from, "n.items > 0", last);
  if (!grams || grams.length === 0) return [];
  return view.all<ShelfName>(
    `SELECT n.id, n.folded FROM names AS n WHERE n.owner = $1 AND n.shelf = $2 AND n.items > 0
     AND ${sharing.replace("TEXT", "n.folded")} ${filter}
     ORDER BY ${mostAlike.replaceAll("TEXT", "n.folded")}, n.id LIMIT ${fuzzyCandidates}`,
    [last.toLowerCase(), grams, ...values],
  );
}

async function fuzzyPaths(view: ShelfView, path: string, search: NameSearch): Promise<Hit[]> {
  const files = "(SELECT owner, shelf, lower(path) AS text, whole FROM files) AS n";
  const grams = await storedTrigrams(view, files, "true", path);
  if (!grams) return scored(await based(view, path, search), (item) => tailScore(item.path, path));
  if (grams.length === 0) return [];
  const where = await conditions(view, search.filter, 5);
  const rows = await itemsWhere(
    view,
    `f.whole = i.id AND ${sharing.replace("TEXT", "lower(f.path)")}${where.sql}
     ORDER BY ${mostAlike.replaceAll("TEXT", "f.path")}, i.id LIMIT ${fuzzyCandidates}`,
    [path.toLowerCase(), grams, ...where.values],
  );
  return scored(rows, (item) => pathLikeness(item.path, path));
}
