import { pageWithin } from "../../rules/document-rows.ts";
import type { KeyRow } from "../../rules/key-rows.ts";
import { escapeText, packContent, unescapeText } from "../../rules/stored-text.ts";
import { titleColumns } from "../../rules/thread-rows.ts";
import { type Transfer, type TransferPart, type TransferRows, transferBytes } from "../../transfer.ts";
import type { PostgresSession, TransactionQueries } from "../engine/session/session.ts";
import { contentFrom } from "../library/documents.ts";
import { lockRevisions, type Revisions, recordOwner } from "./owner-rows.ts";
import { saveRows } from "./write.ts";

/** Columns of each part as SQL types, for reading, and for writing rows from JSON. */
const columns: Record<TransferPart, Record<string, string>> = {
  records: {
    ...{ id: "text", type: "text", created: "float8", changed: "float8", revision: "bigint" },
    ...{ deleted: "float8", slot: "text", body: "text" },
  },
  documents: {
    ...{ id: "text", path: "text", type: "text", size: "bigint", hash: "text", version: "bigint", created: "float8" },
    ...{ changed: "float8", accessed: "float8", deleted: "float8", revision: "bigint" },
  },
  threads: {
    ...{ id: "text", title: "text", parent: "text", branched: "text", first: "bigint", count: "bigint" },
    ...{ created: "float8", changed: "float8", deleted: "float8" },
  },
  messages: {
    ...{ id: "text", thread: "text", place: "bigint", given: "text", role: "text", speaker: "text" },
    ...{ session: "text", at: "float8", blocks: "text", revision: "bigint" },
  },
  references: {
    ...{ id: "text", thread: "text", kind: "text", target: "text", source: "text" },
    ...{ priority: "float8", added: "float8", place: "bigint" },
  },
  usage: { id: "text", item: "text", kind: "text", context: "text", at: "float8", number: "bigint" },
};
const tables: Record<TransferPart, string> = {
  ...{ records: "records", documents: "documents", threads: "threads", messages: "messages" },
  ...{ references: "thread_references", usage: "usage" },
};

/** The rows of records, library and keys of a workspace, over a session, which it closes. */
export function postgresTransfer(session: PostgresSession): Transfer {
  const of = (owner: string) => session.of(recordOwner(owner));
  const select = async <Part extends TransferPart>(owner: string, part: Part, rest: string, values: unknown[]) => {
    // Events are identified by their position among all of the owner's.
    const names = Object.keys(columns[part]).map((name) =>
      part === "usage" && name === "number" ? "row_number() OVER (ORDER BY number) AS number" : name,
    );
    const from = `SELECT ${names.join(", ")} FROM ${tables[part]} WHERE owner = $1`;
    const sql = part === "usage" ? `SELECT * FROM (${from}) AS events WHERE true ${rest}` : `${from} ${rest}`;
    const rows = await of(owner).all<TransferRows[Part]>(sql, values);
    if (part === "documents") return (await withContents(session, owner, rows as Documents)) as TransferRows[Part][];
    if (part === "records") return (rows as TransferRows["records"][]).map(givenSlot) as TransferRows[Part][];
    return rows;
  };
  const writing = (owner: string, work: (queries: TransactionQueries, revisions: Revisions) => Promise<unknown>) =>
    session.transaction(
      recordOwner(owner),
      async (queries) => {
        await work(queries, await lockRevisions(queries));
      },
      { idempotent: true },
    );
  return {
    shown: `${session.shown} (${session.workspace})`,
    async owners() {
      const sql = "SELECT name FROM owners WHERE workspace = $1 ORDER BY name";
      const rows = await session.shared.all<{ name: string }>(sql, [session.workspace]);
      const wrote = await Promise.all(
        rows.map(({ name }) => session.of(name).get("SELECT 1 AS one FROM record_revisions WHERE owner = $1")),
      );
      return rows.filter((_, i) => wrote[i] !== undefined).map(({ name }) => unescapeText(name));
    },
    revisions: async (owner) =>
      (await of(owner).get<Revisions>("SELECT records, library, usage FROM record_revisions WHERE owner = $1")) ?? {
        records: 0,
        library: 0,
        usage: 0,
      },
    page: (owner, part, after, limit) =>
      part === "usage"
        ? select(owner, part, "AND number > $2 ORDER BY number LIMIT $3", [
            (after as TransferRows["usage"] | undefined)?.number ?? 0,
            limit,
          ])
        : select(owner, part, "AND id > $2 ORDER BY id LIMIT $3", [after?.id ?? "", limit]),
    byId: (owner, part, ids) => select(owner, part, "AND id = ANY($2)", [ids]),
    write: (owner, part, rows) =>
      writing(owner, async (queries, revisions) => {
        if (part === "records") return writeRecords(queries, revisions, rows as TransferRows["records"][]);
        if (part === "documents") return writeDocuments(queries, rows as TransferRows["documents"][]);
        if (part === "threads") return upsert(queries, part, (rows as TransferRows["threads"][]).map(withFolded));
        return upsert(queries, part, rows);
      }),
    async remove(owner, part, ids) {
      await writing(owner, (queries) =>
        queries.run(`DELETE FROM ${tables[part]} WHERE owner = $1 AND id = ANY($2)`, [ids]),
      );
    },
    saveRevisions: (owner, { records, library, usage }) =>
      writing(owner, (queries) =>
        queries.run(
          `UPDATE record_revisions SET records = greatest(records, $2), library = greatest(library, $3), usage = greatest(usage, $4)
           WHERE owner = $1`,
          [records, library, usage],
        ),
      ),
    keys: () =>
      session.shared.all<KeyRow>(
        `SELECT id, name, owner, scope, hash, hint, created, expires, used, revoked FROM keys WHERE workspace = $1 ORDER BY number`,
        [session.workspace],
      ),
    async writeKeys(keys) {
      await session.sharedTransaction(async (queries) => {
        for (const { id, name, owner, scope, hash, hint, created, expires, used, revoked } of keys) {
          await queries.run(
            `INSERT INTO keys(workspace, id, name, owner, scope, hash, hint, created, expires, used, revoked)
             VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT (workspace, id) DO UPDATE SET expires = excluded.expires, used = excluded.used, revoked = excluded.revoked`,
            [session.workspace, id, name, owner, scope, hash, hint, created, expires, used, revoked],
          );
        }
      });
    },
    close: () => session.close(),
  };
}

type Documents = Omit<TransferRows["documents"], "content">[];

async function withContents(
  session: PostgresSession,
  owner: string,
  rows: Documents,
): Promise<TransferRows["documents"][]> {
  // Including deleted ones, which may be restored.
  const page = rows.slice(
    0,
    pageWithin(
      rows.map((row) => ({ ...row, deleted: null })),
      transferBytes,
    ).length,
  );
  const contents = await session
    .of(recordOwner(owner))
    .all<{ document: string; content: Uint8Array; escaped: boolean }>(
      "SELECT document, content, escaped FROM contents WHERE owner = $1 AND document = ANY($2)",
      [page.map(({ id }) => id)],
    );
  const byId = new Map(contents.map((row) => [row.document, contentFrom(row)]));
  return page.map((row) => ({ ...row, content: byId.get(row.id) ?? null }));
}

const givenSlot = (row: TransferRows["records"]) => ({
  ...row,
  slot: row.slot === null ? null : unescapeText(row.slot),
});

const withFolded = (row: TransferRows["threads"]) => ({
  ...row,
  folded: row.title === null ? null : titleColumns(unescapeText(row.title)).folded,
});

async function writeRecords(
  queries: TransactionQueries,
  { records }: Revisions,
  rows: TransferRows["records"][],
): Promise<void> {
  const slots = rows.flatMap(({ slot, deleted }) => (slot === null || deleted !== null ? [] : escapeText(slot)));
  await queries.run("UPDATE records SET slot = NULL WHERE owner = $1 AND slot = ANY($2)", [slots]);
  await saveRows(queries, rows, records);
}

async function writeDocuments(queries: TransactionQueries, rows: TransferRows["documents"][]): Promise<void> {
  const paths = rows.flatMap(({ path, deleted }) => (path === null || deleted !== null ? [] : path));
  const contents = rows.flatMap(({ id, content }) => (content === null ? [] : [{ id, packed: packContent(content) }]));
  await queries.run("UPDATE documents SET path = NULL WHERE owner = $1 AND path = ANY($2) AND deleted IS NULL", [
    paths,
  ]);
  await upsert(
    queries,
    "documents",
    rows.map(({ content: _content, ...row }) => row),
  );
  await queries.run("DELETE FROM contents WHERE owner = $1 AND document = ANY($2)", [rows.map(({ id }) => id)]);
  await queries.run(
    `INSERT INTO contents(owner, document, content, escaped)
     SELECT $1, j.* FROM unnest($2::text[], $3::bytea[], $4::boolean[]) AS j`,
    [
      contents.map(({ id }) => id),
      contents.map(({ packed }) => Buffer.from(packed as string)),
      contents.map(({ packed }) => typeof packed === "string"),
    ],
  );
}

/** Texts of rows contain no NUL and no lone surrogate, so JSON can carry them. */
function upsert(queries: TransactionQueries, part: TransferPart, rows: object[]): Promise<number> {
  const types = { ...columns[part], ...(part === "threads" && { folded: "text" }) };
  const names = Object.keys(types);
  return queries.run(
    `INSERT INTO ${tables[part]}(owner, ${names.join(", ")})
     SELECT $1, j.* FROM json_to_recordset($2::json) AS j(${Object.entries(types)
       .map(([name, type]) => `${name} ${type}`)
       .join(", ")})
     ON CONFLICT (owner, id) DO UPDATE SET ${names
       .filter((name) => name !== "id")
       .map((name) => `${name} = excluded.${name}`)
       .join(", ")}`,
    [JSON.stringify(rows)],
  );
}
