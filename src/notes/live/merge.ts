import type { Note, NoteField, NoteValue } from "../../note.ts";

/** The API's data about a note. Absent fields are unknown; `null` means that there is no value. */
export type NoteUpdate = {
  key: string;
  name?: string;
  text?: string | null;
  tags?: string[];
  /** All ancestors of its tags. */
  inherited?: string[];
  fields?: NoteField[];
  parent?: string;
  order?: number;
  references?: string[];
  done?: boolean | null;
  created?: number;
  /** A time after which it was changed. */
  changedSince?: number;
  /** The node was read completely: its references are all there are. */
  whole?: boolean;
};

/** Adds an update; fields of an earlier one win. */
export function addUpdate(all: Map<string, NoteUpdate>, update: NoteUpdate): void {
  const before = all.get(update.key);
  all.set(update.key, before ? { ...update, ...withoutUndefined(before) } : update);
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

/**
 * The current note: the update's fields, and the stored ones for the rest. What the API omits counts as unchanged: keys
 * of values, places in files, and sometimes types of fields and inherited tags. `now`: for dates such as `Tomorrow`.
 */
export function mergeNote(stored: Note | undefined, update: NoteUpdate, now?: number): Note {
  const before: Note = stored ?? { key: update.key, name: "", tags: [], fields: [], references: [] };
  const merged: Note = { ...before };
  if (update.name !== undefined) merged.name = update.name;
  if (update.text !== undefined) {
    const text = [leadingImage(before.text), update.text ?? ""].filter((part) => part !== "").join("\n\n");
    if (text === "") delete merged.text;
    else merged.text = text;
  }
  if (update.tags) {
    merged.tags = sameNames(before.tags, update.tags) ? before.tags : update.tags;
    // It is unknown which tag brought which ancestor.
    if (merged.tags.length === 0) delete merged.inherited;
    else if (before.inherited) merged.inherited = before.inherited.filter((tag) => !merged.tags.includes(tag));
  }
  if (update.inherited) {
    merged.inherited = update.inherited.filter((tag) => !merged.tags.includes(tag));
    if (merged.inherited.length === 0) delete merged.inherited;
    // A different order of the same ancestors is no change.
    else if (before.inherited && sameNames(before.inherited, merged.inherited)) merged.inherited = before.inherited;
  }
  if (update.fields) merged.fields = mergeFields(before.fields, update.fields, now);
  if (update.parent !== undefined) merged.parent = update.parent;
  if (update.order !== undefined) merged.order = update.order;
  if (update.references) merged.references = mergeReferences(before, merged, update);
  if (update.done === null) delete merged.done;
  else if (update.done !== undefined) merged.done = update.done;
  if (merged.created === undefined && update.created !== undefined) merged.created = update.created;
  if (update.changedSince !== undefined) merged.changed = Math.max(merged.changed ?? 0, update.changedSince);
  return merged;
}

/** The image at the beginning of a text, which the API's description omits. */
function leadingImage(text = ""): string {
  return /^!\[[^\]\n]*\]\([^)\s]*\)/.exec(text)?.[0] ?? "";
}

/** An unchanged text keeps its references; in a changed text only those of the update count. */
function mergeReferences(before: Note, merged: Note, update: NoteUpdate): string[] {
  const isSameText = before.name === merged.name && (before.text ?? "") === (merged.text ?? "");
  if (update.whole && !isSameText) return update.references!;
  return [...new Set([...before.references, ...update.references!])];
}

/**
 * Fields in stored order, new ones after them. A field without a value is removed; a field that the update omits stays.
 */
function mergeFields(stored: NoteField[], updates: NoteField[], now: number | undefined): NoteField[] {
  const byName = new Map(updates.map((field) => [field.name.toLowerCase(), field]));
  const merged: NoteField[] = [];
  for (const field of stored) {
    const update = byName.get(field.name.toLowerCase());
    byName.delete(field.name.toLowerCase());
    if (!update) merged.push(field);
    else if (update.values.length > 0) merged.push(mergeValues(field, update.values, now));
  }
  for (const field of byName.values()) if (field.values.length > 0) merged.push(mergeValues(field, field.values, now));
  return merged;
}

function mergeValues(field: NoteField, updates: NoteValue[], now: number | undefined): NoteField {
  const values = updates.map((value) => {
    const day = field.type === "date" && now !== undefined ? dayWritten(value.text, now) : undefined;
    const dated = day === undefined ? value : { ...value, text: day };
    return (
      field.values.find(({ text, note }) => text === dated.text && (!dated.note || !note || note === dated.note)) ??
      dated
    );
  });
  const isSame = values.length === field.values.length && values.every((value, at) => value === field.values[at]);
  return isSame ? field : { ...field, values };
}

function sameNames(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

/** Whether two notes are equal; the order of their properties does not matter. */
export function isSameNote(a: Note, b: Note): boolean {
  return sorted(a) === sorted(b);
}

function sorted(value: object): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** Words of the API for days near today. */
const words: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const datePattern = /^(?:[a-z]{3,9}, )?([a-z]{3})[a-z]* (\d{1,2})(?:, (\d{4}))?$/i;

/**
 * A date that the API formats for people, as `2026-03-15`: `Today`, `Mar 15`, `Sun, Mar 15, 2026`. It omits the current
 * year; days are local to Tana, which runs on this machine. Undefined for other formats.
 */
export function dayWritten(text: string, now: number): string | undefined {
  const today = new Date(now);
  const days = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (days !== undefined) return iso(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
  const [, month = "", day, year] = datePattern.exec(text) ?? [];
  const number = months.indexOf(month.toLowerCase());
  if (number < 0) return undefined;
  const date = new Date(Number(year ?? today.getFullYear()), number, Number(day));
  return date.getMonth() === number ? iso(date) : undefined;
}

function iso(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
