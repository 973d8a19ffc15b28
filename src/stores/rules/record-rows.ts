import { DossierError } from "../../errors.ts";
import type { KeptType, RecordWrite, StoredRecord } from "../records.ts";

/**
 * A record as engines store it. `body` is JSON, or null once it was purged; a deleted record remembers its slot but
 * does not hold it.
 */
export type RecordRow = {
  id: string;
  type: KeptType;
  created: number;
  changed: number;
  revision: number;
  deleted: number | null;
  slot: string | null;
  body: string | null;
};

export function asRecord({ id, type, created, changed, revision, deleted, slot, body }: RecordRow): StoredRecord {
  return {
    id,
    type,
    created,
    changed,
    revision,
    ...(deleted !== null && { deleted }),
    ...(slot !== null && { slot }),
    body: body === null ? null : (JSON.parse(body) as unknown),
  };
}

/** Records by id in the requested order, once each; unknown ones are absent. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** The changed rows, each once, and the owner's revision afterwards. */
export type RecordChanges = { rows: RecordRow[]; revision: number };

/**
 * Plans a write. `existing`: the rows of all ids that are written or removed, and those that hold one of the slots.
 * `revision`: the owner's before. Slots are released before any is taken, so that records of one write may hand one
 * over.
 */
export function planWrite(
  existing: readonly RecordRow[],
  records: readonly RecordWrite[],
  { removed, at, revision }: { removed: readonly string[]; at: number; revision: number },
): RecordChanges {
  const rows = new Map(existing.map((row) => [row.id, row]));
  const changed = new Map<string, RecordRow>();
  const change = (row: RecordRow) => {
    rows.set(row.id, row);
    changed.set(row.id, row);
  };
  for (const id of removed) {
    const row = planRemove(rows.get(id), at, revision + 1);
    if (!row) continue;
    revision = row.revision;
    change(row);
  }
  // Of a repeated id only the last counts.
  const last = new Map(records.map((record) => [record.id, record]));
  const holders = new Map<string, string>();
  for (const { id, slot, deleted } of rows.values()) {
    if (slot !== null && deleted === null && !last.has(id)) holders.set(slot, id);
  }
  for (const { id, type, created, changed: changedAt, slot = null, body } of last.values()) {
    const json = JSON.stringify(body);
    if (json === undefined) throw new Error(`The record ${id} has no body.`);
    if (slot !== null) {
      refuseTaken(slot, holders.get(slot));
      holders.set(slot, id);
    }
    const before = rows.get(id);
    // An index that follows one type would never learn that the record has left it.
    if (before && before.type !== type) {
      throw new DossierError("conflict", `${id} is the id of a record of type ${before.type}.`);
    }
    change({ id, type, created, changed: changedAt, revision: ++revision, deleted: null, slot, body: json });
  }
  return { rows: [...changed.values()], revision };
}

/** Undefined when there is nothing to delete. */
export function planRemove(row: RecordRow | undefined, at: number, revision: number): RecordRow | undefined {
  return !row || row.deleted !== null ? undefined : { ...row, deleted: at, revision };
}

/** Undefined when there is nothing to restore. `holder`: the record that holds its slot by now. */
export function planRestore(
  row: RecordRow | undefined,
  holder: string | undefined,
  revision: number,
): RecordRow | undefined {
  if (!row || row.deleted === null || row.body === null) return undefined;
  if (row.slot !== null) refuseTaken(row.slot, holder);
  return { ...row, deleted: null, revision };
}

/** Only the id and the revision stay, so that indexes learn of it. */
export function planPurge(row: RecordRow | undefined, at: number, revision: number): RecordRow | undefined {
  if (!row || row.body === null) return undefined;
  return { ...row, body: null, slot: null, created: at, changed: at, deleted: at, revision };
}

/** The result of `change` on an existing record. */
export function applyChange(
  row: RecordRow | undefined,
  id: string,
  change: (record: StoredRecord) => RecordWrite,
): RecordWrite {
  if (!row || row.deleted !== null) throw new DossierError("not-found", `There is no record ${id}.`);
  const changed = change(asRecord(row));
  if (changed.id !== id) throw new Error(`The change of ${id} made a record of another id, ${changed.id}.`);
  return changed;
}

function refuseTaken(slot: string, holder: string | undefined): void {
  if (holder !== undefined) throw new DossierError("conflict", `${holder} holds "${slot}", and only one record can.`);
}
