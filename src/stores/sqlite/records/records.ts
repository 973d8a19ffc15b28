import { statSync } from "node:fs";
import { DossierError } from "../../../errors.ts";
import type { RecordStore } from "../../records.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { type Database, openDatabase } from "../engine/driver.ts";
import { compact, emptyLog, useWriteAheadLog } from "../engine/open.ts";
import { ids, list, ownerNumber, select } from "./read.ts";
import { migrateRecords } from "./records-schema.ts";
import { changeRecord, ensureOwner, purgeRecord, removeRecord, restoreRecord, writeRecords } from "./write.ts";

/** Opens or creates the records at `path`. */
export async function openSqliteRecords(path: string): Promise<RecordStore> {
  return recordsOver(await openRecordsDatabase(path));
}

/** A connection to the file with everything that cannot be rebuilt: records, library and API keys. */
export async function openRecordsDatabase(path: string): Promise<Database> {
  refuseOrphanedLog(path);
  const database = await openDatabase(path, { holding: "records" });
  try {
    await useWriteAheadLog(database);
    // FULL: an acknowledged write survives a power cut.
    database.execute(`
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
    `);
    migrateRecords(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * SQLite deletes the write-ahead log of an empty file. If another program emptied or deleted the file, the log has the
 * latest writes, often all data, so both files are left as they are.
 */
function refuseOrphanedLog(path: string): void {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const log = `${path}-wal`;
  if (sizeOf(path) > 0 || sizeOf(log) === 0) return;
  throw new DossierError(
    "records-damaged",
    `The record database ${path} was emptied, but its log ${log} still has what was written last; keep it, and move it away before another file takes this place.`,
  );
}

function recordsOver(database: Database): RecordStore {
  /** An owner who has never written has nothing to change. */
  const owned = (owner: string, work: (owner: number) => boolean): boolean =>
    database.transaction("write", () => {
      const number = ownerNumber(database, owner);
      return number !== undefined && work(number);
    });
  const presence = (deleted: boolean | undefined) => (deleted ? "body IS NOT NULL" : "deleted IS NULL");

  return {
    revision: async (owner) =>
      database.get<{ revision: number }>("SELECT revision FROM owners WHERE name = ?", [owner])?.revision ?? 0,

    async write(owner, records, { removed = [], at = Date.now() } = {}) {
      if (records.length + removed.length === 0) return;
      database.transaction("write", () => {
        const number = ensureOwner(database, owner);
        writeRecords(database, number, records, { removed, at });
      });
    },
    change: async (owner, id, change) =>
      database.transaction("write", () => changeRecord(database, ownerNumber(database, owner), id, change)),

    async get(owner, ids, options) {
      const condition = `id IN (SELECT value FROM json_each(?)) AND ${presence(options?.deleted)}`;
      const rows = select(database, owner, condition, [JSON.stringify(ids)]);
      return inOrder(ids, rows);
    },
    byPrefix: async (owner, prefix, limit, options) =>
      select(database, owner, `id >= ? AND id < ? AND ${presence(options?.deleted)} ORDER BY id LIMIT ?`, [
        prefix,
        `${prefix}\u{10ffff}`,
        limit,
      ]),
    inSlot: async (owner, slot) => select(database, owner, "slot = ? AND deleted IS NULL", [slot])[0],
    inSlots: async (owner, prefix) =>
      select(database, owner, "slot >= ? AND slot < ? AND deleted IS NULL ORDER BY slot", [
        prefix,
        `${prefix}\u{10ffff}`,
      ]),
    list: async (owner, query) => database.transaction("read", () => list(database, owner, query)),
    ids: async (owner, filter) => database.transaction("read", () => ids(database, owner, filter)),
    changedSince: async (owner, type, revision, limit) =>
      select(database, owner, "type = ? AND revision > ? ORDER BY revision LIMIT ?", [type, revision, limit]),

    remove: async (owner, id, at = Date.now()) => owned(owner, (number) => removeRecord(database, number, id, at)),
    restore: async (owner, id) => owned(owner, (number) => restoreRecord(database, number, id)),
    async purge(owner, ids, at = Date.now()) {
      const purged = owned(owner, (number) => {
        const all = typeof ids === "string" ? [ids] : ids;
        return all.filter((id) => purgeRecord(database, number, id, at)).length > 0;
      });
      if (purged) compact(database);
      return purged;
    },

    async close() {
      emptyLog(database);
      database.close();
    },
  };
}
