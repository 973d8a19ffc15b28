import type { Shown } from "./printed-parts.ts";

/** What an outline is written with. */
export type OutlineWriter = {
  add(text: string): void;
  /** Where a note that is but a line stands; undefined for a note with a heading of its own. */
  standing(one: Shown): string | undefined;
  addBlock(one: Shown): void;
  /** A line of a list, as deep as it stands. */
  addLine(one: Shown, depth: number): void;
};

/** Notes below their headings: lines as a list, each indented below the line that led to it. A list ends with an empty line. */
export function noteOutline({ add, standing, addBlock, addLine }: OutlineWriter): {
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
    const where = standing(one);
    if (where === undefined) {
      end();
      heading = item.id;
      addBlock(one);
      return;
    }
    const above = via[0]?.id ?? where;
    const isKnown = above === heading || list.includes(above);
    // Found directly, it stands below what owns it; reached by links, below what led to it.
    if (!isKnown && via.length === 0) {
      end();
      heading = above;
    }
    if (!isKnown) add(where);
    if (!isKnown && via.length > 0) list.splice(0, list.length, above);
    const depth = above === heading ? 0 : list.indexOf(above) + 1;
    list.length = depth;
    list[depth] = item.id;
    addLine(one, depth);
    isOpen = true;
  };
  return { place, end };
}
