import type { Unique } from "../unique.ts";
import type { PrintLevel } from "./print-level.ts";

/** An item, its place in the ranking, and how it is printed. */
export type Shown = { rank: number; unique: Unique; printLevel: PrintLevel };

/** A part of the document that is counted separately; `owner` is the item it belongs to. */
export type LayoutPart = { text: string; tokens: number; owner?: Shown };

/**
 * A whole document. `tokens` is the sum of its parts, which equals the count of the joined text. `linked`: the tokens
 * of items reached by links.
 */
export type Layout = { parts: LayoutPart[]; tokens: number; linked: number };

export type LeftCounts = { forDiversity: number; alreadySent: number; unworthy: number };
