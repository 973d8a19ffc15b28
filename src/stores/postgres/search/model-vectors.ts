import { DossierError } from "../../../errors.ts";
import type { EmptySlot, ModelVectorStore, VectorCounts } from "../../model-vectors.ts";
import type { Hit, VectorSearch } from "../../store.ts";
import type { PostgresSession, TransactionQueries } from "../engine/session/session.ts";
import type { ShelfView, StoreMemory } from "../engine/shelf.ts";
import { itemsByNumber } from "../items/items.ts";
import { lockShelf } from "../items/state-before-write.ts";
import { conditions } from "./filter.ts";

type ModelRow = { id: number; dimensions: number };

/** Vectors of language models on one shelf. */
export function modelVectorStore(memory: StoreMemory, shelf: number): ModelVectorStore {
  const { session } = memory;
  const indexed = new Set<number>();
  return {
    missing: (owner, model, limit) =>
      memory.reading<EmptySlot[]>(owner, shelf, [], (view) => missing(view, model, limit)),
    write: async (owner, model, vectors) => {
      const first = vectors.values().next().value;
      if (!first) return;
      if (!indexed.has(first.length)) await ensureIndex(session, first.length);
      indexed.add(first.length);
      await session.transaction(owner, (queries) => write(queries, shelf, model, vectors), { idempotent: true });
    },
    search: (owner, model, query) => memory.reading<Hit[]>(owner, shelf, [], (view) => search(view, model, query)),
    products: (owner, model, vector, ids) =>
      memory.reading(owner, shelf, new Map<string, number>(), (view) => products(view, model, vector, ids)),
    counts: (owner) => memory.reading<VectorCounts>(owner, shelf, { items: 0, models: [] }, counts),
    forget: (owner, model) =>
      session.transaction(owner, (queries) => forget(queries, shelf, model), { idempotent: true }),
    lease: (owner, holder, now, until) =>
      session.transaction(owner, (queries) => lease(queries, shelf, holder, now, until), { idempotent: true }),
  };
}

async function missing(view: ShelfView, model: string, limit: number): Promise<EmptySlot[]> {
  if (limit <= 0) return [];
  const rows = await view.all<{ item: number }>(
    `SELECT t.item FROM terms AS t WHERE t.owner = $1 AND t.shelf = $2 AND t.scope = 0 AND NOT EXISTS (
       SELECT 1 FROM model_vectors AS v WHERE v.owner = $1 AND v.shelf = $2 AND v.item = t.item
       AND v.model = (SELECT m.id FROM models AS m WHERE m.owner = $1 AND m.shelf = $2 AND m.name = $3)
     ) ORDER BY t.item LIMIT $4`,
    [model, limit],
  );
  const items = await itemsByNumber(
    view,
    rows.map(({ item }) => item),
  );
  return rows.flatMap(({ item: slot }) => {
    const item = items.get(slot);
    return item ? [{ slot, item }] : [];
  });
}

async function write(
  queries: TransactionQueries,
  shelf: number,
  model: string,
  vectors: ReadonlyMap<number, Int8Array>,
): Promise<void> {
  const first = vectors.values().next().value!.length;
  const [, existing] = await Promise.all([
    lockShelf(queries, shelf),
    queries.get<ModelRow>("SELECT id, dimensions FROM models WHERE owner = $1 AND shelf = $2 AND name = $3", [
      shelf,
      model,
    ]),
  ]);
  const { id, dimensions } = existing ?? (await addModel(queries, shelf, model, first));
  for (const { length } of vectors.values()) {
    if (length === dimensions) continue;
    throw new DossierError("embedder-mismatch", `A vector of ${length} components came where ${dimensions} are.`);
  }
  await queries.run(
    `INSERT INTO model_vectors(owner, shelf, model, item, dimensions, vector)
     SELECT $1, $2, $3, i.id, $4, w.vector::halfvec FROM unnest($5::int[], $6::text[]) AS w(item, vector)
     JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id = w.item
     ON CONFLICT (owner, shelf, model, item) DO UPDATE SET vector = excluded.vector`,
    [shelf, id, dimensions, [...vectors.keys()], [...vectors.values()].map(halfvec)],
  );
}

async function addModel(
  queries: TransactionQueries,
  shelf: number,
  model: string,
  dimensions: number,
): Promise<ModelRow> {
  const row = await queries.get<ModelRow>(
    `INSERT INTO models(owner, shelf, id, name, dimensions)
     SELECT $1, $2, coalesce((SELECT max(id) FROM models WHERE owner = $1 AND shelf = $2), 0) + 1, $3, $4 RETURNING id, dimensions`,
    [shelf, model, dimensions],
  );
  return row!;
}

/** Longer vectors have no index: pgvector's limit. */
const mostIndexed = 4000;

/** The index of all vectors of one length. One process creates it, the others wait. */
async function ensureIndex(session: PostgresSession, dimensions: number): Promise<void> {
  if (dimensions > mostIndexed) return;
  const name = `model_vectors_${dimensions}`;
  if (await session.shared.get("SELECT 1 FROM pg_class WHERE oid = to_regclass($1)", [name])) return;
  await session.sharedTransaction(
    async (queries) => {
      await queries.run("SELECT pg_advisory_xact_lock(hashtextextended('index of vectors of dossier', 0))");
      await queries.run(
        `CREATE INDEX IF NOT EXISTS ${name} ON model_vectors
         USING hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops) WHERE dimensions = ${dimensions}`,
      );
    },
    { idempotent: true },
  );
}

function halfvec(vector: Int8Array): string {
  return `[${vector.join(",")}]`;
}

/** For an owner with no more items every vector is compared, which is exact and takes some milliseconds. */
export const mostCompared = 10_000;

/**
 * The nearest by dot product. For an owner with many vectors the server scans the index until enough results belong to
 * the owner and pass the filter (`hnsw.iterative_scan`); it may compare every vector where that is cheaper.
 */
async function search(view: ShelfView, model: string, query: VectorSearch): Promise<Hit[]> {
  const { length } = query.vector;
  if (query.limit <= 0 || length === 0) return [];
  const where = await conditions(view, query.filter, 5);
  const product = `(v.vector::halfvec(${length})) <#> $4::halfvec(${length})`;
  const filter = where.sql
    ? `AND EXISTS (SELECT 1 FROM items AS i WHERE i.owner = $1 AND i.shelf = $2 AND i.id = v.item${where.sql})`
    : "";
  // A sum is no expression of the index. The limit is part of the text, in few sizes: the server plans by it before it
  // knows the values.
  const order = view.state.unit_count <= mostCompared ? `(${product}) + 0` : product;
  const most = 2 ** Math.ceil(Math.log2(query.limit));
  const nearest = await view.all<{ item: number; score: number }>(
    `SELECT v.item, -(${product}) AS score FROM model_vectors AS v
     WHERE v.owner = $1 AND v.shelf = $2 AND v.dimensions = ${length}
     AND v.model = (SELECT m.id FROM models AS m WHERE m.owner = $1 AND m.shelf = $2 AND m.name = $3 AND m.dimensions = ${length}) ${filter}
     ORDER BY ${order} LIMIT ${most}`,
    [model, halfvec(query.vector), ...where.values],
  );
  const rows = nearest.slice(0, query.limit);
  const items = await itemsByNumber(
    view,
    rows.map(({ item }) => item),
  );
  return rows
    .map(({ item, score }) => ({ item: items.get(item)!, score }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}

async function products(
  view: ShelfView,
  model: string,
  vector: Int8Array,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await view.all<{ key: string; score: number }>(
    `SELECT i.key, -(v.vector <#> $5::halfvec) AS score FROM models AS m
     JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.key = ANY($6::text[])
     JOIN model_vectors AS v ON v.owner = $1 AND v.shelf = $2 AND v.model = m.id AND v.item = i.id
     WHERE m.owner = $1 AND m.shelf = $2 AND m.name = $3 AND m.dimensions = $4`,
    [model, vector.length, halfvec(vector), ids],
  );
  return new Map(rows.map(({ key, score }) => [key, score]));
}

async function counts(view: ShelfView): Promise<VectorCounts> {
  const models = await view.all<{ model: string; vectors: number }>(
    `SELECT m.name AS model, (
       SELECT count(*) FROM model_vectors AS v WHERE v.owner = $1 AND v.shelf = $2 AND v.model = m.id
     ) AS vectors FROM models AS m WHERE m.owner = $1 AND m.shelf = $2 ORDER BY m.id`,
  );
  return { items: view.state.unit_count, models };
}

async function forget(queries: TransactionQueries, shelf: number, model: string): Promise<void> {
  await Promise.all([
    lockShelf(queries, shelf),
    queries.run(
      `DELETE FROM model_vectors WHERE owner = $1 AND shelf = $2
       AND model = (SELECT m.id FROM models AS m WHERE m.owner = $1 AND m.shelf = $2 AND m.name = $3)`,
      [shelf, model],
    ),
    queries.run("DELETE FROM models WHERE owner = $1 AND shelf = $2 AND name = $3", [shelf, model]),
  ]);
}

async function lease(
  queries: TransactionQueries,
  shelf: number,
  holder: string,
  now: number,
  until: number,
): Promise<boolean> {
  const changedRows = await queries.run(
    `INSERT INTO leases(owner, shelf, holder, until) VALUES($1, $2, $3, $5)
     ON CONFLICT (owner, shelf) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE leases.holder = excluded.holder OR leases.until <= $4`,
    [shelf, holder, now, until],
  );
  return changedRows > 0;
}
