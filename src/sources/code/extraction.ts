import type { ImportStatement, Kind, LinkKind } from "../../item.ts";

/**
 * The result of reading one file, before it becomes items: the contract between languages and indexing. Lines are
 * 1-based and inclusive.
 */
export type Extraction = {
  /** Display language, lower case: "python", "typescript", "markdown", "json". */
  language: string;
  /** Kind of the whole file. */
  kind: Extract<Kind, "file" | "document" | "config">;
  /** The file's own doc comment or first paragraph. */
  doc?: string;
  /** The title of a page, if its metadata has one. */
  title?: string;
  units: Unit[];
  imports: ImportStatement[];
  /** Text outside all units, and its references. */
  rest: OwnText;
  references: Reference[];
};

/**
 * A function, class, section...: something that can be printed alone. Methods, inner classes and longer inner functions
 * are units.
 */
export type Unit = {
  kind: Kind;
  name: string;
  /** The qualified name without the path: `Outer.inner`. For sections, with the headings above: `Guide > Install`. */
  qualified: string;
  /** Index in `units` of the enclosing unit. */
  parent?: number;
  /** A function inside a function: its text is also part of the outer one's. */
  inner?: true;
  /**
   * Not searched as text: a field, or lines without meaning of their own. Its text belongs to the enclosing unit or the
   * file.
   */
  unsearched?: true;
  /** A test by its syntax, in any file. */
  test?: true;
  /** The span includes decorators and the doc comment above. */
  startLine: number;
  endLine: number;
  signature?: string;
  doc?: string;
  /** The unit's own text by field, without that of nested units. */
  own: OwnText;
  references: Reference[];
  /**
   * For types: `broker@base.Broker` for each field of known type, `@Type` for an alias, `Close@` for an interface's
   * method that is only a field among the items.
   */
  declares?: string[];
};

export type OwnText = { comment: string; string: string; code: string };
/** `receiver`: the expression before the name, see receivers.ts: `shop.basket` of `shop.basket.total()`. */
export type Reference = {
  kind: Extract<LinkKind, "calls" | "references" | "extends" | "implements">;
  name: string;
  receiver?: string;
};
