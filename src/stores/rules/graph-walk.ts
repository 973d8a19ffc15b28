import type { Relation } from "../../note.ts";
import type { Neighbours } from "../graph.ts";
import { relationCodes } from "./graph-text.ts";

/** A note by its key and its item id. */
export type KeyMeaning = { key: number; item: string };

/** A note whose neighbours are wanted. */
export type AskedNote = KeyMeaning & {
  parent: number | null;
  references: number[];
  fields: number[];
  /** Every key that means it: its own and aliases. */
  keys: number[];
};

/** What is said of keys, by `slotOf`; those with more than was read are `cut`. */
export type Sayings = { said: Map<number, { source: number; place: number }[]>; cut: Set<number> };

export const noSayings = (): Sayings => ({ said: new Map(), cut: new Set() });

/** One relation of one key, as one number: codes are smaller than 16. */
export const slotOf = (key: number, code: number): number => key * 16 + code;

export function addSaying({ said }: Sayings, key: number, code: number, source: number, place: number): void {
  const known = said.get(slotOf(key, code));
  if (known) known.push({ source, place });
  else said.set(slotOf(key, code), [{ source, place }]);
}

/** The codes of what is said of a note by others: a parent is what the note itself says. */
export const saidCodes = (relations: readonly Relation[]): number[] =>
  relations.flatMap((relation) => (relation === "parent" ? [] : relationCodes[relation]));

/**
 * So many of each relation are read of a key that much is said of: as many as are asked for, the note itself, which may be among them, and one
 * more, which shows that there are more.
 */
export const readOfEach = (most: number): number => most + 2;

/** Keys whose meaning has to be known: what these notes name, and who says something of them. */
export function keysToKnow(
  asked: readonly AskedNote[],
  relations: readonly Relation[],
  { said }: Sayings,
): Set<number> {
  const keys = new Set<number>();
  for (const note of asked) for (const relation of relations) for (const key of namedBy(note, relation)) keys.add(key);
  for (const list of said.values()) for (const { source } of list) keys.add(source);
  return keys;
}

function namedBy(note: AskedNote, relation: Relation): number[] {
  if (relation === "reference") return note.references;
  if (relation === "field") return note.fields;
  return relation === "parent" && note.parent !== null ? [note.parent] : [];
}

/** The other end of an edge. */
type End = KeyMeaning & { place: number; out: boolean };

/** A note's neighbours by one relation, in order, as far as they were read. */
export type Ends = {
  note: AskedNote;
  relation: Relation;
  ends: End[];
  /** What has to be counted where not everything was read: who says this of these keys, and the named ones that do not. */
  uncounted?: { keys: number[]; code: number; named: KeyMeaning[] };
};

/** Of each note and relation, in the order asked. `meanings`: keys that mean no note are absent. */
export function endsOf(
  asked: readonly AskedNote[],
  relations: readonly Relation[],
  sayings: Sayings,
  meanings: ReadonlyMap<number, KeyMeaning>,
): Ends[] {
  return asked.flatMap((note) => relations.map((relation) => endsOfRelation(note, relation, sayings, meanings)));
}

function endsOfRelation(
  note: AskedNote,
  relation: Relation,
  { said, cut }: Sayings,
  meanings: ReadonlyMap<number, KeyMeaning>,
): Ends {
  const ends = new Map<number, End>();
  for (const key of namedBy(note, relation)) {
    const end = meanings.get(key);
    if (end) ends.set(end.key, { key: end.key, item: end.item, place: 0, out: relation !== "parent" });
  }
  const named = [...ends.values()].filter(({ key }) => key !== note.key);
  const code = relation === "parent" ? 0 : relationCodes[relation];
  const keys = note.keys.filter((key) => said.has(slotOf(key, code)));
  for (const key of keys) {
    for (const { source, place } of said.get(slotOf(key, code))!) {
      if (ends.has(source)) continue;
      ends.set(source, { key: source, item: meanings.get(source)!.item, place, out: relation === "child" });
    }
  }
  ends.delete(note.key);
  const ordered = [...ends.values()].sort((a, b) => a.place - b.place || (a.item < b.item ? -1 : 1));
  const isCut = keys.some((key) => cut.has(slotOf(key, code)));
  return { note, relation, ends: ordered, ...(isCut && { uncounted: { keys, code, named } }) };
}

/** `totalOf`: how many there are where not everything was read. */
export function neighboursFrom(all: readonly Ends[], most: number, totalOf: (ends: Ends) => number): Neighbours {
  const found: Neighbours = { edges: [], more: [] };
  for (const each of all) {
    const { note, relation, ends } = each;
    for (const { item, out } of ends.slice(0, most)) found.edges.push({ from: note.item, to: item, relation, out });
    const total = each.uncounted ? totalOf(each) : ends.length;
    if (total > most) found.more.push({ from: note.item, relation, total });
  }
  return found;
}

/** The way up from a note, nearest first; it ends before a note comes twice. */
export function wayUp(from: number, owners: ReadonlyMap<number, number>, most: number): number[] {
  const way = new Set<number>();
  for (let owner = owners.get(from); owner !== undefined && owner !== from; owner = owners.get(owner)) {
    if (way.size === most || way.has(owner)) break;
    way.add(owner);
  }
  return [...way];
}
