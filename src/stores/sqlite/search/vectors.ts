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

/** Vectors of one length with the file of each row, so that writing one file leaves the rows of others in place. */
export type FileVectors = { matrix: Matrix; files: FileRows };

/** File numbers, ascending, and the number of rows of each. */
type FileRows = { numbers: number[]; counts: number[] };

/** Vectors of some files, in the order of file numbers. */
type VectorParts = { parts: MatrixPart[]; files: FileRows };

function matrixOf(session: StoreSession, owner: Owner, dimensions: number): Matrix {
  const { database } = session;
  const { matrices, earlier } = cacheOf(session, owner);
  let vectors = matrices.get(dimensions);
  if (!vectors) {
    const before = earlier?.matrices.get(dimensions);
    const { parts, files } = before
      ? withWritten(before, vectorsIn(database, ownFiles(database, owner, earlier!.files), dimensions), earlier!.files)
      : vectorsIn(database, filesOf(database, owner), dimensions);
    vectors = { matrix: packMatrix(parts, dimensions), files };
    matrices.set(dimensions, vectors);
    earlier?.matrices.delete(dimensions);
  }
  return vectors.matrix;
}

function filesOf(database: Database, { id }: Owner): number[] {
  const { ids } = database.get<{ ids: string }>("SELECT json_group_array(id) AS ids FROM files WHERE owner = ?", [id])!;
  return JSON.parse(ids) as number[];
}

/** The number of a removed file may belong to another owner meanwhile. */
function ownFiles(database: Database, { id }: Owner, among: ReadonlySet<number>): number[] {
  const { ids } = database.get<{ ids: string }>(
    "SELECT json_group_array(f.id) AS ids FROM json_each(?) AS j CROSS JOIN files AS f ON f.id = j.value WHERE f.owner = ?",
    [JSON.stringify([...among]), id],
  )!;
  return JSON.parse(ids) as number[];
}

/** Files whose vectors are read together, to bound the size of a row. */
const filesPerRow = 500;

type JoinedRow = { items: Uint8Array | null; data: Uint8Array; files: string; counts: string };

function vectorsIn(database: Database, fileNumbers: readonly number[], dimensions: number): VectorParts {
  const numbers = fileNumbers.toSorted((a, b) => a - b);
  const files: FileRows = { numbers: [], counts: [] };
  const parts: MatrixPart[] = [];
  for (let from = 0; from < numbers.length; from += filesPerRow) {
    // Many files are read in one row: one row per file takes longer than its bytes. The rows are not grouped, which
    // would sort the bytes and take twice as long. SQLite joins the bytes unchanged, even if they are not valid text.
    const row = database.get<JoinedRow>(
      `SELECT CAST(group_concat(v.items, '') AS BLOB) AS items, CAST(group_concat(v.data, '') AS BLOB) AS data,
         json_group_array(v.file) AS files, json_group_array(length(v.items) / 4) AS counts
       FROM json_each(?) AS j CROSS JOIN vectors AS v ON v.file = j.value WHERE length(v.data) = length(v.items) / 4 * ?`,
      [JSON.stringify(numbers.slice(from, from + filesPerRow)), dimensions],
    )!;
    if (row.items === null) continue;
    parts.push(toPart({ items: row.items, data: row.data }));
    for (const number of JSON.parse(row.files) as number[]) files.numbers.push(number);
    for (const count of JSON.parse(row.counts) as number[]) files.counts.push(count);
  }
  return { parts, files };
}

/**
 * The earlier vectors, with the written files' rows replaced: the same rows in the same order as if everything were
 * read.
 */
function withWritten(before: FileVectors, written: VectorParts, writtenFiles: ReadonlySet<number>): VectorParts {
  const files: FileRows = { numbers: [], counts: [] };
  const parts: MatrixPart[] = [];
  const list = (file: number, count: number) => {
    files.numbers.push(file);
    files.counts.push(count);
  };
  // At most `mostWritten` files were written, so one part has all of them.
  const writtenRows = written.parts[0]!;
  let [row, kept] = [0, 0];
  const keepAbove = () => {
    if (row > kept) parts.push(before.matrix.part(kept, row));
    kept = row;
  };
  let [added, addedRow] = [0, 0];
  const addBelow = (limit: number) => {
    for (; added < written.files.numbers.length && written.files.numbers[added]! < limit; added++) {
      keepAbove();
      const count = written.files.counts[added]!;
      parts.push(rowsOf(writtenRows, addedRow, addedRow + count));
      addedRow += count;
      list(written.files.numbers[added]!, count);
    }
  };
  for (const [i, file] of before.files.numbers.entries()) {
    const count = before.files.counts[i]!;
    addBelow(file);
    if (writtenFiles.has(file)) {
      keepAbove();
      kept += count;
    } else list(file, count);
    row += count;
  }
  addBelow(Number.POSITIVE_INFINITY);
  keepAbove();
  return { parts, files };
}

function rowsOf({ numbers, data }: MatrixPart, from: number, to: number): MatrixPart {
  const dimensions = data.length / numbers.length;
  return { numbers: numbers.subarray(from, to), data: data.subarray(from * dimensions, to * dimensions) };
}

function toPart({ items, data }: Omit<StoredVectors, "file">): MatrixPart {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  const numbers = new Uint32Array(items.slice().buffer);
  return { numbers, data: new Int8Array(data.buffer, data.byteOffset, data.length) };
}

/** Replaces the vectors of one file's items. Requires a write transaction. */
export function storeVectors(database: Database, file: number, vectors: Map<number, Int8Array>): void {
  if (vectors.size === 0) {
    database.run("DELETE FROM vectors WHERE file = ?", [file]);
    return;
  }
  // A file has vectors of one length: after a change of embedder, the remaining old ones are dropped.
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
