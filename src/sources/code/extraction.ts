import type { ImportStatement, Kind, LinkKind } from "../../item.ts";

/** What reading one file yields, before it becomes items: the contract between languages and indexing. Lines are 1-based and inclusive. */
export type Extraction = {
  /** Display language, lower case: "python", "typescript", "markdown", "json". */
  language: string;
  /** What the whole file is. */
  kind: Extract<Kind, "file" | "document" | "config">;
  /** The file's own doc comment or first paragraph. */
  doc?: string;
  units: Unit[];
  imports: ImportStatement[];
  /** Text of the file that no unit covers, and what it refers to. */
  rest: OwnText;
  references: Reference[];
};

/** A function, class, section...: one that can be printed alone. Methods, inner classes and functions of some length inside others are units. */
export type Unit = {
  kind: Kind;
  name: string;
  /** Without the path: `Outer.inner`. For sections, the headings above: `Guide > Install`. */
  qualified: string;
  /** Index in `units` of the unit that contains it. */
  parent?: number;
  /** A function inside a function: its own text is part of that one's own text too. */
  inner?: true;
  /** Not searched as text: a field, or lines that say nothing by themselves. Its text is that of the unit around it, or the file's. */
  unsearched?: true;
  /** A test by its syntax, whatever the file it is in. */
  test?: true;
  /** Decorators and the doc comment above are part of the span. */
  startLine: number;
  endLine: number;
  signature?: string;
  doc?: string;
  /** The unit's own text by field, without that of the units inside it. */
  own: OwnText;
  references: Reference[];
};

export type OwnText = { comment: string; string: string; code: string };
/** `receiver`: what stands before the name, see receivers.ts: `shop.basket` of `shop.basket.total()`. */
export type Reference = {
  kind: Extract<LinkKind, "calls" | "references" | "extends" | "implements">;
  name: string;
  receiver?: string;
};
