import type { Note, NoteField, NoteValue } from "../../note.ts";
import { dayWritten } from "./dates.ts";

/** What the API told of a note. What is absent was not told; `null` means that there is none. */
export type MergedAnswers = {
  key: string;
  name?: string;
  text?: string | null;
  tags?: string[];
  /** All that its tags inherit from. */
  inherited?: string[];
  fields?: NoteField[];
  parent?: string;
  order?: number;
  references?: string[];
  done?: boolean | null;
  created?: number;
  /** A moment after which it was changed. */
  changedSince?: number;
  /** It was read whole: what it refers to is all that there is. */
  whole?: boolean;
};

/** Adds what is told once more; what was told first stays. */
export function tell(all: Map<string, MergedAnswers>, told: MergedAnswers): void {
  const before = all.get(told.key);
  all.set(told.key, before ? { ...told, ...withoutUndefined(before) } : told);
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

/**
 * The note as it is now: what was told, and for the rest what is known of it. The API does not tell keys of values and places in files, and
 * not always types of fields and inherited tags; what it does not mention is taken to be as it was. `now`: for dates that it writes as `Tomorrow`.
 */
export function mergeNote(known: Note | undefined, told: MergedAnswers, now?: number): Note {
  const before: Note = known ?? { key: told.key, name: "", tags: [], fields: [], references: [] };
  const merged: Note = { ...before };
  if (told.name !== undefined) merged.name = told.name;
  if (told.text !== undefined) {
    const text = [untold(before.text), told.text ?? ""].filter((part) => part !== "").join("\n\n");
    if (text === "") delete merged.text;
    else merged.text = text;
  }
  if (told.tags) {
    merged.tags = sameNames(before.tags, told.tags) ? before.tags : told.tags;
    // Which tag brought which inherited one is not known here.
    if (merged.tags.length === 0) delete merged.inherited;
    else if (before.inherited) merged.inherited = before.inherited.filter((tag) => !merged.tags.includes(tag));
  }
  if (told.inherited) {
    merged.inherited = told.inherited.filter((tag) => !merged.tags.includes(tag));
    if (merged.inherited.length === 0) delete merged.inherited;
    // The order in which the same ones are told says nothing.
    else if (before.inherited && sameNames(before.inherited, merged.inherited)) merged.inherited = before.inherited;
  }
  if (told.fields) merged.fields = mergeFields(before.fields, told.fields, now);
  if (told.parent !== undefined) merged.parent = told.parent;
  if (told.order !== undefined) merged.order = told.order;
  if (told.references) merged.references = mergeReferences(before, merged, told);
  if (told.done === null) delete merged.done;
  else if (told.done !== undefined) merged.done = told.done;
  if (merged.created === undefined && told.created !== undefined) merged.created = told.created;
  if (told.changedSince !== undefined) merged.changed = Math.max(merged.changed ?? 0, told.changedSince);
  return merged;
}

/** The image at the beginning of a text: the API tells of descriptions only. */
function untold(text = ""): string {
  return /^!\[[^\]\n]*\]\([^)\s]*\)/.exec(text)?.[0] ?? "";
}

/** References of a text that is as it was are as they were; of another text only those count that are in it. */
function mergeReferences(before: Note, merged: Note, told: MergedAnswers): string[] {
  const isSameText = before.name === merged.name && (before.text ?? "") === (merged.text ?? "");
  if (told.whole && !isSameText) return told.references!;
  return [...new Set([...before.references, ...told.references!])];
}

/** Fields in the order in which they were known, new ones after them. A field without a value is gone; one that is not told of stays. */
function mergeFields(known: NoteField[], told: NoteField[], now: number | undefined): NoteField[] {
  const byName = new Map(told.map((field) => [field.name.toLowerCase(), field]));
  const merged: NoteField[] = [];
  for (const field of known) {
    const told = byName.get(field.name.toLowerCase());
    byName.delete(field.name.toLowerCase());
    if (!told) merged.push(field);
    else if (told.values.length > 0) merged.push(mergeValues(field, told.values, now));
  }
  for (const field of byName.values()) if (field.values.length > 0) merged.push(mergeValues(field, field.values, now));
  return merged;
}

function mergeValues(field: NoteField, told: NoteValue[], now: number | undefined): NoteField {
  const values = told.map((value) => {
    const day = field.type === "date" && now !== undefined ? dayWritten(value.text, now) : undefined;
    const read = day === undefined ? value : { ...value, text: day };
    return (
      field.values.find(({ text, note }) => text === read.text && (!read.note || !note || note === read.note)) ?? read
    );
  });
  const isSame = values.length === field.values.length && values.every((value, at) => value === field.values[at]);
  return isSame ? field : { ...field, values };
}

function sameNames(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

/** Whether two notes say the same; the order in which properties were set says nothing. */
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
