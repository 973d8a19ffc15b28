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
import type { Database } from "../engine/driver.ts";
import { findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsWhere } from "../items/items.ts";
import { anyOf } from "./bm25.ts";
import { type Conditions, conditions } from "./filter.ts";

export function searchNames(session: StoreSession, ownerName: string, search: NameSearch): Hit[] {
  return inOrder(session, ownerName, search, (owner, where) => {
    const { mode } = search;
    const text = askedName(search.text);
    if (mode === "fuzzy") return fuzzyNames(session, owner, text, search.limit, where);
    if (mode === "exact")
      return scored(itemsWithName(session, owner, [text], where), (item) => sameText(item.name, text));
    return scored(itemsWithName(session, owner, possibleNames(text), where), (item) =>
      endsAs(item.qualifiedName, text),
    );
  });
}

export function searchPaths(session: StoreSession, ownerName: string, search: NameSearch): Hit[] {
  return inOrder(session, ownerName, search, (owner, where) => {
    const path = askedPath(search.text);
    const { mode } = search;
    if (mode === "fuzzy") return fuzzyPaths(session, owner, path, where);
    return scored(based(session, owner, path, where), (item) => pathScore(item.path, path, mode));
  });
}

function inOrder(
  session: StoreSession,
  ownerName: string,
  search: NameSearch,
  find: (owner: Owner, where: Conditions) => Hit[],
): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.text.trim() === "" || search.limit <= 0) return [];
    return inOrderOfRank(find(owner, conditions(session, owner, search.filter)), search.limit);
  });
}

// A block is named after the first definition in it; a search by name means that definition.
const isNamed = "i.kind <> 'block'";

function itemsWithName({ database }: StoreSession, owner: Owner, names: string[], where: Conditions): Item[] {
  return itemsWhere(
    database,
    `i.owner = ? AND i.name IN (SELECT id FROM names WHERE owner = ? AND folded IN (SELECT value FROM json_each(?)) AND items > 0) AND ${isNamed}${where.sql}`,
    [owner.id, owner.id, JSON.stringify(names.map((name) => name.toLowerCase())), ...where.values],
  );
}

function based({ database }: StoreSession, owner: Owner, path: string, where: Conditions): Item[] {
  return itemsWhere(
    database,
    `i.id IN (SELECT whole FROM files WHERE owner = ? AND base = ?) AND f.whole = i.id${where.sql}`,
    [owner.id, baseName(path), ...where.values],
  );
}

function fuzzyNames(session: StoreSession, owner: Owner, text: string, limit: number, where: Conditions): Hit[] {
  const last = lastName(text);
  const grams = storedTrigrams(session.database, owner, "names", last);
  if (grams === undefined)
    return scored(itemsWithName(session, owner, [last], where), (item) => qualifiedLikeness(item.qualifiedName, text));
  if (grams.length === 0) return [];
  const filter =
    where.sql && `AND EXISTS (SELECT 1 FROM items AS i WHERE i.owner = ? AND i.name = t.rowid${where.sql})`;
  const names = session.database.all<{ id: number; folded: string }>(
    `SELECT n.id, n.folded FROM (
       SELECT t.rowid AS id FROM names_${owner.id} AS t WHERE names_${owner.id} MATCH ? ${filter}
       ORDER BY bm25(names_${owner.id}), t.rowid LIMIT ${fuzzyCandidates}
     ) AS c CROSS JOIN names AS n ON n.id = c.id`,
    [anyOf(grams), ...(filter ? [owner.id, ...where.values] : [])],
  );
  const close = closeNames(names, last, limit);
  const rows = itemsWhere(
    session.database,
    `i.owner = ? AND i.name IN (SELECT value FROM json_each(?)) AND ${isNamed}${where.sql}`,
    [owner.id, JSON.stringify(close.map(({ id }) => id)), ...where.values],
  );
  return scored(rows, (item) => nameLikeness(item, text));
}

/**
 * The trigrams to search for, rarest first. Undefined for a word without trigrams, or an owner without a trigram index.
 * Trigrams that no name has are left out.
 */
function storedTrigrams(
  database: Database,
  owner: Owner,
  index: "names" | "paths",
  word: string,
): string[] | undefined {
  const wordTrigrams = trigrams(word);
  if (wordTrigrams.length === 0 || !owner.named) return undefined;
  const counts = database.all<{ gram: string; names: number }>(
    `SELECT c.term AS gram, c.doc AS names FROM json_each(?) AS j CROSS JOIN ${index}_count_${owner.id} AS c ON c.term = j.value`,
    [JSON.stringify(wordTrigrams)],
  );
  const total = database.get<{ count: number }>(`SELECT count(*) AS count FROM ${index}_${owner.id}_docsize`)!.count;
  return rarestTrigrams(counts, total);
}

function fuzzyPaths(session: StoreSession, owner: Owner, path: string, where: Conditions): Hit[] {
  const grams = storedTrigrams(session.database, owner, "paths", path);
  if (grams === undefined) return scored(based(session, owner, path, where), (item) => tailScore(item.path, path));
  if (grams.length === 0) return [];
  const rows = itemsWhere(
    session.database,
    `i.id IN (
       SELECT i.id FROM paths_${owner.id} AS t CROSS JOIN files AS w ON w.id = t.rowid
       CROSS JOIN items AS i ON i.id = w.whole AND i.file = w.id${where.sql}
       WHERE paths_${owner.id} MATCH ? ORDER BY bm25(paths_${owner.id}), t.rowid LIMIT ${fuzzyCandidates}
     )`,
    [...where.values, anyOf(grams)],
  );
  return scored(rows, (item) => pathLikeness(item.path, path));
}
