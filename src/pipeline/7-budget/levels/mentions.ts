import { isProse } from "../../../item.ts";
import { ownSpan, type Unique } from "../../unique.ts";
import type { PrintOption } from "./print-options.ts";

/** Whether a text only mentions a literal of the question: its name and its first line are about another subject. */
export function isMention(unique: Unique): boolean {
  const { item, signals, focus, wantedLevel } = unique;
  if (signals.literal === undefined || !isProse(item) || focus === undefined || wantedLevel !== undefined) return false;
  return focus.every(({ startLine }) => startLine > ownSpan(unique).startLine);
}

/**
 * Tokens. A section of a manual or a changelog that mentions an option once is about other subjects: the lines around
 * the name are enough.
 */
const longMention = 300;

/** The print options of a mention, without the whole text if that is long. */
export function withoutLongWhole(options: PrintOption[]): PrintOption[] {
  const isLong = ({ printLevel, cost }: PrintOption) => printLevel.level === "full" && cost > longMention;
  const isElided = ({ printLevel }: PrintOption) => printLevel.level === "elided";
  return options.some(isElided) ? options.filter((each) => !isLong(each)) : options;
}
