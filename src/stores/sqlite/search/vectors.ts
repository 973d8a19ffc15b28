import { type Matrix, type MatrixPart, packMatrix } from "../../search/matrix.ts";
import type { Hit, VectorSearch } from "../../store.ts";
import type { Database } from "../engine/driver.ts";
import { cacheOf, ensureOwner, findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { numbersOf } from "../items/items.ts";
import { best } from "./bm25.ts";

type StoredVectors = { file: number; items: Uint8Array; data: Uint8Array };

/** Exact search over all vectors of the query's length. They are loaded once per revision, at the first search. */
export function searchVectors(session: StoreSession, ownerName: string, search: VectorSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.vector.length === 0 || search.limit <= 0) return [];
    const matrix = matrixOf(session, owner, search.vector.length);
    const { ids, ...others } = search.filter ?? {};
    if (ids && Object.values(others).every((value) => value === undefined)) {
      const { numbers, scores } = matrix.scoresOf(search.vector, numbersOf(session, owner, ids));
      return best(session, owner, scores, { limit: search.limit }, { numbers });
    }
    const scores = matrix.scores(search.vector);
    return best(session, owner, scores, search, { numbers: matrix.numbers });
  });
}

/** Files whose vectors are read together, to bound the size of a row. */
const filesPerRow = 500;

function matrixOf(session: StoreSession, owner: Owner, dimensions: number): Matrix {
  const { matrices } = cacheOf(session, owner);
  let matrix = matrices.get(dimensions);
  if (!matrix) {
    // Many files in one row: a row of its own for each file takes longer than its bytes. SQLite joins the bytes as they are, whatever text they would be.
    const rows = session.database.all<Omit<StoredVectors, "file">>(
      `SELECT CAST(group_concat(v.items, '') AS BLOB) AS items, CAST(group_concat(v.data, '') AS BLOB) AS data
       FROM files AS f CROSS JOIN vectors AS v ON v.file = f.id
       WHERE f.owner = ? AND length(v.data) = length(v.items) / 4 * ? GROUP BY f.id / ${filesPerRow}`,
      [owner.id, dimensions],
    );
    matrix = packMatrix(rows.map(toPart), dimensions);
    matrices.set(dimensions, matrix);
  }
  return matrix;
}

function toPart({ items, data }: Omit<StoredVectors, "file">): MatrixPart {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  const numbers = new Uint32Array(items.slice().buffer);
  return { numbers, data: new Int8Array(data.buffer, data.byteOffset, data.length) };
}

/** Replaces the vectors of one file's items. Inside a write transaction. */
export function storeVectors(database: Database, file: number, vectors: Map<number, Int8Array>): void {
  if (vectors.size === 0) {
    database.run("DELETE FROM vectors WHERE file = ?", [file]);
    return;
  }
  // One length per file: after a change of embedder, remaining old vectors are dropped.
  const dimensions = [...vectors.values()].at(-1)!.length;
  const sameLength = [...vectors].filter(([, vector]) => vector.length === dimensions);
  const data = new Int8Array(sameLength.length * dimensions);
  sameLength.forEach(([, vector], i) => {
    data.set(vector, i * dimensions);
  });
  database.run("INSERT OR REPLACE INTO vectors(file, items, data) VALUES(?, ?, ?)", [
    file,
    new Uint8Array(Uint32Array.from(sameLength, ([number]) => number).buffer),
    new Uint8Array(data.buffer),
  ]);
}

/** The vectors of one file's items, by item number. */
export function vectorsOf(database: Database, file: number): Map<number, Int8Array> {
  const row = database.get<StoredVectors>("SELECT items, data FROM vectors WHERE file = ?", [file]);
  if (!row) return new Map();
  const { numbers, data } = toPart(row);
  const dimensions = data.length / numbers.length;
  return new Map(Array.from(numbers, (number, i) => [number, data.subarray(i * dimensions, (i + 1) * dimensions)]));
}

export function writeVectors(database: Database, ownerName: string, vectors: Map<string, Int8Array>): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    const rows = database.all<{ id: number; key: string; file: number }>(
      "SELECT i.id, i.key, i.file FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value ORDER BY i.file",
      [JSON.stringify([...vectors.keys()]), owner.id],
    );
    for (let at = 0; at < rows.length; ) {
      const { file } = rows[at]!;
      const stored = vectorsOf(database, file);
      for (; at < rows.length && rows[at]!.file === file; at++) {
        const { id, key } = rows[at]!;
        stored.delete(id);
        stored.set(id, vectors.get(key)!);
      }
      storeVectors(database, file, stored);
    }
    database.run("UPDATE owners SET revision = revision + 1 WHERE id = ?", [owner.id]);
  });
}
