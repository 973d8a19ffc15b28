import type { RecordFilter, RecordPage, RecordQuery, StoredRecord } from "../../records.ts";
import { asRecord, type RecordRow } from "../../rules/record-rows.ts";
import { atMost, unescapeText } from "../../rules/stored-text.ts";
import type { Queries } from "../engine/session/session.ts";
import { filterConditions } from "./filter.ts";
import { readPage } from "./page.ts";

const columns = "id, type, created, changed, revision, deleted, slot, body";

/** The owner's rows that meet a condition; its values are $2 and so on. */
export async function selectRows(queries: Queries, condition: string, values: unknown[]): Promise<RecordRow[]> {
  const rows = await queries.all<RecordRow>(`SELECT ${columns} FROM records WHERE owner = $1 AND ${condition}`, values);
  return rows.map(withSlot);
}

export async function select(queries: Queries, condition: string, values: unknown[]): Promise<StoredRecord[]> {
  return (await selectRows(queries, condition, values)).map(asRecord);
}

const withSlot = (row: RecordRow): RecordRow => ({ ...row, slot: row.slot === null ? null : unescapeText(row.slot) });

export async function list(queries: Queries, query: RecordQuery): Promise<RecordPage> {
  const { sql, values, bind } = filterConditions(query);
  const { after } = query;
  const { rows, total } = await readPage<RecordRow>(queries, {
    columns,
    table: "records",
    condition: sql.join(" AND "),
    further: after
      ? `created <= ${bind(after.created)} AND (created < ${bind(after.created)} OR id > ${bind(after.id)})`
      : undefined,
    order: "created DESC, id",
    limit: bind(atMost(query.limit)),
    offset: bind(atMost(query.offset ?? 0)),
    values,
  });
  return { records: rows.map((row) => asRecord(withSlot(row))), total };
}

export async function ids(queries: Queries, filter: RecordFilter): Promise<string[]> {
  const { sql, values } = filterConditions(filter);
  const order = "ORDER BY created DESC, id";
  const rows = await queries.all<{ id: string }>(`SELECT id FROM records WHERE ${sql.join(" AND ")} ${order}`, values);
  return rows.map(({ id }) => id);
}
