import type { Note } from "../../note.ts";
import { type GraphChange, noteItemId } from "../graph.ts";
import { storable } from "../storable.ts";
import { markOf, relationCodes } from "./graph-text.ts";

/**
 * A key is whatever notes are called by or name, whether or not such a note exists: notes come and go, keys stay put, and engines number them.
 * A note's rows and the edges it says are its own, and go with it; what others say of it stays.
 */

/** A note with everything it names, as item ids: two spellings of a key are one when their ids are. */
export type DescribedNote = {
  note: Note;
  sheet: string;
  hash: string;
  json: string | undefined;
  item: string;
  parent: string | undefined;
  references: string[];
  fields: string[];
  aliases: string[];
};

/** The notes that a change adds, each once, as it came last; item ids of all that it replaces or removes, and of all that it names. */
export type DescribedChange = { added: DescribedNote[]; outdated: Set<string>; items: string[] };

export function describeChange(origin: string, { notes, removed }: GraphChange): DescribedChange {
  const known = new Map<string, string>();
  const itemOf = (key: string) => {
    let item = known.get(key);
    if (item === undefined) known.set(key, (item = noteItemId(origin, key)));
    return item;
  };
  const itemsOf = (keys: string[]) => (keys.length < 2 ? keys.map(itemOf) : [...new Set(keys.map(itemOf))]);
  const outdated = new Set(removed.map(itemOf));
  const added = new Map<string, DescribedNote>();
  for (const { note, sheet, hash, json } of notes) {
    const item = itemOf(note.key);
    const values: string[] = [];
    for (const field of note.fields)
      for (const value of field.values) if (value.note !== undefined) values.push(value.note);
    outdated.add(item);
    added.set(item, {
      note,
      sheet,
      hash,
      json,
      item,
      parent: note.parent === undefined ? undefined : itemOf(note.parent),
      references: itemsOf(note.references),
      fields: itemsOf(values),
      aliases: itemsOf(note.aliases ?? []),
    });
  }
  return { added: [...added.values()], outdated, items: [...new Set(known.values())] };
}

/** A note with what it says, keys as numbers. */
export type NoteRow = {
  key: number;
  item: string;
  parent: number | null;
  /** Where it stands among its siblings, whole. */
  place: number;
  references: number[];
  fields: number[];
  aliases: number[];
  counted: Counted;
};
export type NewNote = NoteRow & { note: Note; sheet: string; hash: string; json: string | undefined };

/** Item ids that are named for the first time, in their order: keys to add. */
export function unknownItems(added: readonly DescribedNote[], numbers: ReadonlyMap<string, number>): string[] {
  const missing = new Set<string>();
  const add = (item: string) => {
    if (!numbers.has(item)) missing.add(item);
  };
  for (const { item, parent, references, fields, aliases } of added) {
    add(item);
    if (parent !== undefined) add(parent);
    for (const list of [references, fields, aliases]) for (const named of list) add(named);
  }
  return [...missing].sort();
}

export function withNumbers(described: DescribedNote, numbers: ReadonlyMap<string, number>): NewNote {
  const { note, sheet, hash, json, item, parent, references, fields, aliases } = described;
  const number = (each: string) => numbers.get(each)!;
  return {
    note,
    sheet,
    hash,
    json,
    key: number(item),
    item,
    parent: parent === undefined ? null : number(parent),
    place: placeOf(note.order ?? null),
    references: references.map(number),
    fields: fields.map(number),
    aliases: aliases.map(number),
    counted: countedOf(note),
  };
}

/** Where a child without an order stands: after those that have one. */
const lastPlace = 2 ** 31 - 1;

/** Whole, because it may go through JSON and must come out the same for the edge to be found again. */
export function placeOf(order: number | null): number {
  if (order === null || !Number.isFinite(order)) return lastPlace;
  return Math.max(-lastPlace, Math.min(Math.floor(order), lastPlace));
}

export type EdgeRow = [target: number, relation: number, place: number, mark: number, source: number];

export function edgesOf({ key, item, parent, place, references, fields }: NoteRow): EdgeRow[] {
  const mark = markOf(item);
  const edges: EdgeRow[] = [];
  if (parent !== null) edges.push([parent, relationCodes.child, place, mark, key]);
  for (const target of references) edges.push([target, relationCodes.reference, 0, mark, key]);
  for (const target of fields) edges.push([target, relationCodes.field, 0, mark, key]);
  return edges;
}

/**
 * What a key means depends on several notes, and is decided again for keys that notes came to or left: `appeared` are notes whose key was
 * named before, `gone` keys without a note now, `aliases` keys that may mean another note now. `fresh` are keys that are new themselves.
 */
export function meaningsToDecide<Note extends NoteRow>(
  added: readonly Note[],
  old: readonly NoteRow[],
  fresh: ReadonlySet<number>,
): { appeared: Note[]; gone: number[]; aliases: number[] } {
  const before = new Set(old.map(({ key }) => key));
  const present = new Set(added.map(({ key }) => key));
  const gone = [...before].filter((key) => !present.has(key));
  const aliases = [...added, ...old].flatMap((note) => note.aliases);
  return {
    appeared: added.filter(({ key }) => !before.has(key) && !fresh.has(key)),
    gone,
    aliases: [...new Set([...aliases, ...gone])],
  };
}

/** Keys that nothing may be called by and nothing may name any more. */
export function perhapsUnused(old: readonly NoteRow[]): number[] {
  const keys = new Set<number>();
  for (const { key, parent, references, fields, aliases } of old) {
    keys.add(key);
    if (parent !== null) keys.add(parent);
    for (const list of [references, fields, aliases]) for (const named of list) keys.add(named);
  }
  return [...keys];
}

/** What is counted of a note. */
type Counted = { tags: string[]; values: number; references: number };

function countedOf({ tags, fields, references }: Note): Counted {
  let values = 0;
  for (const field of fields) values += field.values.length;
  return { tags, values, references: references.length };
}

/** By how much an origin's counts change, and by how much those of each tag. */
export type CountChange = {
  notes: number;
  tags: number;
  values: number;
  references: number;
  byTag: [name: string, change: number][];
};

/** Counts are kept, so that nobody has to go through a hundred thousand notes. */
export function countChange(added: readonly NoteRow[], removed: readonly NoteRow[]): CountChange {
  const byTag = new Map<string, number>();
  const total = { notes: 0, tags: 0, values: 0, references: 0 };
  const count =
    (sign: 1 | -1) =>
    ({ counted: { tags, values, references } }: NoteRow) => {
      total.notes += sign;
      total.tags += sign * tags.length;
      total.values += sign * values;
      total.references += sign * references;
      for (const tag of new Set(tags.map(storable))) byTag.set(tag, (byTag.get(tag) ?? 0) + sign);
    };
  added.forEach(count(1));
  removed.forEach(count(-1));
  return { ...total, byTag: [...byTag].filter(([, change]) => change !== 0) };
}
