import type { Relation } from "../../note.ts";
import type { Neighbours } from "../graph.ts";
import { relationCodes } from "./graph-text.ts";

/** A note by its key and its item id. */
export type KeyMeaning = { key: number; item: string };

/** A note whose neighbours are requested. */
export type AskedNote = KeyMeaning & {
  parent: number | null;
  references: number[];
  fields: number[];
  /** Every key that means it: its own and aliases. */
  keys: number[];
};

/** Statements about keys, by `slotOf`; `cut`: those with more than were read. */
export type KeyStatements = { bySlot: Map<number, { source: number; place: number }[]>; cut: Set<number> };

export const noStatements = (): KeyStatements => ({ bySlot: new Map(), cut: new Set() });

/** One relation of one key, as one number: codes are smaller than 16. */
export const slotOf = (key: number, code: number): number => key * 16 + code;

export function addStatement(
  { bySlot }: KeyStatements,
  key: number,
  code: number,
  source: number,
  place: number,
): void {
  const statements = bySlot.get(slotOf(key, code));
  if (statements) statements.push({ source, place });
  else bySlot.set(slotOf(key, code), [{ source, place }]);
}

/** The relation codes of statements by others: the parent is stated by the note itself. */
export const statementCodes = (relations: readonly Relation[]): number[] =>
  relations.flatMap((relation) => (relation === "parent" ? [] : relationCodes[relation]));

/**
 * Limit of statements of each relation that are read for a key with many: as many as requested, the note itself, which
 * may be among them, and one more, which shows that there are more.
 */
export const readOfEach = (most: number): number => most + 2;

/** Keys whose meaning is needed: those these notes mention, and those that make statements about them. */
export function keysToKnow(
  notes: readonly AskedNote[],
  relations: readonly Relation[],
  { bySlot }: KeyStatements,
): Set<number> {
  const keys = new Set<number>();
  for (const note of notes) for (const relation of relations) for (const key of namedBy(note, relation)) keys.add(key);
  for (const list of bySlot.values()) for (const { source } of list) keys.add(source);
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
  /**
   * What has to be counted where not everything was read: statements about these keys, and mentioned notes that make
   * none.
   */
  uncounted?: { keys: number[]; code: number; named: KeyMeaning[] };
};

/** For each note and relation, in the requested order. `meanings`: keys without a note are absent. */
export function endsOf(
  notes: readonly AskedNote[],
  relations: readonly Relation[],
  statements: KeyStatements,
  meanings: ReadonlyMap<number, KeyMeaning>,
): Ends[] {
  return notes.flatMap((note) => relations.map((relation) => endsOfRelation(note, relation, statements, meanings)));
}

function endsOfRelation(
  note: AskedNote,
  relation: Relation,
  { bySlot, cut }: KeyStatements,
  meanings: ReadonlyMap<number, KeyMeaning>,
): Ends {
  const ends = new Map<number, End>();
  for (const key of namedBy(note, relation)) {
    const end = meanings.get(key);
    if (end) ends.set(end.key, { key: end.key, item: end.item, place: 0, out: relation !== "parent" });
  }
  const mentioned = [...ends.values()].filter(({ key }) => key !== note.key);
  const code = relation === "parent" ? 0 : relationCodes[relation];
  const keys = note.keys.filter((key) => bySlot.has(slotOf(key, code)));
  for (const key of keys) {
    for (const { source, place } of bySlot.get(slotOf(key, code))!) {
      if (ends.has(source)) continue;
      ends.set(source, { key: source, item: meanings.get(source)!.item, place, out: relation === "child" });
    }
  }
  ends.delete(note.key);
  const ordered = [...ends.values()].sort((a, b) => a.place - b.place || (a.item < b.item ? -1 : 1));
  const isCut = keys.some((key) => cut.has(slotOf(key, code)));
  return { note, relation, ends: ordered, ...(isCut && { uncounted: { keys, code, named: mentioned } }) };
}

/** `totalOf`: the total where not everything was read. */
export function neighboursFrom(all: readonly Ends[], most: number, totalOf: (ends: Ends) => number): Neighbours {
  const result: Neighbours = { edges: [], more: [] };
  for (const each of all) {
    const { note, relation, ends } = each;
    for (const { item, out } of ends.slice(0, most)) result.edges.push({ from: note.item, to: item, relation, out });
    const total = each.uncounted ? totalOf(each) : ends.length;
    if (total > most) result.more.push({ from: note.item, relation, total });
  }
  return result;
}

/** The ancestors of a note, nearest first; ends before a note would repeat. */
export function ancestorKeys(from: number, owners: ReadonlyMap<number, number>, most: number): number[] {
  const way = new Set<number>();
  for (let owner = owners.get(from); owner !== undefined && owner !== from; owner = owners.get(owner)) {
    if (way.size === most || way.has(owner)) break;
    way.add(owner);
  }
  return [...way];
}
