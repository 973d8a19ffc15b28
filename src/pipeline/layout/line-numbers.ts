import { ownSpan, type Unique } from "../unique.ts";
import type { PrintLevel } from "./print-level.ts";

/** The number on disk of every printed line; none for marks of what was left out and for what closes a cut. */
export function lineNumbers(unique: Unique, { text, context, lines }: PrintLevel): (number | undefined)[] {
  if (text === "") return [];
  const first = context ? unique.startLine : ownSpan(unique).startLine;
  const printed = lines ?? text.split("\n").map((_, i) => i);
  return printed.map((line) => (line === undefined ? undefined : first + line));
}
