import type { Item } from "../../../item.ts";
import { definitionRank, endsInName } from "../../scope/targets.ts";
import { similarity, trigrams } from "../../spelling.ts";
import { storable } from "../../storable.ts";
import type { Hit, NameSearch } from "../../store.ts";
import type { Database } from "../engine/driver.ts";
import { findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsWhere } from "../items/items.ts";
import { anyOf } from "./bm25.ts";
import { type Conditions, conditions } from "./filter.ts";

/** Candidates by shared trigrams that are compared letter by letter. */
const fuzzyCandidates = 200;
/** No name or path is longer; what is asked may be. */
const longestAsked = 512;
/** Only the rarest trigrams are searched: at least this many, and more while they occur in this share of the names. Five times faster, nothing missed in 100 typos. */
const fewestTrigrams = 6;
const trigramShare = 0.05;
/** Less alike than this is another word. */
const leastAlike = 0.5;
/** The score of what differs in upper and lower case only. */
const otherCase = 0.9;

export function searchNames(session: StoreSession, ownerName: string, search: NameSearch): Hit[] {
  return inOrder(session, ownerName, search, (owner, where) => {
    const { mode } = search;
    const text = storable(search.text.trim().slice(0, longestAsked));
    if (mode === "fuzzy") return fuzzyNames(session, owner, text, search.limit, where);
    if (mode === "exact") return scored(named(session, owner, text, where), (item) => sameText(item.name, text));
    return scored(named(session, owner, lastName(text), where), (item) => endsAs(item.qualifiedName, text));
  });
}

export function searchPaths(session: StoreSession, ownerName: string, search: NameSearch): Hit[] {
  return inOrder(session, ownerName, search, (owner, where) => {
    const path = storable(
      search.text
        .trim()
        .slice(0, longestAsked)
        .replaceAll("\\", "/")
        .replace(/^(\.?\/)+/, ""),
    );
    if (search.mode === "fuzzy") return fuzzyPaths(session, owner, path, where);
    const suffix = search.mode === "suffix";
    return scored(based(session, owner, path, where), (item) =>
      suffix ? Math.max(sameText(item.path, path), tailScore(item.path, path)) : sameText(item.path, path),
    );
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
    const found = find(owner, conditions(session, owner, search.filter));
    return found
      .sort(
        (a, b) =>
          b.score - a.score || definitionRank(a.item) - definitionRank(b.item) || (a.item.id < b.item.id ? -1 : 1),
      )
      .slice(0, search.limit);
  });
}

// A block has its name from the first thing in it: whoever asks by name means the thing.
const isNamed = "i.kind <> 'block'";

function named({ database }: StoreSession, owner: Owner, name: string, where: Conditions): Item[] {
  return itemsWhere(
    database,
    `i.owner = ? AND i.name IN (SELECT id FROM names WHERE owner = ? AND folded = ? AND items > 0) AND ${isNamed}${where.sql}`,
    [owner.id, owner.id, name.toLowerCase(), ...where.values],
  );
}

function based({ database }: StoreSession, owner: Owner, path: string, where: Conditions): Item[] {
  const base = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return itemsWhere(
    database,
    `i.id IN (SELECT whole FROM files WHERE owner = ? AND base = ?) AND f.whole = i.id${where.sql}`,
    [owner.id, base, ...where.values],
  );
}

function scored(items: Item[], score: (item: Item) => number): Hit[] {
  return items.map((item) => ({ item, score: score(item) })).filter((hit) => hit.score > 0);
}

/** `inner` of `path::Outer.inner`, `Outer#inner` or `Guide > inner`. */
function lastName(text: string): string {
  return (
    text
      .split(/\.|::|->|#| > /)
      .filter(Boolean)
      .at(-1) ?? text
  );
}

function sameText(a: string, b: string): number {
  if (a === b) return 1;
  return a.toLowerCase() === b.toLowerCase() ? otherCase : 0;
}

function endsAs(qualified: string, name: string): number {
  if (endsInName(qualified, name)) return 1;
  return endsInName(qualified.toLowerCase(), name.toLowerCase()) ? otherCase : 0;
}

function tailScore(path: string, tail: string): number {
  return path.length > tail.length && path.at(-tail.length - 1) === "/" ? sameText(path.slice(-tail.length), tail) : 0;
}

function fuzzyNames(session: StoreSession, owner: Owner, text: string, limit: number, where: Conditions): Hit[] {
  const last = lastName(text);
  const grams = rarestTrigrams(session.database, owner, "names", last);
  if (grams === undefined) return scored(named(session, owner, last, where), (item) => alike(item.qualifiedName, text));
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
  const close = names
    .map(({ id, folded }) => ({ id, score: likeness(folded, last.toLowerCase()) }))
    .filter(({ score }) => score >= leastAlike)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit);
  const rows = itemsWhere(
    session.database,
    `i.owner = ? AND i.name IN (SELECT value FROM json_each(?)) AND ${isNamed}${where.sql}`,
    [owner.id, JSON.stringify(close.map(({ id }) => id)), ...where.values],
  );
  return scored(rows, (item) =>
    last === text ? likeness(item.name.toLowerCase(), text.toLowerCase()) : alike(item.qualifiedName, text),
  );
}

/** The trigrams to search for, rarest first, or undefined for a word that has none or an owner without an index of them. Trigrams that nothing has are left out. */
function rarestTrigrams(
  database: Database,
  owner: Owner,
  index: "names" | "paths",
  word: string,
): string[] | undefined {
  const wanted = trigrams(word);
  if (wanted.length === 0 || !owner.named) return undefined;
  const counts = database.all<{ term: string; doc: number }>(
    `SELECT c.term, c.doc FROM json_each(?) AS j CROSS JOIN ${index}_count_${owner.id} AS c ON c.term = j.value ORDER BY c.doc, c.term`,
    [JSON.stringify(wanted)],
  );
  const total = database.get<{ count: number }>(`SELECT count(*) AS count FROM ${index}_${owner.id}_docsize`)!.count;
  let rows = 0;
  return counts
    .filter(({ doc }, i) => (rows += doc) <= total * trigramShare || i < fewestTrigrams)
    .map(({ term }) => term);
}

/** Compares a dotted name with as many last parts of a qualified one as it has itself. */
function alike(qualified: string, text: string): number {
  const parts = qualified.toLowerCase().split(/::|\./);
  const wanted = text.toLowerCase().split(/::|\./);
  const score = similarity(parts.slice(-wanted.length).join("."), wanted.join("."));
  return score >= leastAlike ? score : 0;
}

/** Alike in spelling, or one a part of the other: `payment` is a part of `processPayment`. */
function likeness(name: string, text: string): number {
  const spelled = similarity(name, text);
  return name.includes(text) ? Math.max(spelled, 0.5 + (0.4 * text.length) / name.length) : spelled;
}

function fuzzyPaths(session: StoreSession, owner: Owner, path: string, where: Conditions): Hit[] {
  const grams = rarestTrigrams(session.database, owner, "paths", path);
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
  const wanted = path.toLowerCase().split("/");
  return scored(rows, (item) => {
    const tail = item.path.toLowerCase().split("/").slice(-wanted.length).join("/");
    const score = likeness(tail, wanted.join("/"));
    return score >= leastAlike ? score : 0;
  });
}
