import type { Format } from "../../formats/format.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { ItemPrinter } from "./item-printer.ts";
import type { LayoutPart, Shown } from "./printed-parts.ts";

/** The document that is being laid out. */
export type LaidPage = {
  request: Request;
  look: Look;
  format: Format;
  printer: ItemPrinter;
  /** Whether sections have headings. */
  hasSections: boolean;
  sectionOf(rank: number): number;
  parts: LayoutPart[];
  /** Adds a text that belongs to no item. An empty one adds nothing. */
  add(text: string): void;
  /** Adds a text that belongs to an item. */
  addFor(owner: Shown, text: string): void;
};
