import type { Scored } from "../../item.ts";
import type { RecordFilter, RecordStore, StoredRecord } from "../../stores/records.ts";
import { wordsOf } from "../../text/similarity/similarity.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Cursor, type Page, type Place, pageBefore, pageOf, type RankedPage, rankedPage } from "../core/cursor.ts";

/** Pages of memories, experiences and values: the newest first, or the best for a question. */

type Slice = { limit: number; offset: number };

export async function newestPage(
  records: RecordStore,
  owner: string,
  filter: RecordFilter,
  cursor: Cursor,
  { limit, offset }: Slice,
): Promise<Page<StoredRecord> & { total: number }> {
  const [created, id] = cursor.place ?? [];
  const after = cursor.place && { created: Number(created), id: String(id) };
  const listed = await records.list(owner, { ...filter, limit: limit + 1, offset, ...(after && { after }) });
  return { ...pageBefore(listed.records, cursor, limit, placeOf), total: listed.total };
}

/** The order of records in lists; the first part is descending. */
export function placeOf({ created, id }: Pick<StoredRecord, "created" | "id">): Place {
  return [created, id];
}

export function newestFirst(a: StoredRecord, b: StoredRecord): number {
  return b.created - a.created || (a.id < b.id ? -1 : 1);
}

/** Pages within the first so many are cut from one ranking, so they fit together. */
const fewestRanked = 50;
/** Ranking reads every candidate; those beyond this rank are not what was asked for. */
const mostRanked = 500;

export async function rankedRecords(
  workspace: Workspace,
  request: Omit<Parameters<typeof import("../../assemble.ts").rankSource>[1], "limit">,
  cursor: Cursor,
  slice: Slice,
): Promise<Pick<RankedPage<Scored>, "page" | "next" | "ranked">> {
  const { rankSource } = await import("../../assemble.ts");
  const rank = (limit: number) =>
    rankSource(workspace, { ...request, limit: Math.min(mostRanked, Math.max(fewestRanked, limit)) });
  const { before: _, ...page } = await rankedPage(rank, cursor, slice, ({ item }) => item.id);
  return page;
}

/** Records read at a time while searching the forgotten ones. */
const readAtOnce = 500;

/** Forgotten records are not in the index; those with all words of the query match. */
export async function forgottenPage(
  records: RecordStore,
  owner: string,
  filter: RecordFilter,
  cursor: Cursor,
  { query, ...slice }: Slice & { query: string },
): Promise<Page<StoredRecord> & { total: number }> {
  const queryWords = wordsOf(query);
  const matches: StoredRecord[] = [];
  for (let from = 0; ; from += readAtOnce) {
    const page = await records.list(owner, { ...filter, limit: readAtOnce, offset: from });
    for (const record of page.records) {
      const words = new Set(wordsOf(textsIn(record.body).join("\n")));
      if (queryWords.every((word) => words.has(word))) matches.push(record);
    }
    if (from + readAtOnce >= page.total) break;
  }
  return { ...pageOf(matches, cursor, slice, placeOf, 1), total: matches.length };
}

/** Everything that a record says, whatever it calls it. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
