import type { TransactionQueries } from "../engine/session/session.ts";
import type { ChangedPostings } from "../search/segments.ts";
import { storeVectors, vectorsOf } from "../search/vectors.ts";
import type { InternedNames } from "./names.ts";
import type { GoneItem, StateBefore } from "./state-before-write.ts";

/** Removes files with everything they contributed, and items whose ids now belong to another file. */
export async function removeGone(
  queries: TransactionQueries,
  shelf: number,
  { files, items, links }: StateBefore,
  names: InternedNames,
  postings: ChangedPostings,
): Promise<void> {
  for (const { id, name, unit, whole } of items) {
    if (name > 0) names.releaseItem(name);
    if (unit !== null) postings.unit.remove(id, unit);
    if (whole !== null) postings.file.remove(id, whole);
  }
  for (const { target, whole } of links) {
    names.releaseLink(target);
    if (whole > 0) names.releaseLink(whole);
  }
  const deletes: Promise<unknown>[] = [];
  const remove = (table: string, column: string, numbers: readonly number[], also = "") =>
    deletes.push(
      queries.run(`DELETE FROM ${table} WHERE owner = $1 AND shelf = $2 ${also} AND ${column} = ANY($3::int[])`, [
        shelf,
        numbers,
      ]),
    );
  const claimed = items.filter(({ with_file }) => !with_file);
  // Read before anything is deleted, and stored after it: statements run in the order in which they are issued.
  const pending = claimed.length > 0 ? removeClaimed(queries, shelf, claimed) : undefined;
  if (items.length > 0) {
    const numbers = items.map(({ id }) => id);
    remove("items", "id", numbers);
    remove("terms", "item", numbers, "AND scope IN (0, 1)");
  }
  if (files.length > 0) {
    remove("links", "file", files);
    for (const table of ["vectors", "texts"]) remove(table, "file", files);
    remove("files", "id", files);
  }
  await Promise.all([pending, ...deletes]);
}

/** Items of files that stay. */
async function removeClaimed(queries: TransactionQueries, shelf: number, items: readonly GoneItem[]): Promise<void> {
  const files = items.map(({ file }) => file);
  const numbers = items.map(({ id }) => id);
  const stored = vectorsOf(queries, shelf, [...new Set(files)]);
  await Promise.all([
    queries.run(
      `DELETE FROM links AS l USING unnest($3::int[], $4::int[]) AS g(file, item)
       WHERE l.owner = $1 AND l.shelf = $2 AND l.file = g.file AND l.item = g.item`,
      [shelf, files, numbers],
    ),
    queries.run(
      `UPDATE files AS f SET items = f.items - g.count FROM (SELECT file, count(*) FROM unnest($3::int[]) AS u(file) GROUP BY file) AS g
       WHERE f.owner = $1 AND f.shelf = $2 AND f.id = g.file`,
      [shelf, files],
    ),
  ]);
  const changed = new Map<number, Map<number, Int8Array>>();
  for (const [file, vectors] of await stored) {
    const removed = numbers.filter((number) => vectors.delete(number));
    if (removed.length > 0) changed.set(file, vectors);
  }
  await storeVectors(queries, shelf, changed);
}
