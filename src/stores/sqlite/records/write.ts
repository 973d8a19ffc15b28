import type { KeptType, RecordWrite, StoredRecord } from "../../records.ts";
import { marksOf } from "../../rules/marks.ts";
import { applyChange, planPurge, planRemove, planRestore, planWrite, type RecordRow } from "../../rules/record-rows.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { ownerNumber, recordOf, rowsWhere } from "./read.ts";

/** Each of these functions runs within a write transaction of the caller. */

export function ensureOwner(database: Database, name: string): number {
  const existing = ownerNumber(database, name);
  if (existing !== undefined) return existing;
  database.run("INSERT INTO owners(name) VALUES(?)", [name]);
  return ownerNumber(database, name)!;
}

export type NumberedRow = RecordRow & { number: number };

export function writeRecords(
  database: Database,
  owner: number,
  records: RecordWrite[],
  { removed, at }: { removed: string[]; at: number },
): void {
  const ids = JSON.stringify([...removed, ...records.map(({ id }) => id)]);
  const slots = JSON.stringify(records.flatMap(({ slot }) => slot ?? []));
  const existing = [
    ...ownRows(database, owner, "id IN (SELECT value FROM json_each(?))", [ids]),
    ...ownRows(database, owner, "slot IN (SELECT value FROM json_each(?)) AND deleted IS NULL", [slots]),
  ];
  const revision = revisionOf(database, owner);
  const changes = planWrite(existing, records, { removed, at, revision });
  database.run(
    "UPDATE records SET slot = NULL WHERE owner = ? AND slot IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
    [owner, JSON.stringify(records.map(({ id }) => id))],
  );
  const before = new Map(existing.map((row) => [row.id, row]));
  for (const row of changes.rows) saveRow(database, owner, row, before.get(row.id));
  database.run("UPDATE owners SET revision = ? WHERE id = ?", [changes.revision, owner]);
}

export function changeRecord(
  database: Database,
  owner: number | undefined,
  id: string,
  change: (record: StoredRecord) => RecordWrite,
): StoredRecord {
  const before = owner === undefined ? undefined : find(database, owner, id);
  const changed = applyChange(before, id, change);
  writeRecords(database, owner!, [changed], { removed: [], at: 0 });
  return recordOf(find(database, owner!, id)!, database);
}

export function removeRecord(database: Database, owner: number, id: string, at: number): boolean {
  return replace(database, owner, id, (row, revision) => planRemove(row, at, revision));
}

export function restoreRecord(database: Database, owner: number, id: string): boolean {
  return replace(database, owner, id, (row, revision) => planRestore(row, holderOf(database, owner, row), revision));
}

export function purgeRecord(database: Database, owner: number, id: string, at: number): boolean {
  return replace(database, owner, id, (row, revision) => planPurge(row, at, revision));
}

/** Writes the row that a plan makes of a record, if any. */
function replace(
  database: Database,
  owner: number,
  id: string,
  plan: (row: RecordRow | undefined, revision: number) => RecordRow | undefined,
): boolean {
  const before = find(database, owner, id);
  const row = plan(before, revisionOf(database, owner) + 1);
  if (!row) return false;
  saveRow(database, owner, row, before);
  database.run("UPDATE owners SET revision = ? WHERE id = ?", [row.revision, owner]);
  return true;
}

export function saveRow(database: Database, owner: number, row: RecordRow, before: NumberedRow | undefined): void {
  const { id, type, created, changed, revision, deleted, slot, body } = row;
  const values = [created, changed, revision, slot, body, deleted];
  const sql = before
    ? "UPDATE records SET created = ?, changed = ?, revision = ?, slot = ?, body = ?, deleted = ? WHERE number = ?"
    : "INSERT INTO records(created, changed, revision, slot, body, deleted, owner, id, type) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
  const more = before ? [before.number] : [owner, id, type];
  const { number } = database.get<{ number: number }>(`${sql} RETURNING number`, [...values, ...more])!;
  const living = (state: RecordRow | undefined) => (state?.deleted === null ? state.body : null);
  replaceMarks(database, { owner, type, number }, living(before), living(row));
}

export function ownRows(database: Database, owner: number, condition: string, values: SqlValue[]): NumberedRow[] {
  return rowsWhere<NumberedRow>(database, `WHERE owner = ? AND ${condition}`, [owner, ...values], "number, ");
}

function find(database: Database, owner: number, id: string): NumberedRow | undefined {
  return ownRows(database, owner, "id = ?", [id])[0];
}

function holderOf(database: Database, owner: number, row: RecordRow | undefined): string | undefined {
  if (!row || row.slot === null) return undefined;
  return ownRows(database, owner, "slot = ? AND deleted IS NULL", [row.slot])[0]?.id;
}

function revisionOf(database: Database, owner: number): number {
  return database.get<{ revision: number }>("SELECT revision FROM owners WHERE id = ?", [owner])!.revision;
}

type Marked = { owner: number; type: KeptType; number: number };

/** Replaces the marks of one body by those of another; a missing body has no marks. */
function replaceMarks(
  database: Database,
  { owner, type, number }: Marked,
  before: string | null,
  after: string | null,
): void {
  const oldMarks = marksOf(parsed(before));
  const newMarks = marksOf(parsed(after));
  const asJson = (marks: string[]) => [`[${marks.join(",")}]`];
  const removed = [...oldMarks].filter((mark) => !newMarks.has(mark));
  const added = [...newMarks].filter((mark) => !oldMarks.has(mark));
  // Values are always passed as JSON, so that the same text always has the same bytes with every driver.
  if (removed.length > 0) {
    database.run(
      `DELETE FROM marks WHERE owner = ? AND type = ? AND record = ? AND (path, value) IN (
         SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
      [owner, type, number, ...asJson(removed)],
    );
  }
  if (added.length > 0) {
    database.run(
      `INSERT INTO marks(owner, type, record, path, value)
         SELECT ?, ?, ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [owner, type, number, ...asJson(added)],
    );
  }
}

function parsed(body: string | null): unknown {
  return body === null ? undefined : JSON.parse(body);
}
