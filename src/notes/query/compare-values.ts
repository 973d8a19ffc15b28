import type { FieldType, NoteValue } from "../../note.ts";
import { type DateInterval, dateAsked, dateOf } from "./dates.ts";

/** A value in comparable form: a time, a number, a boolean, or words. */
export type Compared =
  | { kind: "date"; date: DateInterval }
  | { kind: "number"; number: number }
  | { kind: "text"; text: string };

const plainNumber = /^[-+]?(?:\d{1,17}(?:\.\d{1,17})?|\.\d{1,17})$/;
const grouped = /^[-+]?\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?:\.\d{1,17})?$/;
const longestNumber = 60;

/** `1,200`, `$5`, `30 %` and `1200.5` are numbers; a text with other words is not. */
export function numberOf(value: string): number | undefined {
  if (value.length > longestNumber) return undefined;
  const text = value
    .trim()
    .replace(/^([-+]?)\s*[$€£¥]\s*/, "$1")
    .replace(/\s*(?:[$€£¥%])$/, "");
  if (plainNumber.test(text)) return Number(text);
  return grouped.test(text) ? Number(text.replace(/[,\u00a0\u202f' ]/g, "")) : undefined;
}

/** Words in comparable form: without case, extra spaces and the marks of links and tags. */
export function folded(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/^#?\[\[(.*)\]\]$/s, "$1")
    .replace(/^#(?=\S+$)/, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

const yes = new Set(["true", "yes", "1", "checked", "x", "on"]);
const no = new Set(["false", "no", "0", "unchecked", "off"]);

/** The boolean that the word of a checkbox means. */
function checkedState(text: string): boolean | undefined {
  const word = folded(text);
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** A value by the type of its field, else by its form. */
export function comparedOf({ text }: NoteValue, type: FieldType | undefined): Compared {
  // A year alone is a number, unless the field is a date.
  const date = type === "number" || (type !== "date" && /^\d{4}$/.test(text.trim())) ? undefined : dateOf(text);
  if (date) return { kind: "date", date };
  const number = type === "text" && /^0\d/.test(text) ? undefined : numberOf(text);
  return number === undefined ? { kind: "text", text: folded(text) } : { kind: "number", number };
}

/** The operand in all its possible readings. */
export type Operand = { text: string; date?: DateInterval; number?: number; truth?: boolean };

export function operandOf(text: string, now: number): Operand {
  const [date, number, truth] = [dateAsked(text, now), numberOf(text), checkedState(text)];
  return {
    text: folded(text),
    ...(date && { date }),
    ...(number !== undefined && { number }),
    ...(truth !== undefined && { truth }),
  };
}

/** Whether a value equals the operand; a time equals another that contains it. */
export function equals(value: NoteValue, type: FieldType | undefined, operand: Operand): boolean {
  const compared = comparedOf(value, type);
  if (compared.kind === "date" && operand.date) return isWithin(compared.date, operand.date);
  if (compared.kind === "number" && operand.number !== undefined) return compared.number === operand.number;
  const truth = type === "checkbox" ? checkedState(value.text) : undefined;
  if (truth !== undefined && operand.truth !== undefined) return truth === operand.truth;
  return folded(value.text) === operand.text || (value.note !== undefined && value.note === operand.text);
}

function isWithin(a: DateInterval, b: DateInterval): boolean {
  return (a.from >= b.from && a.to <= b.to) || (b.from >= a.from && b.to <= a.to);
}

/**
 * Whether a value is before or after the operand; undefined where the two cannot be compared. Intervals are ordered
 * only when they do not overlap.
 */
export function compares(
  value: NoteValue,
  type: FieldType | undefined,
  operator: "<" | "<=" | ">" | ">=",
  operand: Operand,
): boolean | undefined {
  const compared = comparedOf(value, type);
  if (operand.date && compared.kind === "date") {
    const { date } = compared;
    const bound = operand.date;
    if (operator === "<") return date.to <= bound.from;
    if (operator === "<=") return date.to <= bound.to;
    return operator === ">" ? date.from >= bound.to : date.from >= bound.from;
  }
  if (operand.number !== undefined && compared.kind === "number") {
    return isOrdered(compared.number - operand.number, operator);
  }
  // A date and a word, or a number and a date, have no order; two words are ordered alphabetically.
  if (operand.date || operand.number !== undefined || compared.kind !== "text") return undefined;
  return isOrdered(compared.text < operand.text ? -1 : compared.text > operand.text ? 1 : 0, operator);
}

function isOrdered(difference: number, operator: "<" | "<=" | ">" | ">="): boolean {
  if (operator === "<") return difference < 0;
  if (operator === "<=") return difference <= 0;
  return operator === ">" ? difference > 0 : difference >= 0;
}
