import type { NoteField } from "../../note.ts";
import type { NoteFacts } from "../../stores/graph.ts";

/** Names for the same thing: when something is due. The first that a note has counts. */
const sameThing: readonly (readonly string[])[] = [["due", "due date", "duedate", "deadline", "due on"]];

/** "Blocked by", "blocked-by" and "blocked_by" are one field. */
export function foldField(name: string): string {
  return name
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
}

/** The names under which a field is searched, the given one first. */
export function namesOf(field: string): string[] {
  const name = foldField(field);
  const group = sameThing.find((names) => names.includes(name)) ?? [];
  return [name, ...group.filter((each) => each !== name)];
}

/** Properties that every note has besides its fields: name, times, checkbox. */
const everyNote = new Set(["name", "created", "changed", "updated", "done"]);

export function isOfEveryNote(field: string): boolean {
  return everyNote.has(foldField(field));
}

/** The field of a note under one of these names; else the note's own property of that name. */
export function fieldOf(note: NoteFacts, names: readonly string[]): NoteField | undefined {
  for (const name of names) {
    const same = note.fields.filter((field) => foldField(field.name) === name && field.values.some(isSaid));
    if (same.length === 1) return same[0];
    if (same.length > 1) return { ...same[0]!, values: same.flatMap(({ values }) => values) };
  }
  return ownField(note, names[0]!);
}

function isSaid({ text }: { text: string }): boolean {
  return text.trim() !== "";
}

function ownField({ name: called, created, changed, done }: NoteFacts, name: string): NoteField | undefined {
  const time =
    name === "created" ? created : name === "changed" || name === "updated" ? (changed ?? created) : undefined;
  if (time !== undefined && Math.abs(time) <= 8.64e15) {
    return { name, type: "date", values: [{ text: new Date(time).toISOString() }] };
  }
  if (name === "name" && called !== "") return { name, type: "text", values: [{ text: called }] };
  if (name === "done" && done !== undefined) return { name, type: "checkbox", values: [{ text: String(done) }] };
  return undefined;
}
