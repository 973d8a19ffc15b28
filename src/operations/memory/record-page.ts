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
  const found = await records.list(owner, { ...filter, limit: limit + 1, offset, ...(after && { after }) });
  return { ...pageBefore(found.records, cursor, limit, placeOf), total: found.total };
}

/** Records are listed by it; the first part puts the largest first. */
export function placeOf({ created, id }: Pick<StoredRecord, "created" | "id">): Place {
  return [created, id];
}

export function newestFirst(a: StoredRecord, b: StoredRecord): number {
  return b.created - a.created || (a.id < b.id ? -1 : 1);
}

/** Pages of the first so many fit together: they are cut from one ranking. */
const fewestRanked = 50;
/** Ranking reads each candidate; what comes after so many is not what was asked for. */
const mostRanked = 500;

export async function rankedRecords(
  workspace: Workspace,
  given: Omit<Parameters<typeof import("../../assemble.ts").rankSource>[1], "limit">,
  cursor: Cursor,
  slice: Slice,
): Promise<Pick<RankedPage<Scored>, "page" | "next" | "ranked">> {
  const { rankSource } = await import("../../assemble.ts");
  const rank = (limit: number) =>
    rankSource(workspace, { ...given, limit: Math.min(mostRanked, Math.max(fewestRanked, limit)) });
  const { before: _, ...page } = await rankedPage(rank, cursor, slice, ({ item }) => item.id);
  return page;
}

/** Read at once of what is looked through. */
const readAtOnce = 500;

/** Forgotten records are not in the index; those that have all words of the query are meant. */
export async function forgottenPage(
  records: RecordStore,
  owner: string,
  filter: RecordFilter,
  cursor: Cursor,
  { query, ...slice }: Slice & { query: string },
): Promise<Page<StoredRecord> & { total: number }> {
  const wanted = wordsOf(query);
  const found: StoredRecord[] = [];
  for (let from = 0; ; from += readAtOnce) {
    const page = await records.list(owner, { ...filter, limit: readAtOnce, offset: from });
    for (const record of page.records) {
      const words = new Set(wordsOf(textsIn(record.body).join("\n")));
      if (wanted.every((word) => words.has(word))) found.push(record);
    }
    if (from + readAtOnce >= page.total) break;
  }
  return { ...pageOf(found, cursor, slice, placeOf, 1), total: found.length };
}

/** Everything that a record says, whatever it calls it. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
