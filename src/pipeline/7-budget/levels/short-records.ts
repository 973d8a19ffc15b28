import { sourceTraits } from "../../../item.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import type { Unique } from "../../unique.ts";
import { ownPrintable } from "./print-levels.ts";
import type { PrintOption } from "./print-options.ts";

/** Fields of an experience that its short form keeps: the goal, the result, and what to do next time. */
const keptFields = /^(?:Goal|Outcome|Surprise|Lesson): (?=.)/;
/**
 * Labels that a reader does not need: the goal comes first, and the text of an outcome contains "confirmed" or
 * "falsified".
 */
const plainLabels = /^(?:Goal|Outcome): /;

/** Close to the value of the whole record, so that spare room goes to further records before it goes to longer ones. */
const utility = 0.9;

/**
 * The short form of a record, for a list of many: a memory or value without its facts, an experience without what was
 * tried. Undefined for text of several lines, which would lose its layout.
 */
export function shortRecord(unique: Unique): PrintLevel | undefined {
  const lines = ownPrintable(unique).split("\n");
  const hasFields = sourceTraits[unique.item.source].short === "fields";
  const kept = hasFields ? lines.filter((line) => keptFields.test(line)) : lines;
  if (kept.length === 0 || (!hasFields && kept.length > 1)) return undefined;
  return {
    level: "signature",
    text: kept.map((line) => line.replace(plainLabels, "")).join("; "),
    imports: [],
    utility,
  };
}

export function isShortRecord({ unique, printLevel }: Pick<PrintOption, "unique" | "printLevel">): boolean {
  return printLevel.level === "signature" && sourceTraits[unique.item.source].short !== undefined;
}
