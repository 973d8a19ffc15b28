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
  qualifiedLikeness,
  sameText,
  scored,
  tailScore,
} from "../../search/name-likeness.ts";
import { trigrams } from "../../spelling.ts";
import type { Hit, NameSearch } from "../../store.ts";
import { isNamed, type ShelfView } from "../engine/shelf.ts";
import { itemsWhere } from "../items/items.ts";
import { conditions } from "./filter.ts";

// A block has its name from the first thing in it: whoever asks by name means the thing.
const notBlock = "i.kind <> 'block'";

export async function searchNames(view: ShelfView, search: NameSearch): Promise<Hit[]> {
  if (search.text.trim() === "" || search.limit <= 0) return [];
  const text = askedName(search.text);
  const find = async () => {
    if (search.mode === "fuzzy") return fuzzyNames(view, text, search);
    if (search.mode === "exact") return scored(await named(view, text, search), (item) => sameText(item.name, text));
    return scored(await named(view, lastName(text), search), (item) => endsAs(item.qualifiedName, text));
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

async function named(view: ShelfView, name: string, { filter }: NameSearch): Promise<Item[]> {
  const where = await conditions(view, filter, 4);
  return itemsWhere(
    view,
    `i.name IN (SELECT w.id FROM names AS w WHERE w.owner = $1 AND w.shelf = $2 AND w.folded = $3 AND w.items > 0) AND i.name > 0
     AND ${notBlock}${where.sql}`,
    [name.toLowerCase(), ...where.values],
  );
}

async function based(view: ShelfView, path: string, { filter }: NameSearch): Promise<Item[]> {
  const where = await conditions(view, filter, 4);
  return itemsWhere(view, `f.base = $3 AND f.whole = i.id${where.sql}`, [baseName(path), ...where.values]);
}

/**
 * Which names share trigrams with what is asked, most first: pg_trgm looks at each of the owner's names. An index of them would not be used,
 * since behind row-level security the server does not let such an operator see rows before the owner is checked.
 */
async function fuzzyNames(view: ShelfView, text: string, search: NameSearch): Promise<Hit[]> {
  const last = lastName(text);
  if (trigrams(last).length === 0 || !isNamed(view.shelf)) {
    return scored(await named(view, last, search), (item) => qualifiedLikeness(item.qualifiedName, text));
  }
  const where = await conditions(view, search.filter, 4);
  const filter =
    where.sql &&
    `AND EXISTS (SELECT 1 FROM items AS i WHERE i.owner = $1 AND i.shelf = $2 AND i.name = n.id AND i.name > 0${where.sql})`;
  const names = await view.all<{ id: number; folded: string }>(
    `SELECT n.id, n.folded FROM names AS n WHERE n.owner = $1 AND n.shelf = $2 AND n.items > 0 ${filter}
     ORDER BY similarity(n.folded, $3) + word_similarity($3, n.folded) DESC, n.id LIMIT ${fuzzyCandidates}`,
    [last.toLowerCase(), ...where.values],
  );
  const close = closeNames(names, last, search.limit);
  const rows = await itemsWhere(view, `i.name = ANY($3::int[]) AND i.name > 0 AND ${notBlock}${where.sql}`, [
    close.map(({ id }) => id),
    ...where.values,
  ]);
  return scored(rows, (item) => nameLikeness(item, text));
}

async function fuzzyPaths(view: ShelfView, path: string, search: NameSearch): Promise<Hit[]> {
  if (trigrams(path).length === 0 || !isNamed(view.shelf)) {
    return scored(await based(view, path, search), (item) => tailScore(item.path, path));
  }
  const where = await conditions(view, search.filter, 4);
  const rows = await itemsWhere(
    view,
    `f.whole = i.id${where.sql} ORDER BY similarity(f.path, $3) + word_similarity($3, f.path) DESC, i.id LIMIT ${fuzzyCandidates}`,
    [path.toLowerCase(), ...where.values],
  );
  return scored(rows, (item) => pathLikeness(item.path, path));
}
