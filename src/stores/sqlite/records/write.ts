import { DossierError } from "../../../errors.ts";
import type { KeptType, RecordWrite, StoredRecord } from "../../records.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { replaceMarks } from "./marks.ts";
import { ownerNumber, select } from "./read.ts";

/** Each of these runs within a write transaction of the caller. */

export function ensureOwner(database: Database, name: string): number {
  const known = ownerNumber(database, name);
  if (known !== undefined) return known;
  database.run("INSERT INTO owners(name) VALUES(?)", [name]);
  return ownerNumber(database, name)!;
}

export function writeRecords(database: Database, owner: number, records: RecordWrite[]): void {
  // An id that comes twice counts once, as it came last.
  const last = [...new Map(records.map((record) => [record.id, record])).values()];
  // Slots are given up before any is taken, so that records of one write may pass one on.
  const ids = JSON.stringify(last.map((record) => record.id));
  database.run(
    "UPDATE records SET slot = NULL WHERE owner = ? AND slot IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
    [owner, ids],
  );
  const first = nextRevision(database, owner, last.length);
  for (const [i, record] of last.entries()) writeRecord(database, owner, record, first + i);
}

type Known = { number: number; type: KeptType; deleted: number | null; body: string | null };

function writeRecord(database: Database, owner: number, record: RecordWrite, revision: number): void {
  const { id, type, created, changed, slot = null } = record;
  const body = JSON.stringify(record.body);
  if (body === undefined) throw new Error(`The record ${id} has no body.`);
  if (slot !== null) refuseTaken(database, owner, slot);
  const known = find(database, owner, id);
  // Whoever follows one type would never learn that the record has left it.
  if (known && known.type !== type) {
    throw new DossierError("conflict", `${id} is the id of a record of type ${known.type}.`);
  }
  const values = [created, changed, revision, slot, body];
  const sql = known
    ? "UPDATE records SET created = ?, changed = ?, revision = ?, slot = ?, body = ?, deleted = NULL WHERE number = ?"
    : "INSERT INTO records(created, changed, revision, slot, body, owner, id, type) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
  const more = known ? [known.number] : [owner, id, type];
  const { number } = database.get<{ number: number }>(`${sql} RETURNING number`, [...values, ...more])!;
  const before = known && known.deleted === null ? parsed(known.body) : undefined;
  replaceMarks(database, { owner, type, number }, before, JSON.parse(body));
}

export function removeRecord(database: Database, owner: number, id: string, at: number): boolean {
  const known = find(database, owner, id);
  if (!known || known.deleted !== null) return false;
  update(database, owner, known, "deleted = ?", [at]);
  replaceMarks(database, { owner, ...known }, parsed(known.body), undefined);
  return true;
}

export function restoreRecord(database: Database, owner: number, id: string): boolean {
  const known = find(database, owner, id);
  if (!known || known.deleted === null || known.body === null) return false;
  const { slot } = database.get<{ slot: string | null }>("SELECT slot FROM records WHERE number = ?", [known.number])!;
  if (slot !== null) refuseTaken(database, owner, slot);
  update(database, owner, known, "deleted = NULL", []);
  replaceMarks(database, { owner, ...known }, undefined, parsed(known.body));
  return true;
}

export function purgeRecord(database: Database, owner: number, id: string, at: number): boolean {
  const known = find(database, owner, id);
  if (!known || known.body === null) return false;
  update(database, owner, known, "body = NULL, slot = NULL, created = ?, changed = ?, deleted = ?", [at, at, at]);
  if (known.deleted === null) replaceMarks(database, { owner, ...known }, parsed(known.body), undefined);
  return true;
}

export function changeRecord(
  database: Database,
  owner: string,
  id: string,
  change: (record: StoredRecord) => RecordWrite,
): StoredRecord {
  const found = select(database, owner, "id = ? AND deleted IS NULL", [id])[0];
  if (!found) throw new DossierError("not-found", `There is no record ${id}.`);
  const changed = change(found);
  if (changed.id !== id) throw new Error(`The change of ${id} made a record of another id, ${changed.id}.`);
  writeRecords(database, ensureOwner(database, owner), [changed]);
  return select(database, owner, "id = ?", [id])[0]!;
}

function find(database: Database, owner: number, id: string): Known | undefined {
  return database.get<Known>("SELECT number, type, deleted, body FROM records WHERE owner = ? AND id = ?", [owner, id]);
}

function update(database: Database, owner: number, { number }: Known, set: string, values: SqlValue[]): void {
  const revision = nextRevision(database, owner);
  database.run(`UPDATE records SET ${set}, revision = ? WHERE number = ?`, [...values, revision, number]);
}

function parsed(body: string | null): unknown {
  return body === null ? undefined : JSON.parse(body);
}

function refuseTaken(database: Database, owner: number, slot: string): void {
  const holder = database.get<{ id: string }>(
    "SELECT id FROM records WHERE owner = ? AND slot = ? AND deleted IS NULL",
    [owner, slot],
  );
  if (holder) throw new DossierError("conflict", `${holder.id} holds "${slot}", and only one record can.`);
}

/** The first of as many revisions as records are about to change. */
function nextRevision(database: Database, owner: number, count = 1): number {
  const sql = "UPDATE owners SET revision = revision + ? WHERE id = ? RETURNING revision";
  return database.get<{ revision: number }>(sql, [count, owner])!.revision - count + 1;
}
