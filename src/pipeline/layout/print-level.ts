import type { Level } from "../../item.ts";

/** One way to print an item. */
export type PrintLevel = {
  level: Level;
  text: string;
  /** First sentence of the doc comment, where the text is only a signature. */
  doc?: string;
  /** Imports that the text uses. */
  imports: string[];
  /** True when the text contains context lines around the item's own lines. */
  context?: boolean;
  /** For each line of the text, its index among the item's lines; absent if the text has all of them in order. */
  lines?: (number | undefined)[];
  /** The longer text that this one was cut from, where many cuts are tried. */
  within?: { text: string };
  /** Where the rest is, when the text was cut to its item's share: "see full at src/a.ts:12". */
  rest?: string;
  /** The share of the item's worth that this level has, 0..1. */
  utility: number;
};
