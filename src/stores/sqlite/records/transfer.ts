import { pageWithin } from "../../rules/document-rows.ts";
import type { KeyRow } from "../../rules/key-rows.ts";
import { escapeText, packContent, unescapeText, unpackContent } from "../../rules/stored-text.ts";
import { titleColumns } from "../../rules/thread-rows.ts";
import {
  type Transfer,
  type TransferPart,
  type TransferRevisions,
  type TransferRows,
  transferBytes,
} from "../../transfer.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { emptyLog } from "../engine/open.ts";
import { findOwner, makeOwner } from "../library/owner-number.ts";
import { openRecordsDatabase } from "./records.ts";
import { ownRows, saveRow } from "./write.ts";

/** Opens the rows of records, library and keys in the file at `path`. */
export async function openSqliteTransfer(path: string): Promise<Transfer> {
  return transferOver(await openRecordsDatabase(path));
}

/** For each part, the rows that move; `owner = ?` is the only value. */
const parts: Record<TransferPart, string> = {
  records: "SELECT id, type, created, changed, revision, deleted, slot, body FROM records WHERE owner = ?",
  documents:
    "SELECT number, id, path, type, size, hash, version, created, changed, accessed, deleted, revision FROM documents WHERE owner = ?",
  threads: `SELECT t.id, t.title, p.id AS parent, t.branched, t.first, t.count, t.created, t.changed, t.deleted
    FROM threads AS t LEFT JOIN threads AS p ON p.number = t.parent WHERE t.owner = ?`,
  messages: `SELECT m.id, t.id AS thread, place, given, role, speaker, session, at, blocks, m.revision
    FROM messages AS m JOIN threads AS t ON t.number = m.thread WHERE m.owner = ?`,
  references: `SELECT r.id, t.id AS thread, kind, target, source, priority, added, place
    FROM thread_references AS r JOIN threads AS t ON t.number = r.thread WHERE r.owner = ?`,
  usage: `SELECT id, item, kind, context, at, number FROM (
    SELECT id, item, kind, context, at, row_number() OVER (ORDER BY number) AS number FROM usage WHERE owner = ?) WHERE true`,
};
const idOf: Record<TransferPart, string> = {
  records: "id",
  documents: "id",
  threads: "t.id",
  messages: "m.id",
  references: "r.id",
  usage: "id",
};

function transferOver(database: Database): Transfer {
  const select = <Part extends TransferPart>(owner: string, part: Part, rest: string, values: SqlValue[]) => {
    const number = findOwner(database, owner);
    const rows =
      number === undefined ? [] : database.all<TransferRows[Part]>(`${parts[part]} ${rest}`, [number, ...values]);
    return part === "documents" ? (withContents(database, rows as NumberedDocuments) as TransferRows[Part][]) : rows;
  };
  return {
    shown: database.path,
    owners: async () =>
      database.all<{ name: string }>("SELECT name FROM owners ORDER BY name").map(({ name }) => unescapeText(name)),
    revisions: async (owner) =>
      database.get<TransferRevisions>(
        "SELECT revision AS records, library_revision AS library, usage_revision AS usage FROM owners WHERE name = ?",
        [escapeText(owner)],
      ) ?? { records: 0, library: 0, usage: 0 },
    async page(owner, part, after, limit) {
      if (part === "usage") {
        const last = (after as TransferRows["usage"] | undefined)?.number ?? 0;
        return select(owner, part, "AND number > ? ORDER BY number LIMIT ?", [last, limit]);
      }
      return select(owner, part, `AND ${idOf[part]} > ? ORDER BY ${idOf[part]} LIMIT ?`, [after?.id ?? "", limit]);
    },
    byId: async (owner, part, ids) =>
      select(owner, part, `AND ${idOf[part]} IN (SELECT value FROM json_each(?))`, [JSON.stringify(ids)]),
    async write(owner, part, rows) {
      database.transaction("write", () => {
        const number = makeOwner(database, owner);
        for (const row of rows) writers[part](database, number, row as never);
      });
    },
    async remove(owner, part, ids) {
      const table = part === "usage" ? "usage" : "thread_references";
      database.run(`DELETE FROM ${table} WHERE owner = ? AND id IN (SELECT value FROM json_each(?))`, [
        findOwner(database, owner) ?? 0,
        JSON.stringify(ids),
      ]);
    },
    async saveRevisions(owner, { records, library, usage }) {
      database.transaction("write", () =>
        database.run(
          `UPDATE owners SET revision = max(revision, ?), library_revision = max(library_revision, ?),
           usage_revision = max(usage_revision, ?) WHERE id = ?`,
          [records, library, usage, makeOwner(database, owner)],
        ),
      );
    },
    keys: async () =>
      database.all<KeyRow>(
        `SELECT keys.id, keys.name, owners.name AS owner, scope, hash, hint, created, expires, used, revoked
         FROM keys JOIN owners ON owners.id = keys.owner ORDER BY number`,
      ),
    async writeKeys(keys) {
      database.transaction("write", () => {
        for (const { id, name, owner, scope, hash, hint, created, expires, used, revoked } of keys) {
          const values = [
            makeOwner(database, unescapeText(owner)),
            name,
            scope,
            hash,
            hint,
            created,
            expires,
            used,
            revoked,
          ];
          database.run(
            `INSERT INTO keys(owner, name, scope, hash, hint, created, expires, used, revoked, id) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT(id) DO UPDATE SET expires = excluded.expires, used = excluded.used, revoked = excluded.revoked`,
            [...values, id],
          );
        }
      });
    },
    async close() {
      emptyLog(database);
      database.close();
    },
  };
}

type NumberedDocuments = (TransferRows["documents"] & { number: number })[];

function withContents(database: Database, rows: NumberedDocuments): TransferRows["documents"][] {
  // Includes deleted records, which may be restored.
  const page = pageWithin(
    rows.map((row) => ({ ...row, deleted: null })),
    transferBytes,
  ).length;
  return rows.slice(0, page).map(({ number, ...row }) => {
    const sql = "SELECT content FROM contents WHERE document = ?";
    const stored = database.get<{ content: Uint8Array | string }>(sql, [number]);
    return { ...row, content: stored ? unpackContent(stored.content) : null };
  });
}

type Writers = { [Part in TransferPart]: (database: Database, owner: number, row: TransferRows[Part]) => void };

const writers: Writers = {
  records(database, owner, row) {
    if (row.slot !== null && row.deleted === null) {
      database.run("UPDATE records SET slot = NULL WHERE owner = ? AND slot = ? AND id <> ?", [
        owner,
        row.slot,
        row.id,
      ]);
    }
    saveRow(database, owner, row, ownRows(database, owner, "id = ?", [row.id])[0]);
  },
  documents(database, owner, row) {
    const { id, path, type, size, hash, version, created, changed, accessed, deleted, revision, content } = row;
    if (path !== null && deleted === null) {
      const freed = "UPDATE documents SET path = NULL WHERE owner = ? AND path = ? AND id <> ? AND deleted IS NULL";
      database.run(freed, [owner, path, id]);
    }
    const { number } = database.get<{ number: number }>(
      `INSERT INTO documents(owner, id, path, type, size, hash, version, created, changed, accessed, deleted, revision)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(owner, id) DO UPDATE SET path = excluded.path, type = excluded.type,
         size = excluded.size, hash = excluded.hash, version = excluded.version, created = excluded.created,
         changed = excluded.changed, accessed = excluded.accessed, deleted = excluded.deleted, revision = excluded.revision
       RETURNING number`,
      [owner, id, path, type, size, hash, version, created, changed, accessed, deleted, revision],
    )!;
    if (content === null) database.run("DELETE FROM contents WHERE document = ?", [number]);
    else
      database.run("INSERT OR REPLACE INTO contents(document, content) VALUES(?, ?)", [number, packContent(content)]);
  },
  threads(database, owner, row) {
    const { id, title, parent, branched, first, count, created, changed, deleted } = row;
    const folded = title === null ? null : titleColumns(unescapeText(title)).folded;
    const parentNumber = parent === null ? null : threadNumber(database, owner, parent);
    database.run(
      `INSERT INTO threads(owner, id, title, folded, parent, branched, first, count, created, changed, deleted)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(owner, id) DO UPDATE SET title = excluded.title, folded = excluded.folded,
         parent = excluded.parent, branched = excluded.branched, first = excluded.first, count = excluded.count,
         created = excluded.created, changed = excluded.changed, deleted = excluded.deleted`,
      [owner, id, title, folded, parentNumber, branched, first, count, created, changed, deleted],
    );
  },
  messages(database, owner, row) {
    const { id, thread, place, given, role, speaker, session, at, blocks, revision } = row;
    const values = [threadNumber(database, owner, thread), place, given, role, speaker, session, at, blocks, revision];
    database.run(
      `INSERT INTO messages(owner, id, thread, place, given, role, speaker, session, at, blocks, revision)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(owner, id) DO UPDATE SET given = excluded.given, role = excluded.role,
         speaker = excluded.speaker, session = excluded.session, at = excluded.at, blocks = excluded.blocks, revision = excluded.revision`,
      [owner, id, ...values],
    );
  },
  references(database, owner, row) {
    const { id, thread, kind, target, source, priority, added, place } = row;
    database.run(
      `INSERT INTO thread_references(owner, id, thread, kind, target, source, priority, added, place)
       VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(owner, id) DO UPDATE SET source = excluded.source, priority = excluded.priority`,
      [owner, id, threadNumber(database, owner, thread), kind, target, source, priority, added, place],
    );
  },
  usage(database, owner, { id, item, kind, context, at }) {
    const sql = "INSERT INTO usage(owner, id, item, kind, context, at) VALUES(?, ?, ?, ?, ?, ?)";
    database.run(sql, [owner, id, item, kind, context, at]);
  },
};

/** A thread that is referred to before its own row arrives is created empty, like a purged one. */
function threadNumber(database: Database, owner: number, id: string): number {
  const find = "SELECT number FROM threads WHERE owner = ? AND id = ?";
  const existing = database.get<{ number: number }>(find, [owner, id]);
  if (existing) return existing.number;
  database.run("INSERT INTO threads(owner, id, first, count, created, changed, deleted) VALUES(?, ?, 1, 0, 0, 0, 0)", [
    owner,
    id,
  ]);
  return database.get<{ number: number }>(find, [owner, id])!.number;
}
