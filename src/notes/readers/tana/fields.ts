import type { NoteField, NoteValue } from "../../../note.ts";
import { oneLine } from "../../../text/one-line.ts";
import type { Docs } from "./docs.ts";
import { inlineMarkdown } from "./html.ts";
import { mentionsIn, type TanaNames } from "./names.ts";
import { isFieldTuple, isShownLabel, type TanaOutline } from "./outline.ts";
import { systemFields, systemValues } from "./system.ts";
import type { Statements } from "./tuples.ts";

/** Fields of a doc; `mentions`: ids and dates inside values that are not the value itself. */
type TanaFields = { fields: NoteField[]; mentions: { ids: string[]; dates: string[] } };

export type FieldReader = {
  of(number: number): TanaFields;
  /** The name of the field that a doc is a value of; empty for other docs. */
  fieldOf(value: number): string;
  /** Number of values that are not in the export. */
  missing(): number;
  /** The journal's note of a date, if there is one. */
  dayOf(date: string): number | undefined;
};

/** A field that is defined in another workspace has values, but no name. */
const unnamed = "Unnamed field";

export function fieldsOf(docs: Docs, statements: Statements, outline: TanaOutline, names: TanaNames): FieldReader {
  const labels = new Map<number, string>();
  const days = daysOf(docs, statements, outline);
  let missing = 0;

  function dayOf(date: string): number | undefined {
    return days.get(date) ?? days.get(date.slice(0, "2025-12-31".length));
  }

  function labelOf(label: number): string {
    const cached = labels.get(label);
    if (cached !== undefined) return cached;
    const name = (systemFields.get(docs.ids[label]!)?.name ?? names.name(label)) || unnamed;
    labels.set(label, name);
    return name;
  }

  function fieldOf(value: number): string {
    const tuple = docs.owner[value]!;
    const label = tuple >= 0 && docs.kind[tuple] === "tuple" ? docs.children[tuple]![0] : undefined;
    return label === undefined || !isShownLabel(docs, label) ? "" : labelOf(label);
  }

  function of(number: number): TanaFields {
    const byName = new Map<string, NoteField>();
    const mentions: TanaFields["mentions"] = { ids: [], dates: [] };
    for (const tuple of inOrder(docs, number, statements.fields.get(number) ?? [])) {
      const [label, ...children] = docs.children[tuple]!;
      if (label === undefined || !isFieldTuple(docs, statements, tuple) || !isShownLabel(docs, label)) continue;
      const name = labelOf(label);
      const type = statements.types.get(label) ?? systemFields.get(docs.ids[label]!)?.type;
      const field = byName.get(name) ?? { name, ...(type && { type }), values: [] };
      for (const child of children) {
        const value = readValue(child, mentions);
        if (value) field.values.push(value);
      }
      if (field.values.length > 0) byName.set(name, field);
    }
    return { fields: [...byName.values()], mentions };
  }

  function readValue(value: number, mentions: TanaFields["mentions"]): NoteValue | undefined {
    const kind = docs.kind[value]!;
    if (kind === "missing") {
      const text = systemValues.get(docs.ids[value]!);
      if (text === undefined && !docs.ids[value]!.startsWith("SYS_")) missing++;
      return text === undefined ? undefined : { text };
    }
    if (kind === "tuple" || kind === "metanode" || kind === "machinery" || outline.inTrash(value)) return undefined;
    const { name, rest } = names.lines(value);
    const text = rest === "" ? name : oneLine(`${name} ${rest}`);
    if (outline.isNote[value]) return { text: text || fieldOf(value), note: docs.ids[value]! };
    if (isThrownAway(docs.name[value] ?? "")) return undefined;
    const note = onlyMention(docs.name[value] ?? "", mentions);
    if (text === "") return undefined;
    return note === undefined ? { text } : { text, note: docs.ids[note]! };
  }

  /** A value that is nothing but a reference to something in the trash. */
  function isThrownAway(html: string): boolean {
    const { ids, dates } = mentionsIn(html);
    if (ids.length !== 1 || dates.length > 0 || inlineMarkdown(html).trim() !== "") return false;
    const target = docs.numbers.get(ids[0]!);
    return target !== undefined && outline.inTrash(target);
  }

  /** The note that a value refers to and is nothing else; other references are added to the mentions. */
  function onlyMention(html: string, mentions: TanaFields["mentions"]): number | undefined {
    const { ids, dates } = mentionsIn(html);
    if (ids.length + dates.length === 1 && inlineMarkdown(html).trim() === "") {
      const target = ids[0] === undefined ? dayOf(dates[0]!) : docs.numbers.get(ids[0]);
      if (target !== undefined && outline.isNote[target]) return target;
    }
    for (const id of ids) mentions.ids.push(id);
    for (const date of dates) mentions.dates.push(date);
    return undefined;
  }

  return { of, fieldOf, missing: () => missing, dayOf };
}

/** Tuples in the order of their owner's list; unlisted ones come last. */
function inOrder(docs: Docs, number: number, tuples: number[]): number[] {
  if (tuples.length < 2) return tuples;
  const places = new Map(docs.children[number]!.map((child, place) => [child, place]));
  const place = (tuple: number) => places.get(tuple) ?? Number.MAX_SAFE_INTEGER;
  return [...tuples].sort((one, other) => place(one) - place(other));
}

/** Notes of the journal by date. */
function daysOf(docs: Docs, statements: Statements, outline: TanaOutline): Map<string, number> {
  const days = new Map<string, number>();
  for (const [note, value] of statements.dates) {
    const [date] = mentionsIn(docs.name[value]).dates;
    if (date !== undefined && outline.isNote[note]) days.set(date, note);
  }
  return days;
}
