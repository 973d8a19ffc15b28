import type { Note } from "../../note.ts";
import { type GraphChange, noteItemId } from "../graph.ts";
import { markOf, relationCodes } from "./graph-text.ts";
import { storable } from "./stored-text.ts";

/**
 * A key is any name that notes have or mention, whether or not such a note exists: notes come and go, keys stay, and
 * engines number them. A note's rows and statements are removed with it; statements of others about it stay.
 */

/** A note with everything it mentions, as item ids: two spellings of a key are the same when their ids are. */
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

/**
 * The notes that a change adds, each once, in its last version; item ids of everything that it replaces or removes, and
 * of everything that it mentions.
 */
export type DescribedChange = { added: DescribedNote[]; outdated: Set<string>; items: string[] };

export function describeChange(origin: string, { notes, removed }: GraphChange): DescribedChange {
  const itemByKey = new Map<string, string>();
  const itemOf = (key: string) => {
    let item = itemByKey.get(key);
    if (item === undefined) itemByKey.set(key, (item = noteItemId(origin, key)));
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
  return { added: [...added.values()], outdated, items: [...new Set(itemByKey.values())] };
}

/** A note with its statements, keys as numbers. */
export type NoteRow = {
  key: number;
  item: string;
  parent: number | null;
  /** Position among its siblings, a whole number. */
  place: number;
  references: number[];
  fields: number[];
  aliases: number[];
  counted: Counted;
};
export type NewNote = NoteRow & { note: Note; sheet: string; hash: string; json: string | undefined };

/** Item ids that are mentioned for the first time, in order: keys to add. */
export function unknownItems(added: readonly DescribedNote[], numbers: ReadonlyMap<string, number>): string[] {
  const missing = new Set<string>();
  const add = (item: string) => {
    if (!numbers.has(item)) missing.add(item);
  };
  for (const { item, parent, references, fields, aliases } of added) {
    add(item);
    if (parent !== undefined) add(parent);
    for (const list of [references, fields, aliases]) for (const mentioned of list) add(mentioned);
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

/** Position of a child without an order: after those that have one. */
const lastPlace = 2 ** 31 - 1;

/** A whole number, because it may pass through JSON and must stay the same for the edge to be found again. */
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
 * Keys whose meaning may have changed with the notes of a write; they are resolved again. `appeared`: notes whose key
 * was mentioned before. `gone`: keys without a note now. `aliases`: keys that may mean another note now. `newKeys`:
 * keys that are new themselves.
 */
export function meaningsToDecide<Note extends NoteRow>(
  added: readonly Note[],
  old: readonly NoteRow[],
  newKeys: ReadonlySet<number>,
): { appeared: Note[]; gone: number[]; aliases: number[] } {
  const before = new Set(old.map(({ key }) => key));
  const present = new Set(added.map(({ key }) => key));
  const removed = [...before].filter((key) => !present.has(key));
  const aliases = [...added, ...old].flatMap((note) => note.aliases);
  return {
    appeared: added.filter(({ key }) => !before.has(key) && !newKeys.has(key)),
    gone: removed,
    aliases: [...new Set([...aliases, ...removed])],
  };
}

/** Keys that may no longer be used or mentioned. */
export function perhapsUnused(old: readonly NoteRow[]): number[] {
  const keys = new Set<number>();
  for (const { key, parent, references, fields, aliases } of old) {
    keys.add(key);
    if (parent !== null) keys.add(parent);
    for (const list of [references, fields, aliases]) for (const mentioned of list) keys.add(mentioned);
  }
  return [...keys];
}

/** The counted properties of a note. */
type Counted = { tags: string[]; values: number; references: number };

function countedOf({ tags, fields, references }: Note): Counted {
  let values = 0;
  for (const field of fields) values += field.values.length;
  return { tags, values, references: references.length };
}

/** The change of an origin's counts, and of each tag's. */
export type CountChange = {
  notes: number;
  tags: number;
  values: number;
  references: number;
  byTag: [name: string, change: number][];
};

/** Counts are stored, so that nobody has to scan a hundred thousand notes. */
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
