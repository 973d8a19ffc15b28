import type { Note } from "../../note.ts";

/**
 * How much is written on each page, in characters, by the page's key. A page is what a note is read as part of: of the lines of a file what
 * the file is, of other notes the nearest that has a tag, since a tag says that it is a thing. Notes above which there is none are on no
 * page. Powers of two, so that a page is written again only when it becomes much longer.
 */
export function pageSizes(byKey: ReadonlyMap<string, Note>): Map<string, number> {
  const pages = pagesOf(byKey);
  const written = new Map<string, number>();
  for (const [key, { name, text = "" }] of byKey) {
    const page = pages.get(key);
    if (page !== undefined) written.set(page, (written.get(page) ?? 0) + name.length + text.length);
  }
  for (const [page, size] of written) written.set(page, 2 ** Math.round(Math.log2(Math.max(1, size))));
  return written;
}

/** The page that each note is on. Every note is passed once, however deep it stands. */
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
      // In a circle this is what it began with, and the circle is on no page.
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
