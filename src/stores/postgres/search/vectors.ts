import { type Matrix, type MatrixPart, packMatrix } from "../../search/matrix.ts";
import { toNumbers } from "../../search/posting-parts.ts";
import type { Hit, VectorSearch } from "../../store.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import type { ShelfView } from "../engine/shelf.ts";
import { numbersOf } from "../items/items.ts";
import { passing } from "./filter.ts";
import { best } from "./text.ts";

/** Exact search over all vectors of the query's length. They are loaded once per revision, at the first search. */
export async function searchVectors(view: ShelfView, search: VectorSearch): Promise<Hit[]> {
  if (search.vector.length === 0 || search.limit <= 0) return [];
  const matrix = await matrixOf(view, search.vector.length);
  const { ids, ...others } = search.filter ?? {};
  if (ids && Object.values(others).every((value) => value === undefined)) {
    const { numbers, scores } = matrix.scoresOf(search.vector, await numbersOf(view, ids));
    return best(view, scores, search.limit, undefined, { numbers });
  }
  const allowed = await passing(view, search.filter);
  return best(view, matrix.scores(search.vector), search.limit, allowed, { numbers: matrix.numbers });
}

async function matrixOf(view: ShelfView, dimensions: number): Promise<Matrix> {
  const { matrices } = view.cache;
  let matrix = matrices.get(dimensions);
  if (!matrix) {
    const rows = await view.all<PackedVectors>(
      `SELECT items, data FROM vectors WHERE owner = $1 AND shelf = $2 AND length(data) = length(items) / 4 * $3::int ORDER BY file`,
      [dimensions],
    );
    matrix = packMatrix(rows.map(toPart), dimensions);
    matrices.set(dimensions, matrix);
  }
  return matrix;
}

/**
 * Vectors of one file's items: their numbers (uint32, little-endian), and one vector after the other, all of one
 * length.
 */
type PackedVectors = { items: Uint8Array; data: Uint8Array };

function toPart({ items, data }: PackedVectors): MatrixPart {
  return { numbers: toNumbers(items), data: new Int8Array(data.buffer, data.byteOffset, data.length) };
}

function unpackVectors(packed: PackedVectors): Map<number, Int8Array> {
  const { numbers, data } = toPart(packed);
  const dimensions = data.length / Math.max(1, numbers.length);
  return new Map(Array.from(numbers, (number, i) => [number, data.slice(i * dimensions, (i + 1) * dimensions)]));
}

/** All of the last one's length: after a change of embedder, remaining old vectors are dropped. */
function packVectors(vectors: ReadonlyMap<number, Int8Array>): PackedVectors {
  const dimensions = [...vectors.values()].at(-1)?.length ?? 0;
  const sameLength = [...vectors].filter(([, vector]) => vector.length === dimensions);
  const data = new Int8Array(sameLength.length * dimensions);
  sameLength.forEach(([, vector], i) => {
    data.set(vector, i * dimensions);
  });
  return {
    items: new Uint8Array(Uint32Array.from(sameLength, ([number]) => number).buffer),
    data: new Uint8Array(data.buffer),
  };
}

/** Replaces the vectors of these files, by file number; files without any have no row. */
export async function storeVectors(
  queries: TransactionQueries,
  shelf: number,
  files: ReadonlyMap<number, ReadonlyMap<number, Int8Array>>,
): Promise<void> {
  if (files.size === 0) return;
  const full = [...files]
    .filter(([, vectors]) => vectors.size > 0)
    .map(([file, vectors]) => ({ file, ...packVectors(vectors) }));
  await Promise.all([
    queries.run("DELETE FROM vectors WHERE owner = $1 AND shelf = $2 AND file = ANY($3::int[])", [
      shelf,
      [...files.keys()],
    ]),
    queries.run(
      `INSERT INTO vectors(owner, shelf, file, items, data)
       SELECT $1, $2, file, items, data FROM unnest($3::int[], $4::bytea[], $5::bytea[]) AS v(file, items, data)`,
      [shelf, full.map(({ file }) => file), full.map(({ items }) => items), full.map(({ data }) => data)],
    ),
  ]);
}

/** The stored vectors of these files, by file number. */
export async function vectorsOf(
  queries: TransactionQueries,
  shelf: number,
  files: readonly number[],
): Promise<Map<number, Map<number, Int8Array>>> {
  const rows = await queries.all<PackedVectors & { file: number }>(
    "SELECT file, items, data FROM vectors WHERE owner = $1 AND shelf = $2 AND file = ANY($3::int[])",
    [shelf, files],
  );
  return new Map(rows.map(({ file, ...packed }) => [file, unpackVectors(packed)]));
}

export async function writeVectors(
  queries: TransactionQueries,
  shelf: number,
  vectors: ReadonlyMap<string, Int8Array>,
): Promise<void> {
  const [, rows, stored] = await Promise.all([
    queries.run(
      `INSERT INTO shelves(owner, shelf, revision) VALUES($1, $2, 1)
       ON CONFLICT (owner, shelf) DO UPDATE SET revision = shelves.revision + 1`,
      [shelf],
    ),
    queries.all<{ id: number; key: string; file: number }>(
      "SELECT id, key, file FROM items WHERE owner = $1 AND shelf = $2 AND key = ANY($3::text[]) ORDER BY file, id",
      [shelf, [...vectors.keys()]],
    ),
    queries.all<PackedVectors & { file: number }>(
      `SELECT file, items, data FROM vectors WHERE owner = $1 AND shelf = $2
       AND file IN (SELECT i.file FROM items AS i WHERE i.owner = $1 AND i.shelf = $2 AND i.key = ANY($3::text[]))`,
      [shelf, [...vectors.keys()]],
    ),
  ]);
  const files = new Map(stored.map(({ file, ...packed }) => [file, unpackVectors(packed)]));
  const changed = new Map<number, Map<number, Int8Array>>();
  for (const { id, key, file } of rows) {
    const all = changed.get(file) ?? files.get(file) ?? new Map<number, Int8Array>();
    all.delete(id);
    all.set(id, vectors.get(key)!);
    changed.set(file, all);
  }
  await storeVectors(queries, shelf, changed);
}
