import type { FieldType, NoteValue } from "../../note.ts";
import { type DateInterval, dateAsked, dateOf } from "./dates.ts";

/** A value as it is compared: as a time, a number, yes or no, or its words. */
export type Compared =
  | { kind: "date"; date: DateInterval }
  | { kind: "number"; number: number }
  | { kind: "text"; text: string };

const plainNumber = /^[-+]?(?:\d{1,17}(?:\.\d{1,17})?|\.\d{1,17})$/;
const grouped = /^[-+]?\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?:\.\d{1,17})?$/;
const longestNumber = 60;

/** `1,200`, `$5`, `30 %` and `1200.5` are numbers; whatever has other words is not. */
export function numberOf(value: string): number | undefined {
  if (value.length > longestNumber) return undefined;
  const text = value
    .trim()
    .replace(/^([-+]?)\s*[$€£¥]\s*/, "$1")
    .replace(/\s*(?:[$€£¥%])$/, "");
  if (plainNumber.test(text)) return Number(text);
  return grouped.test(text) ? Number(text.replace(/[,\u00a0\u202f' ]/g, "")) : undefined;
}

/** Words as they are compared: without case, surplus blanks and what marks a link or a tag. */
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

/** What a checkbox says, where the words are one of those that say it. */
function truthOf(text: string): boolean | undefined {
  const word = folded(text);
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** A value by what it is: the field's type where that says it, else by how it is written. */
export function comparedOf({ text }: NoteValue, type: FieldType | undefined): Compared {
  // A year alone is a number, unless the field is one of dates.
  const date = type === "number" || (type !== "date" && /^\d{4}$/.test(text.trim())) ? undefined : dateOf(text);
  if (date) return { kind: "date", date };
  const number = type === "text" && /^0\d/.test(text) ? undefined : numberOf(text);
  return number === undefined ? { kind: "text", text: folded(text) } : { kind: "number", number };
}

/** What is compared with, in all the ways in which it can be read. */
export type Operand = { text: string; date?: DateInterval; number?: number; truth?: boolean };

export function operandOf(written: string, now: number): Operand {
  const [date, number, truth] = [dateAsked(written, now), numberOf(written), truthOf(written)];
  return {
    text: folded(written),
    ...(date && { date }),
    ...(number !== undefined && { number }),
    ...(truth !== undefined && { truth }),
  };
}

/** Whether a value is what is asked for: of two times one lies within the other. */
export function equals(value: NoteValue, type: FieldType | undefined, operand: Operand): boolean {
  const compared = comparedOf(value, type);
  if (compared.kind === "date" && operand.date) return isWithin(compared.date, operand.date);
  if (compared.kind === "number" && operand.number !== undefined) return compared.number === operand.number;
  const truth = type === "checkbox" ? truthOf(value.text) : undefined;
  if (truth !== undefined && operand.truth !== undefined) return truth === operand.truth;
  return folded(value.text) === operand.text || (value.note !== undefined && value.note === operand.text);
}

function isWithin(a: DateInterval, b: DateInterval): boolean {
  return (a.from >= b.from && a.to <= b.to) || (b.from >= a.from && b.to <= a.to);
}

/**
 * Whether a value comes before or after what is asked for; undefined where the two cannot be compared. A time is before another one that
 * begins when it has ended, and after one that has ended when it begins.
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
  // A date with a word, or a number with a date, have no order; two words have that of the alphabet.
  if (operand.date || operand.number !== undefined || compared.kind !== "text") return undefined;
  return isOrdered(compared.text < operand.text ? -1 : compared.text > operand.text ? 1 : 0, operator);
}

function isOrdered(difference: number, operator: "<" | "<=" | ">" | ">="): boolean {
  if (operator === "<") return difference < 0;
  if (operator === "<=") return difference <= 0;
  return operator === ">" ? difference > 0 : difference >= 0;
}
