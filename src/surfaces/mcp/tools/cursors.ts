import { randomUUID } from "node:crypto";

/** The rest of an answer: text or data. */
export type Rest = { text: string; data?: undefined } | { data: Record<string, unknown>; text?: undefined };

/** The rests of answers that were too long for one page, by their cursor. */
export type Cursors = {
  keep(tool: string, owner: string, rest: Rest): string;
  /** Undefined for an unknown or forgotten cursor. The same cursor gives the same page. */
  find(tool: string, owner: string, cursor: string): Rest | undefined;
};

/** The oldest are dropped: nobody returns to an answer after that long. */
const mostKept = 64;
const mostCharacters = 32_000_000;

export function createCursors(): Cursors {
  const pages = new Map<string, { tool: string; owner: string; rest: Rest; size: number }>();
  let size = 0;
  const forget = (cursor: string) => {
    size -= pages.get(cursor)?.size ?? 0;
    pages.delete(cursor);
  };
  return {
    keep(tool, owner, rest) {
      const cursor = `cur-${randomUUID()}`;
      const length = (rest.text ?? JSON.stringify(rest.data)).length;
      pages.set(cursor, { tool, owner, rest, size: length });
      size += length;
      for (const oldest of pages.keys()) {
        if (oldest === cursor || (pages.size <= mostKept && size <= mostCharacters)) break;
        forget(oldest);
      }
      return cursor;
    },
    find(tool, owner, cursor) {
      const page = pages.get(cursor);
      return page?.tool === tool && page.owner === owner ? page.rest : undefined;
    },
  };
}
