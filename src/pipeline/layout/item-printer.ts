import type { BlockState, Format } from "../../formats/format.ts";
import { isPlainNote } from "../../formats/notes.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { entryOf, placeOf, scopeOf } from "./entry.ts";
import type { PrintLevel } from "./print-level.ts";
import type { LayoutPart, Shown } from "./printed-parts.ts";

/** What is printed of one item. Memoised by print level: it does not depend on the other items. */
export type ItemPrinter = {
  /** Its own block: heading, imports, text. */
  block(shown: Shown, imports: string[], isFirst: boolean): LayoutPart[];
  /** A part of a file below the file's heading; `before` is the part printed before it. */
  span(shown: Shown, before?: Shown, isFirst?: boolean, state?: BlockState): LayoutPart;
  /** Where a one-line note is, unless the note before has printed it; undefined for a note with its own heading. */
  place(shown: Shown): LayoutPart | undefined;
  /** A line of a list, indented by its depth. */
  line(shown: Shown, depth: number): LayoutPart;
};

/**
 * Texts with their tokens. `partOf` memoises the count for this document; `ownPart`, for an item's own text, memoises
 * it across queries.
 */
export type CountedParts = {
  partOf(text: string, owner?: Shown): LayoutPart;
  ownPart(text: string, owner: Shown): LayoutPart;
};

type BlockParts = { head: LayoutPart; firstHead?: LayoutPart; body: LayoutPart; place?: LayoutPart };

export function itemPrinter(
  format: Format,
  request: Request,
  look: Look,
  { partOf, ownPart }: CountedParts,
): ItemPrinter {
  const blocks = new WeakMap<PrintLevel, BlockParts>();
  const variants = new WeakMap<PrintLevel, Map<string, LayoutPart>>();

  /** A part that is printed in several ways, depending on the parts around it. */
  function variant({ printLevel }: Shown, key: string, make: () => LayoutPart): LayoutPart {
    let cached = variants.get(printLevel);
    if (!cached) variants.set(printLevel, (cached = new Map()));
    let part = cached.get(key);
    if (!part) cached.set(key, (part = make()));
    return part;
  }

  function partsOf(shown: Shown): BlockParts {
    let parts = blocks.get(shown.printLevel);
    if (!parts) {
      const entry = entryOf(shown, request, look);
      parts = { head: ownPart(format.head(entry, false), shown), body: ownPart(format.body(entry), shown) };
      if (look.header && format.place && isPlainNote(entry))
        parts.place = partOf(format.place(placeOf(entry), (entry.distance ?? 0) === 0));
      blocks.set(shown.printLevel, parts);
    }
    return parts;
  }

  return {
    block(shown, imports, isFirst) {
      const parts = partsOf(shown);
      const head = isFirst
        ? (parts.firstHead ??= ownPart(format.head(entryOf(shown, request, look), true), shown))
        : parts.head;
      const between = imports.length > 0 ? [partOf(format.imports(imports, shown.unique.item.language), shown)] : [];
      return parts.body.text === "" ? [head, ...between] : [head, ...between, parts.body];
    },
    span(shown, before, isFirst = false, state = "open") {
      const scope = before === undefined ? undefined : scopeOf(before);
      const isSameScope = scope !== undefined && scope === scopeOf(shown);
      return variant(shown, `${isFirst} ${isSameScope} ${state}`, () => {
        const { scope: own, ...entry } = entryOf(shown, request, look);
        const scoped = isSameScope || own === undefined ? entry : { ...entry, scope: own };
        return ownPart(format.file.span(scoped, isFirst, state), shown);
      });
    },
    place: (shown) => partsOf(shown).place,
    line(shown, depth) {
      const { head } = partsOf(shown);
      if (depth === 0) return head;
      return variant(shown, String(depth), () => ownPart(format.indented!(head.text, depth), shown));
    },
  };
}
