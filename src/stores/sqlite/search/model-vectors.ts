import { DossierError } from "../../../errors.ts";
import type { EmptySlot, ModelVectorStore, VectorCounts } from "../../model-vectors.ts";
import { type Matrix, type MatrixPart, packMatrix } from "../../search/matrix.ts";
import type { Hit, VectorSearch } from "../../store.ts";
import type { Database } from "../engine/driver.ts";
import { ensureOwner, findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsByNumber } from "../items/items.ts";
import { best } from "./bm25.ts";

type ModelRow = { id: number; dimensions: number };
type VectorRow = { id: number; file: number; items: Uint8Array; data: Uint8Array };

/** Vectors of language models on one shelf. `on`: maps an owner to its name on the shelf. */
export function modelVectorStore(session: StoreSession, on: (owner: string) => string): ModelVectorStore {
  const { database } = session;
  return {
    missing: async (owner, model, limit) => missing(session, on(owner), model, limit),
    write: async (owner, model, vectors) => write(database, on(owner), model, vectors),
    search: async (owner, model, query) => search(session, on(owner), model, query),
    products: async (owner, model, vector, ids) => products(session, on(owner), model, vector, ids),
    counts: async (owner) => counts(database, on(owner)),
    forget: async (owner, model) => forget(database, on(owner), model),
    lease: async (owner, holder, now, until) => lease(database, on(owner), holder, now, until),
  };
}

function modelOf(database: Database, owner: Owner, model: string): ModelRow | undefined {
  return database.get<ModelRow>("SELECT id, dimensions FROM models WHERE owner = ? AND name = ?", [owner.id, model]);
}

/** Only items that are searched as text have unit terms. */
const searched =
  "SELECT count(*) FROM items AS i JOIN unit_terms AS t ON t.item = i.id WHERE i.owner = f.owner AND i.file = f.id";

function missing(session: StoreSession, ownerName: string, model: string, limit: number): EmptySlot[] {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner || limit <= 0) return [];
    const files = database.all<{ file: number; items: Uint8Array | null }>(
      `SELECT f.id AS file, v.items FROM files AS f
       LEFT JOIN model_vectors AS v ON v.file = f.id AND v.model = ?
       WHERE f.owner = ? AND (${searched}) > coalesce(length(v.items) / 4, 0) ORDER BY f.id`,
      [modelOf(database, owner, model)?.id ?? 0, owner.id],
    );
    const numbers: number[] = [];
    for (const { file, items } of files) {
      const withVector = new Set(items ? numbersOf(items) : []);
      const rows = database.all<{ item: number }>(
        "SELECT t.item FROM items AS i JOIN unit_terms AS t ON t.item = i.id WHERE i.owner = ? AND i.file = ? ORDER BY t.item",
        [owner.id, file],
      );
      for (const { item } of rows) if (!withVector.has(item)) numbers.push(item);
      if (numbers.length >= limit) break;
    }
    const slots = numbers.slice(0, limit);
    const items = itemsByNumber(session, owner, slots);
    return slots.flatMap((slot) => {
      const item = items.get(slot);
      return item ? [{ slot, item }] : [];
    });
  });
}

function numbersOf(items: Uint8Array): Uint32Array {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  return new Uint32Array(items.slice().buffer);
}

function write(database: Database, ownerName: string, model: string, vectors: ReadonlyMap<number, Int8Array>): void {
  const dimensions = vectors.values().next().value?.length;
  if (dimensions === undefined) return;
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    const modelRow = modelOf(database, owner, model) ?? addModel(database, owner, model, dimensions);
    for (const { length } of vectors.values()) {
      if (length === modelRow.dimensions) continue;
      throw new DossierError(
        "embedder-mismatch",
        `A vector of ${length} components came where ${modelRow.dimensions} are.`,
      );
    }
    const rows = database.all<{ id: number; file: number }>(
      "SELECT i.id, i.file FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value AND i.owner = ? ORDER BY i.file, i.id",
      [JSON.stringify([...vectors.keys()]), owner.id],
    );
    const byFile = new Map<number, Map<number, Int8Array>>();
    for (const { id, file } of rows) byFile.set(file, (byFile.get(file) ?? new Map()).set(id, vectors.get(id)!));
    for (const [file, added] of byFile) {
      const stored = storedIn(database, file, modelRow);
      for (const [number, vector] of added) stored.set(number, vector);
      store(database, file, modelRow, stored);
    }
  });
}

function addModel(database: Database, owner: Owner, model: string, dimensions: number): ModelRow {
  database.run("INSERT INTO models(owner, name, dimensions) VALUES(?, ?, ?)", [owner.id, model, dimensions]);
  return modelOf(database, owner, model)!;
}

function storedIn(database: Database, file: number, { id, dimensions }: ModelRow): Map<number, Int8Array> {
  const row = database.get<VectorRow>("SELECT items, data FROM model_vectors WHERE file = ? AND model = ?", [file, id]);
  if (!row) return new Map();
  const { numbers, data } = partOf(row);
  return new Map(Array.from(numbers, (number, i) => [number, data.slice(i * dimensions, (i + 1) * dimensions)]));
}

function store(database: Database, file: number, { id, dimensions }: ModelRow, vectors: Map<number, Int8Array>): void {
  const data = new Int8Array(vectors.size * dimensions);
  [...vectors.values()].forEach((vector, i) => {
    data.set(vector, i * dimensions);
  });
  // Always inserts a new row: a reader finds later rows by their number.
  database.run("DELETE FROM model_vectors WHERE file = ? AND model = ?", [file, id]);
  if (vectors.size === 0) return;
  database.run("INSERT INTO model_vectors(file, model, items, data) VALUES(?, ?, ?, ?)", [
    file,
    id,
    new Uint8Array(Uint32Array.from(vectors.keys()).buffer),
    new Uint8Array(data.buffer),
  ]);
}

function partOf({ items, data }: Pick<VectorRow, "items" | "data">): MatrixPart {
  return { numbers: numbersOf(items), data: new Int8Array(data.buffer, data.byteOffset, data.length) };
}

/** The vectors of one model that were read at one revision, and the last row read. */
export type ReadVectors = { revision: number; last: number; matrices: Matrix[] };

/**
 * While vectors are being made, each query reads the new ones. Above this number of packed matrices, they are merged
 * into one.
 */
const mostMatrices = 12;

function matricesOf(session: StoreSession, owner: Owner, { id, dimensions }: ModelRow): Matrix[] {
  const cached = session.models.get(id);
  const usable = cached?.revision === owner.revision && cached.matrices.length < mostMatrices ? cached : undefined;
  const rows = session.database.all<VectorRow>(
    "SELECT id, items, data FROM model_vectors WHERE model = ? AND id > ? ORDER BY id",
    [id, usable?.last ?? 0],
  );
  if (usable && rows.length === 0) return usable.matrices;
  const added = rows.length > 0 ? [packMatrix(rows.map(partOf), dimensions)] : [];
  const matrices = [...(usable?.matrices ?? []), ...added];
  session.models.set(id, { revision: owner.revision, last: rows.at(-1)?.id ?? usable?.last ?? 0, matrices });
  return matrices;
}

function search(session: StoreSession, ownerName: string, model: string, query: VectorSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    const modelRow = owner && modelOf(session.database, owner, model);
    if (!modelRow || query.vector.length !== modelRow.dimensions || query.limit <= 0) return [];
    const hits = new Map<string, Hit>();
    for (const matrix of matricesOf(session, owner, modelRow)) {
      const scores = matrix.scores(query.vector);
      for (const hit of best(session, owner, scores, query, { numbers: matrix.numbers })) hits.set(hit.item.id, hit);
    }
    return [...hits.values()]
      .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1))
      .slice(0, query.limit);
  });
}

function products(
  session: StoreSession,
  ownerName: string,
  model: string,
  vector: Int8Array,
  ids: string[],
): Map<string, number> {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    const modelRow = owner && modelOf(database, owner, model);
    if (!modelRow || vector.length !== modelRow.dimensions || ids.length === 0) return new Map();
    const rows = database.all<{ id: number; key: string }>(
      "SELECT i.id, i.key FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value",
      [JSON.stringify(ids), owner.id],
    );
    const keys = new Map(rows.map(({ id, key }) => [id, key]));
    const productByKey = new Map<string, number>();
    for (const matrix of matricesOf(session, owner, modelRow)) {
      const scores = matrix.scores(vector);
      matrix.numbers.forEach((number, i) => {
        const key = keys.get(number);
        if (key !== undefined) productByKey.set(key, scores[i]!);
      });
    }
    return productByKey;
  });
}

function counts(database: Database, ownerName: string): VectorCounts {
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner) return { items: 0, models: [] };
    const models = database.all<{ model: string; vectors: number | null }>(
      `SELECT m.name AS model, (SELECT sum(length(items) / 4) FROM model_vectors WHERE model = m.id) AS vectors
       FROM models AS m WHERE m.owner = ? ORDER BY m.id`,
      [owner.id],
    );
    return { items: owner.unit_count, models: models.map(({ model, vectors }) => ({ model, vectors: vectors ?? 0 })) };
  });
}

function forget(database: Database, ownerName: string, model: string): void {
  database.transaction("write", () => {
    const owner = findOwner(database, ownerName);
    const modelRow = owner && modelOf(database, owner, model);
    if (!modelRow) return;
    database.run("DELETE FROM model_vectors WHERE model = ?", [modelRow.id]);
    database.run("DELETE FROM models WHERE id = ?", [modelRow.id]);
  });
}

function lease(database: Database, ownerName: string, holder: string, now: number, until: number): boolean {
  return database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    const currentLease = database.get<{ holder: string; until: number }>(
      "SELECT holder, until FROM leases WHERE owner = ?",
      [owner.id],
    );
    if (currentLease && currentLease.holder !== holder && currentLease.until > now) return false;
    database.run("INSERT OR REPLACE INTO leases(owner, holder, until) VALUES(?, ?, ?)", [owner.id, holder, until]);
    return true;
  });
}

/** What a vector was made from: an item with the same hash and the same terms keeps its vector. */
type CarriedVector = { model: ModelRow; hash: string; terms: Uint8Array; vector: Int8Array };

/**
 * The vectors, by id, of all items that are about to be written again or claimed by another file. Requires a write
 * transaction.
 */
export function vectorsBefore(database: Database, owner: Owner, ids: Iterable<string>): Map<string, CarriedVector[]> {
  const models = database.all<ModelRow>("SELECT id, dimensions FROM models WHERE owner = ?", [owner.id]);
  if (models.length === 0) return new Map();
  const rows = database.all<{ id: number; key: string; file: number; hash: string; terms: Uint8Array }>(
    `SELECT i.id, i.key, i.file, i.hash, t.terms FROM json_each(?) AS j
     CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value JOIN unit_terms AS t ON t.item = i.id`,
    [JSON.stringify([...ids]), owner.id],
  );
  const carried = new Map<string, CarriedVector[]>();
  for (const model of models) {
    const files = new Map(
      [...new Set(rows.map(({ file }) => file))].map((file) => [file, storedIn(database, file, model)]),
    );
    for (const { id, key, file, hash, terms } of rows) {
      const vector = files.get(file)!.get(id);
      if (vector) carried.set(key, [...(carried.get(key) ?? []), { model, hash, terms, vector }]);
    }
  }
  return carried;
}

/** Restores the vectors of a written file's unchanged items. */
export function restoreVectors(
  database: Database,
  file: number,
  items: readonly { number: number; id: string; hash: string; terms?: Uint8Array }[],
  before: ReadonlyMap<string, CarriedVector[]>,
): void {
  if (before.size === 0) return;
  const byModel = new Map<ModelRow, Map<number, Int8Array>>();
  for (const { number, id, hash, terms } of items) {
    for (const carried of before.get(id) ?? []) {
      if (!terms || carried.hash !== hash || Buffer.compare(carried.terms, terms) !== 0) continue;
      byModel.set(carried.model, (byModel.get(carried.model) ?? new Map()).set(number, carried.vector));
    }
  }
  for (const [model, vectors] of byModel) store(database, file, model, vectors);
}

/** Removes one item's vectors; its file stays. */
export function removeModelVectors(database: Database, file: number, item: number): void {
  const models = database.all<ModelRow>(
    "SELECT m.id, m.dimensions FROM model_vectors AS v JOIN models AS m ON m.id = v.model WHERE v.file = ?",
    [file],
  );
  for (const model of models) {
    const vectors = storedIn(database, file, model);
    if (vectors.delete(item)) store(database, file, model, vectors);
  }
}
