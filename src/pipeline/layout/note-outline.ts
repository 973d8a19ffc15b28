import type { Shown } from "./printed-parts.ts";

/** Callbacks that write an outline. */
export type OutlineWriter = {
  add(text: string): void;
  /** The place of a one-line note; undefined for a note with its own heading. */
  placeOf(one: Shown): string | undefined;
  addBlock(one: Shown): void;
  /** A line of a list, indented by its depth. */
  addLine(one: Shown, depth: number): void;
};

/**
 * Writes notes below their headings: one-line notes as a list, each indented below the line that led to it. A list ends
 * with an empty line.
 */
export function noteOutline({ add, placeOf, addBlock, addLine }: OutlineWriter): {
  place(one: Shown): void;
  end(): void;
} {
  /** Ids of the lines above the next one, outermost first. */
  const list: string[] = [];
  let heading: string | undefined;
  let isOpen = false;
  const end = () => {
    if (isOpen) add("\n");
    isOpen = false;
    list.length = 0;
  };
  const place = (one: Shown) => {
    const { item, via = [] } = one.unique;
    const placeText = placeOf(one);
    if (placeText === undefined) {
      end();
      heading = item.id;
      addBlock(one);
      return;
    }
    const above = via[0]?.id ?? placeText;
    const isPlaced = above === heading || list.includes(above);
    // A note that was found directly is placed below its owner, a linked one below the note that led to it.
    if (!isPlaced && via.length === 0) {
      end();
      heading = above;
    }
    if (!isPlaced) add(placeText);
    if (!isPlaced && via.length > 0) list.splice(0, list.length, above);
    const depth = above === heading ? 0 : list.indexOf(above) + 1;
    list.length = depth;
    list[depth] = item.id;
    addLine(one, depth);
    isOpen = true;
  };
  return { place, end };
}
