import type { NoteFacts } from "../../stores/graph.ts";
import { type Compared, comparedOf } from "./compare-values.ts";
import { fieldOf, namesOf } from "./fields.ts";

export type Sort = { field: string; names: string[]; isDescending: boolean };

/** `due`, `-due`, `due desc`. */
export function parseSort(input: string): Sort {
  const text = input.trim();
  const [, word, direction] = /^(.+?)\s+(asc|ascending|desc|descending)$/i.exec(text) ?? [];
  const isMinus = /^-(?=.)/.test(text);
  const field = (word ?? text.replace(/^[-+](?=.)/, "")).trim();
  const isDescending = direction === undefined ? isMinus : /^desc/i.test(direction);
  return { field, names: namesOf(field), isDescending };
}

/** The sort key of a note: undefined where it has no such field; such notes come last in both directions. */
export function sortKey(note: NoteFacts, { names, isDescending }: Sort): Compared | undefined {
  const field = fieldOf(note, names);
  if (!field) return undefined;
  const keys = field.values.map((value) => comparedOf(value, field.type));
  // Of several values the one that sorts first.
  return keys.reduce((best, key) => (compareKeys(key, best) < 0 !== isDescending ? key : best));
}

const ranks = { date: 0, number: 1, text: 2 };

function compareKeys(a: Compared, b: Compared): number {
  if (a.kind === "date" && b.kind === "date") return a.date.from - b.date.from || a.date.to - b.date.to;
  if (a.kind === "number" && b.kind === "number") return a.number - b.number;
  if (a.kind === "text" && b.kind === "text") return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  return ranks[a.kind] - ranks[b.kind];
}

/** Notes with a key before those without, in both directions. */
export function byKey(a: Compared | undefined, b: Compared | undefined, isDescending: boolean): number {
  if (!a || !b) return Number(a === undefined) - Number(b === undefined);
  // Kinds stay apart in both directions: dates before numbers before words.
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  return isDescending ? -compareKeys(a, b) : compareKeys(a, b);
}
