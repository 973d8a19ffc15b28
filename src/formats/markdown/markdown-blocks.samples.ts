import { expect } from "vitest";

/** For tests: reads Markdown strictly and finds blocks that are not the document's own. */

/** Text that a reader of raw text or a CommonMark parser takes for the beginning of a block, at any indentation. */
const block = new RegExp(
  [
    /#{1,6}(?:\s|$)|>|\*|[-+](?:\s|$)|`{3}|~{3}/,
    /(?:[-_]\s*){3,}$|=+\s*$|[-:][-:|\s]*$|__?[A-Z]/,
    /<[A-Za-z/!?](?![^\s<>]*[@:][^\s<>]*>)|\[(?:[^\]]*\]:|[^\]]*$)/,
  ]
    .map(({ source }) => `^\\s*(?:${source})`)
    .join("|"),
);
const listMark = /^\s*(?:\*|\d{1,9}[.)]) (?=\S)/;

/**
 * The lines of a part that begin a block. Code is excluded; so are list items of a text, unless an item begins another
 * block.
 */
export function blockLines(part: string): string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  for (const line of part.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      else expect(line.startsWith(fence)).toBe(false);
    } else if (/^`{3,}[\w+#.-]*$/.test(line)) fence = /^`+/.exec(line)![0];
    else if (listMark.test(line)) {
      const item = line.replace(listMark, "");
      if (block.test(item) && !/^(?:\*{1,3}|_{1,3})[^\s*_]/.test(item)) blocks.push(`item: ${line}`);
    } else if (block.test(line)) blocks.push(line);
  }
  expect(fence).toBeUndefined();
  return blocks;
}
