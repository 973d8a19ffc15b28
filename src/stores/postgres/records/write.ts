import type { RecordWrite, StoredRecord } from "../../records.ts";
import { marksOf } from "../../rules/marks.ts";
import {
  applyChange,
  asRecord,
  planPurge,
  planRemove,
  planRestore,
  planWrite,
  type RecordRow,
} from "../../rules/record-rows.ts";
import { escapedOrNull } from "../../rules/stored-text.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import { longMark, markHash, pathHash } from "./filter.ts";
import { type Revisions, saveRevision } from "./owner-rows.ts";
import { selectRows } from "./read.ts";

/** Each of these runs within a transaction that holds the owner's revisions. */

export async function writeRecords(
  queries: TransactionQueries,
  { records: revision }: Revisions,
  records: readonly RecordWrite[],
  { removed, at }: { removed: readonly string[]; at: number },
): Promise<RecordRow[]> {
  const ids = [...removed, ...records.map(({ id }) => id)];
  const slots = records.flatMap(({ slot }) => escapedOrNull(slot) ?? []);
  const existing = await selectRows(queries, "(id = ANY($2) OR (slot = ANY($3) AND deleted IS NULL))", [ids, slots]);
  const changes = planWrite(existing, records, { removed, at, revision });
  await saveRows(queries, changes.rows, changes.revision);
  return changes.rows;
}

export async function changeRecord(
  queries: TransactionQueries,
  revisions: Revisions,
  id: string,
  change: (record: StoredRecord) => RecordWrite,
): Promise<StoredRecord> {
  const [before] = await selectRows(queries, "id = $2", [id]);
  const [row] = await writeRecords(queries, revisions, [applyChange(before, id, change)], { removed: [], at: 0 });
  return asRecord(row!);
}

export async function removeRecord(
  queries: TransactionQueries,
  { records: revision }: Revisions,
  id: string,
  at: number,
): Promise<boolean> {
  const [existing] = await selectRows(queries, "id = $2", [id]);
  return saveOne(queries, planRemove(existing, at, revision + 1));
}

export async function restoreRecord(
  queries: TransactionQueries,
  { records: revision }: Revisions,
  id: string,
): Promise<boolean> {
  const [existing] = await selectRows(queries, "id = $2", [id]);
  const slot = existing?.slot ?? undefined;
  const [holder] =
    slot === undefined ? [] : await selectRows(queries, "slot = $2 AND deleted IS NULL", [escapedOrNull(slot)]);
  return saveOne(queries, planRestore(existing, holder?.id, revision + 1));
}

export async function purgeRecords(
  queries: TransactionQueries,
  { records: revision }: Revisions,
  ids: readonly string[],
  at: number,
): Promise<boolean> {
  const existing = new Map((await selectRows(queries, "id = ANY($2)", [ids])).map((row) => [row.id, row]));
  const rows: RecordRow[] = [];
  for (const id of new Set(ids)) {
    const row = planPurge(existing.get(id), at, revision + rows.length + 1);
    if (row) rows.push(row);
  }
  if (rows.length > 0) await saveRows(queries, rows, revision + rows.length);
  return rows.length > 0;
}

async function saveOne(queries: TransactionQueries, row: RecordRow | undefined): Promise<boolean> {
  if (row) await saveRows(queries, [row], row.revision);
  return row !== undefined;
}

/** Sent together: one round trip, whatever there is to write. */
export async function saveRows(
  queries: TransactionQueries,
  rows: readonly RecordRow[],
  revision: number,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const marks = rows.flatMap(marksOfRow);
  await Promise.all([
    // A mark knows its record by the revision, which changes with every write.
    queries.run(
      "DELETE FROM record_marks WHERE owner = $1 AND revision IN (SELECT revision FROM records WHERE owner = $1 AND id = ANY($2))",
      [ids],
    ),
    // Slots are released before any is taken, so that records of one write may hand one over.
    queries.run("UPDATE records SET slot = NULL WHERE owner = $1 AND id = ANY($2) AND slot IS NOT NULL", [ids]),
    queries.run(
      `INSERT INTO records(owner, id, type, created, changed, revision, deleted, slot, body)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::double precision[], $5::double precision[], $6::bigint[],
         $7::double precision[], $8::text[], $9::text[])
       ON CONFLICT (owner, id) DO UPDATE SET created = excluded.created, changed = excluded.changed,
         revision = excluded.revision, deleted = excluded.deleted, slot = excluded.slot, body = excluded.body`,
      [
        ids,
        rows.map(({ type }) => type),
        rows.map(({ created }) => created),
        rows.map(({ changed }) => changed),
        rows.map((row) => row.revision),
        rows.map(({ deleted }) => deleted),
        rows.map(({ slot }) => escapedOrNull(slot ?? undefined)),
        rows.map(({ body }) => body),
      ],
    ),
    queries.run(
      `INSERT INTO record_marks(owner, revision, path, value, number)
       SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::double precision[])`,
      [
        marks.map((mark) => mark.revision),
        marks.map(({ type, path }) => pathHash(type, path)),
        marks.map(({ type, path, value }) => markHash(type, path, value)),
        marks.map(({ value }) => (typeof value === "number" ? value : null)),
      ],
    ),
    saveRevision(queries, "records", revision),
  ]);
}

type Mark = { revision: number; type: string; path: string; value: string | number };

function marksOfRow({ revision, type, body }: RecordRow): Mark[] {
  if (body === null) return [];
  return [...marksOf(JSON.parse(body), longMark)].map((mark) => {
    const [path, value] = JSON.parse(mark) as [string, string | number];
    return { revision, type, path, value };
  });
}
