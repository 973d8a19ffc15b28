import type { Level } from "../../item.ts";

/** One way to print an item. */
export type PrintLevel = {
  level: Level;
  text: string;
  /** First sentence of the doc comment, where the text is only a signature. */
  doc?: string;
  /** Imports that the text uses. */
  imports: string[];
  /** True when the text has the context lines around the item's own lines. */
  context?: boolean;
  /** Which of the item's lines each line of the text is, counted from 0, where these are not all of them in order. */
  lines?: (number | undefined)[];
  /** The text that all lines are taken from, where this is one of many cuts that are tried. */
  within?: { text: string };
  /** Where the rest is, when the text was cut to its item's share: "see full at src/a.ts:12". */
  rest?: string;
  /** What the reader has of the item, 0..1. */
  utility: number;
};
