import { isInFile } from "../../item.ts";
import { isPointer } from "./entry.ts";
import type { Shown } from "./printed-parts.ts";

/** Items of one file that are printed together, or a single record. */
export type FileBlock = { path?: string; spans: Shown[] };

/** One section of the document: its blocks, and items that are only named. */
export type SectionGroup = { section: number; blocks: FileBlock[]; pointers: Shown[] };

/** Whether an item was asked for and so comes first in its file; the other items of the file are in source order. */
export type Leading = (shown: Shown) => boolean;

/**
 * Groups items by section and file. Sections and files are in the order of their best item, the parts of a file in the
 * order of their lines.
 */
export function arrange(shown: readonly Shown[], sectionOf: (rank: number) => number, leads: Leading): SectionGroup[] {
  const groups = new Map<number, SectionGroup>();
  const files = new Map<string, FileBlock>();
  for (const one of [...shown].sort((a, b) => a.rank - b.rank)) {
    const section = sectionOf(one.rank);
    let group = groups.get(section);
    if (!group) groups.set(section, (group = { section, blocks: [], pointers: [] }));
    const { item, freshness } = one.unique;
    if (isPointer(one)) group.pointers.push(one);
    else if (!isInFile(item.source)) group.blocks.push({ spans: [one] });
    else {
      // Stored text of a deleted file is not mixed with current text.
      const key = `${section} ${freshness === "stored"} ${item.path}`;
      const block = files.get(key);
      if (block) block.spans.push(one);
      else {
        const block = { path: item.path, spans: [one] };
        files.set(key, block);
        group.blocks.push(block);
      }
    }
  }
  for (const { spans } of files.values()) spans.sort((a, b) => byPlace(a, b, leads));
  return [...groups.values()];
}

function byPlace(a: Shown, b: Shown, leads: Leading): number {
  const [first, second] = [leads(a), leads(b)];
  if (first !== second) return first ? -1 : 1;
  return (first ? a.rank - b.rank : 0) || a.unique.startLine - b.unique.startLine || a.rank - b.rank;
}
