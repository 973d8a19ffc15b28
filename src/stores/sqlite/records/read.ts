import { isUtf8 } from "node:buffer";
import { DossierError } from "../../../errors.ts";
import type { RecordFilter, RecordPage, RecordQuery, StoredRecord } from "../../records.ts";
import { asRecord, type RecordRow } from "../../rules/record-rows.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { joinParts, planOf, type SqlPart } from "./filter.ts";

export function ownerNumber(database: Database, name: string): number | undefined {
  return database.get<{ id: number }>("SELECT id FROM owners WHERE name = ?", [name])?.id;
}

// Texts are read as bytes: libsql ends the whole process at a text that is not UTF-8, which a damaged text may be. The
// names differ from the column names, so that ORDER BY id means the column and its index.
const texts = ["id", "type", "slot", "body"] as const;
const columns = `created, changed, revision, deleted, ${texts.map((name) => `CAST(${name} AS BLOB) AS ${name}Bytes`).join(", ")}`;

type ByteRow = Omit<RecordRow, (typeof texts)[number]> & Record<`${(typeof texts)[number]}Bytes`, Uint8Array | null>;

/**
 * Rows of records that meet a condition. `more`: further columns. Throws `records-damaged` for a text that is not
 * UTF-8.
 */
export function rowsWhere<Row extends RecordRow>(
  database: Database,
  condition: string,
  values: SqlValue[],
  more = "",
): Row[] {
  const rows = database.all<ByteRow>(`SELECT ${more}${columns} FROM records ${condition}`, values);
  return rows.map(({ idBytes, typeBytes, slotBytes, bodyBytes, ...row }) => ({
    ...row,
    id: textOf(idBytes, database),
    type: textOf(typeBytes, database),
    slot: textOf(slotBytes, database),
    body: textOf(bodyBytes, database),
  })) as unknown as Row[];
}

function textOf(value: Uint8Array | null, database: Database): string | null {
  if (value === null) return null;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  if (!isUtf8(bytes)) throw damaged(database);
  return bytes.toString("utf8");
}

export function recordOf(row: RecordRow, database: Database): StoredRecord {
  try {
    return asRecord(row);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damaged(database, error);
  }
}

function damaged({ path }: Database, cause?: unknown): DossierError {
  return new DossierError("records-damaged", `The record database ${path} is damaged.`, { cause });
}

/** The owner's records that meet a condition. */
export function select(database: Database, owner: string, condition: string, values: SqlValue[]): StoredRecord[] {
  const ofOwner = `WHERE owner = (SELECT id FROM owners WHERE name = ?) AND ${condition}`;
  return rowsWhere(database, ofOwner, [owner, ...values]).map((row) => recordOf(row, database));
}

/** A page and the exact total; a transaction makes both consistent. */
export function list(database: Database, owner: string, query: RecordQuery): RecordPage {
  const matches = search(database, owner, query);
  if (!matches) return { records: [], total: 0 };
  const { total, from, values } = matches;
  const offset = query.offset ?? 0;
  if (offset >= total || query.limit <= 0) return { records: [], total };
  const { after } = query;
  const further = after ? " AND created <= ? AND (created < ? OR id > ?)" : "";
  const page = `${from}${further} ORDER BY created DESC, id LIMIT ? OFFSET ?`;
  const rows = rowsWhere(database, page, [
    ...values,
    ...(after ? [after.created, after.created, after.id] : []),
    query.limit,
    offset,
  ]);
  return { records: rows.map((row) => recordOf(row, database)), total };
}

export function ids(database: Database, owner: string, filter: RecordFilter): string[] {
  const matches = search(database, owner, filter);
  if (!matches) return [];
  // Read as one value: thousands of rows take three times as long.
  const row = database.get<{ ids: Uint8Array }>(
    `SELECT CAST(json_group_array(id) AS BLOB) AS ids FROM (SELECT id FROM records ${matches.from} ORDER BY created DESC, id)`,
    matches.values,
  )!;
  // Invalid bytes become U+FFFD, so that one damaged id does not hide the others.
  return JSON.parse(Buffer.from(row.ids.buffer, row.ids.byteOffset, row.ids.length).toString("utf8")) as string[];
}

/** Up to this many records are faster to fetch and sort than to find by a scan from the newest to the oldest. */
const few = 500;

type Search = { /** What follows the table. */ from: string; values: SqlValue[]; total: number };

/** The number of records that match a filter, and where they are found. */
function search(database: Database, owner: string, filter: RecordFilter): Search | undefined {
  const number = ownerNumber(database, owner);
  if (number === undefined) return undefined;
  const { condition, conditionIsType, marks, ranges } = planOf(number, filter);
  const parts = [condition];
  let numbers: Set<number> | undefined;
  for (const part of marks) numbers = common(numbers, recordsWith(database, part));
  for (const range of ranges) {
    if (numbers && numbers.size <= few) parts.push(range.body);
    else numbers = common(numbers, recordsWith(database, range.marks));
  }
  const exactCount = conditionIsType && parts.length === 1 ? numbers?.size : undefined;
  // Few records are fetched by number: NOT INDEXED leaves no other way. Many are found by the scan: the unary + leaves
  // no other way.
  const direct = numbers !== undefined && numbers.size <= few;
  if (numbers) {
    const sql = `${direct ? "" : "+"}number IN (SELECT value FROM json_each(?))`;
    parts.unshift({ sql, values: [JSON.stringify([...numbers])] });
  }
  const { sql, values } = joinParts(parts);
  const from = `${direct ? "NOT INDEXED " : ""}WHERE ${sql}`;
  const total =
    exactCount ?? database.get<{ total: number }>(`SELECT count(*) AS total FROM records ${from}`, values)!.total;
  return { from, values, total };
}

function recordsWith(database: Database, { sql, values }: SqlPart): number[] {
  const row = database.get<{ records: string }>(`SELECT json_group_array(record) AS records FROM (${sql})`, values)!;
  return JSON.parse(row.records) as number[];
}

function common(numbersSoFar: Set<number> | undefined, numbers: number[]): Set<number> {
  return new Set(numbersSoFar ? numbers.filter((number) => numbersSoFar.has(number)) : numbers);
}
