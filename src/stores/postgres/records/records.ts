import { DossierError } from "../../../errors.ts";
import type { RecordStore } from "../../records.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapeText } from "../../rules/stored-text.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { cleanUp, ownerWrites, readRevision, recordOwner } from "./owner-rows.ts";
import { ids, list, select } from "./read.ts";
import { changeRecord, purgeRecords, removeRecord, restoreRecord, writeRecords } from "./write.ts";

/** Records over a session, which it closes. */
export function postgresRecords(session: PostgresSession): RecordStore {
  const of = (owner: string) => session.of(recordOwner(owner));
  const { write, change } = ownerWrites(session);
  const nothing = () => false;
  const presence = (deleted: boolean | undefined) => (deleted ? "body IS NOT NULL" : "deleted IS NULL");
  const afterAll = "\u{10ffff}";

  return {
    revision: (owner) => readRevision(session, owner, "records"),

    async write(owner, records, { removed = [], at = Date.now() } = {}) {
      if (records.length + removed.length === 0) return;
      await write(owner, (queries, revisions) => writeRecords(queries, revisions, records, { removed, at }), {
        idempotent: true,
      });
    },
    change: (owner, id, making) =>
      change(
        owner,
        () => {
          throw new DossierError("not-found", `There is no record ${id}.`);
        },
        (queries, revisions) => changeRecord(queries, revisions, id, making),
      ),

    get: async (owner, recordIds, options) =>
      inOrder(recordIds, await select(of(owner), `id = ANY($2) AND ${presence(options?.deleted)}`, [recordIds])),
    byPrefix: (owner, prefix, limit, options) =>
      select(of(owner), `id >= $2 AND id < $3 AND ${presence(options?.deleted)} ORDER BY id LIMIT $4`, [
        prefix,
        prefix + afterAll,
        atMost(limit),
      ]),
    inSlot: async (owner, slot) => (await select(of(owner), "slot = $2 AND deleted IS NULL", [escapeText(slot)]))[0],
    inSlots: (owner, prefix) =>
      select(of(owner), "slot >= $2 AND slot < $3 AND deleted IS NULL ORDER BY slot", [
        escapeText(prefix),
        escapeText(prefix) + afterAll,
      ]),
    list: async (owner, query) => list(of(owner), query),
    ids: async (owner, filter) => ids(of(owner), filter),
    changedSince: (owner, type, revision, limit) =>
      select(of(owner), "type = $2 AND revision > $3 ORDER BY revision LIMIT $4", [type, revision, atMost(limit)]),

    remove: (owner, id, at = Date.now()) =>
      change(owner, nothing, (queries, revisions) => removeRecord(queries, revisions, id, at)),
    restore: (owner, id) => change(owner, nothing, (queries, revisions) => restoreRecord(queries, revisions, id)),
    async purge(owner, purgeIds, at = Date.now()) {
      const all = typeof purgeIds === "string" ? [purgeIds] : purgeIds;
      const purged = await change(owner, nothing, (queries, revisions) => purgeRecords(queries, revisions, all, at));
      if (purged) await cleanUp(session, owner, ["records", "record_marks"]);
      return purged;
    },

    close: () => session.close(),
  };
}
