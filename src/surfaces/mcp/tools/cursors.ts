import { randomUUID } from "node:crypto";

/** What is left of an answer: of what is read, or of data. */
export type Rest = { text: string; data?: undefined } | { data: Record<string, unknown>; text?: undefined };

/** What is left of answers that were too long for one, by the cursor that was given with them. */
export type Cursors = {
  keep(tool: string, owner: string, rest: Rest): string;
  /** Undefined when it is not known, or no longer. The same cursor gives the same page. */
  find(tool: string, owner: string, cursor: string): Rest | undefined;
};

/** The oldest are forgotten: nobody reads on in an answer for that long. */
const mostKept = 64;
const mostCharacters = 32_000_000;

export function createCursors(): Cursors {
  const kept = new Map<string, { tool: string; owner: string; rest: Rest; size: number }>();
  let size = 0;
  const forget = (cursor: string) => {
    size -= kept.get(cursor)?.size ?? 0;
    kept.delete(cursor);
  };
  return {
    keep(tool, owner, rest) {
      const cursor = `cur-${randomUUID()}`;
      const own = (rest.text ?? JSON.stringify(rest.data)).length;
      kept.set(cursor, { tool, owner, rest, size: own });
      size += own;
      for (const oldest of kept.keys()) {
        if (oldest === cursor || (kept.size <= mostKept && size <= mostCharacters)) break;
        forget(oldest);
      }
      return cursor;
    },
    find(tool, owner, cursor) {
      const found = kept.get(cursor);
      return found?.tool === tool && found.owner === owner ? found.rest : undefined;
    },
  };
}
