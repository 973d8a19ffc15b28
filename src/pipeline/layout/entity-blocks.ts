import { isPointer } from "./entry.ts";
import { freshImports } from "./layout-parts.ts";
import { noteOutline } from "./note-outline.ts";
import type { LaidPage } from "./page.ts";
import type { Shown } from "./printed-parts.ts";

/**
 * Adds one block for each item, in this order, below the headings of the sections. `firstPointer` is -1 if pointers
 * have no list of their own.
 */
export function addEntityBlocks(page: LaidPage, order: readonly Shown[], firstPointer: number): void {
  const { format, look, printer } = page;
  const printedImports = new Map<string, Set<string>>();
  const outline = look.header && format.indented ? outlineOn(page) : undefined;
  let section: number | undefined;
  let placedBelow: string | undefined;
  order.forEach((shown, index) => {
    if (index === firstPointer) {
      outline?.end();
      page.add(format.pointersOpening?.(order.length - firstPointer) ?? "");
    }
    const next = page.sectionOf(shown.rank);
    if (page.hasSections && next !== section) {
      if (section !== undefined) page.add(format.groupClosing);
      page.add(format.groupOpening(look.sections[next]!.title, section === undefined));
      section = next;
    }
    if (outline && !isPointer(shown)) {
      outline.place(shown);
      return;
    }
    if (look.header && !isPointer(shown)) {
      const place = printer.place(shown);
      const above = shown.unique.via?.[0]?.id ?? place?.text;
      if (place && above !== placedBelow) page.parts.push(place);
      placedBelow = place ? above : shown.unique.item.id;
    }
    // Some formats separate items by commas, so they must know the first of each list.
    const isFirst = index === 0 || index === firstPointer;
    page.parts.push(...printer.block(shown, freshImports(shown, printedImports), isFirst));
  });
  outline?.end();
  if (look.header && firstPointer < 0) page.add(format.pointersOpening?.(0) ?? "");
  if (section !== undefined) page.add(format.groupClosing);
}

function outlineOn(page: LaidPage): ReturnType<typeof noteOutline> {
  const { parts, printer } = page;
  return noteOutline({
    add: page.add,
    placeOf: (shown) => printer.place(shown)?.text,
    addBlock: (shown) => parts.push(...printer.block(shown, [], false)),
    addLine: (shown, depth) => parts.push(printer.line(shown, depth)),
  });
}
