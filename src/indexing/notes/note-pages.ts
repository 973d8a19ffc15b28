import type { Note } from "../../note.ts";

/**
 * The size of each page in characters, by the page's key. A note's page is the unit it is read in: for lines of a file
 * that file, for other notes the nearest note above with a tag, since a tag marks a thing. A note without such a note
 * above is on no page. Sizes are powers of two, so that a page is written again only when it becomes much longer.
 */
export function pageSizes(byKey: ReadonlyMap<string, Note>): Map<string, number> {
  const pages = pagesOf(byKey);
  const sizes = new Map<string, number>();
  for (const [key, { name, text = "" }] of byKey) {
    const page = pages.get(key);
    if (page !== undefined) sizes.set(page, (sizes.get(page) ?? 0) + name.length + text.length);
  }
  for (const [page, size] of sizes) sizes.set(page, 2 ** Math.round(Math.log2(Math.max(1, size))));
  return sizes;
}

/** The page of each note. Every note is visited once, however deep it is nested. */
function pagesOf(byKey: ReadonlyMap<string, Note>): Map<string, string | undefined> {
  const pages = new Map<string, string | undefined>();
  for (const note of byKey.values()) {
    const way: string[] = [];
    let at: Note | undefined = note;
    let page: string | undefined;
    while (at) {
      if (pages.has(at.key)) {
        page = pages.get(at.key);
        break;
      }
      // In a cycle this is the note where it began; notes of the cycle are on no page.
      pages.set(at.key, undefined);
      way.push(at.key);
      const above: Note | undefined = at.parent === undefined ? undefined : byKey.get(at.parent);
      if (at.place ? !above : at.tags.length > 0) {
        page = at.key;
        break;
      }
      at = above;
    }
    for (const key of way) pages.set(key, page);
  }
  return pages;
}
