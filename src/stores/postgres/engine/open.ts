import { DossierError } from "../../../errors.ts";
import type { BundleStore } from "../../bundles.ts";
import type { CommitStore } from "../../commits.ts";
import type { GraphStore } from "../../graph.ts";
import type { Shelf, Store, StoreStatistics } from "../../store.ts";
import { bundleStore } from "../commits/bundles.ts";
import { commitStore } from "../commits/commits.ts";
import { postgresGraph } from "../graph/graph.ts";
import { type FirstStatistics, firstStatistics } from "../items/first-statistics.ts";
import { itemsByKey } from "../items/items.ts";
import { links, meanings } from "../items/links.ts";
import * as read from "../items/read.ts";
import { writeChange } from "../items/write.ts";
import { openHosts } from "../replicas/hosts.ts";
import { openReplicas } from "../replicas/replicas.ts";
import { searchNames, searchPaths } from "../search/find.ts";
import { modelVectorStore } from "../search/model-vectors.ts";
import { searchText, termStatistics } from "../search/text.ts";
import { searchVectors, writeVectors } from "../search/vectors.ts";
import { readDatabaseUrl } from "./address.ts";
import type { SchemaCreation } from "./foreign-tables.ts";
import { prepareDatabase } from "./migrate.ts";
import { openSession, type PostgresSession } from "./session/session.ts";
import { type ShelfView, StoreMemory, shelfCodes } from "./shelf.ts";
import { openSignals } from "./signals.ts";

/** `creation`: whether a missing schema is created; always by default. `replicaUrls`: further servers for reads. */
export type OpenPostgres = { workspace: string; creation?: SchemaCreation; replicaUrls?: readonly string[] };

/** Opens a session of a workspace in the database at a URL, after creating or migrating its schema. */
export async function openPostgresSession(
  url: string,
  { workspace, creation, replicaUrls = [] }: OpenPostgres,
): Promise<PostgresSession> {
  const address = readDatabaseUrl(url);
  const driver = await openHosts(address, () => undefined);
  try {
    const { searchPath, server } = await prepareDatabase(driver, address, undefined, creation);
    const replicas = await openReplicas(replicaUrls, address, driver);
    const signals = openSignals(driver, address);
    return openSession(driver, address, { workspace, searchPath, server, replicas, signals });
  } catch (error) {
    await driver.close();
    throw error;
  }
}

export async function openPostgresStore(url: string, options: OpenPostgres): Promise<Store> {
  return postgresStore(await openPostgresSession(url, options));
}

/** The same session, also for another workspace of the same database; only its opener closes it. */
export function sharing(session: PostgresSession, workspace = session.workspace): PostgresSession {
  return { ...session.inWorkspace(workspace), close: async () => undefined };
}

/** All tables that are built from files, commits and notes. */
const indexTables = [
  ...[
    "files",
    "texts",
    "names",
    "items",
    "links",
    "notes",
    "terms",
    "parts",
    "blocks",
    "vectors",
    "models",
    "model_vectors",
  ],
  ...["commits", "commit_paths", "bundles"],
  ...["graph_origins", "graph_keys", "graph_bodies", "graph_aliases", "graph_edges", "graph_tags"],
];

/**
 * Removes the index of every owner of the session's workspace; records and library stay. Numbers continue, and
 * revisions grow.
 */
export async function emptyIndex(session: PostgresSession): Promise<void> {
  const owners = await session.shared.all<{ name: string }>("SELECT name FROM owners WHERE workspace = $1", [
    session.workspace,
  ]);
  for (const { name } of owners) {
    await session.transaction(
      name,
      (queries) =>
        Promise.all([
          queries.run(
            `UPDATE shelves SET revision = revision + 1, notes = notes + 1, unit_count = 0, unit_length = 0, file_count = 0, file_length = 0
             WHERE owner = $1`,
          ),
          ...indexTables.map((table) => queries.run(`DELETE FROM ${table} WHERE owner = $1`)),
        ]),
      { idempotent: true },
    );
  }
}

/** Stores that belong to one shelf but are reached from any. */
type Beside = { commits: CommitStore; graph: GraphStore; bundles: BundleStore };

/** The store over a session, which it closes. One view per shelf, created on first use. */
export function postgresStore(session: PostgresSession): Store {
  const memory = new StoreMemory(session);
  session.onWritten((owner) => memory.forget(owner));
  const opened = new Map<Shelf, Store>();
  const count = firstStatistics(session);
  const beside: Beside = {
    commits: commitStore(session),
    graph: postgresGraph(session, async (owner, notes) => {
      memory.forget(owner);
      await count(owner, "notes", notes).catch(() => undefined);
    }),
    bundles: bundleStore(session),
  };
  const shelf = (name: Shelf): Store => {
    let store = opened.get(name);
    if (!store) opened.set(name, (store = storeOver(memory, name, shelf, beside, count)));
    return store;
  };
  return shelf("files");
}

function storeOver(
  memory: StoreMemory,
  name: Shelf,
  shelf: Store["shelf"],
  beside: Beside,
  count: FirstStatistics,
): Store {
  const { session } = memory;
  const code = shelfCodes[name];
  const reading = <Result>(owner: string, none: Result, work: (view: ShelfView) => Promise<Result>) =>
    memory.reading(owner, code, none, work);
  // Every write replaces whole rows, so repeating it does no harm.
  const writing: PostgresSession["transaction"] = async (owner, work) => {
    try {
      return await session.transaction(owner, work, { idempotent: true });
    } finally {
      memory.forget(owner);
    }
  };
  return {
    shelf,
    ...beside,
    modelVectors: modelVectorStore(memory, code),
    revision: async (owner) => (await memory.state(owner, code, true))?.revision ?? 0,
    async write(owner, change) {
      await writing(owner, (queries) => writeChange(queries, code, change));
      const items = change.files.reduce((sum, file) => sum + file.items.length, 0);
      // The write is done: without statistics it is only read more slowly.
      await count(owner, "items", items).catch(() => undefined);
    },
    files: (owner) => reading(owner, [], read.files),
    file: (owner, path) => reading(owner, undefined, (view) => read.file(view, path)),
    outlines: (owner, paths) => reading(owner, new Map(), (view) => read.outlines(view, paths)),
    items: (owner, ids) => reading(owner, [], (view) => itemsByKey(view, ids)),
    itemsOf: (owner, path) => reading(owner, [], (view) => read.itemsOf(view, path)),
    itemsByPrefix: (owner, prefix, limit) => reading(owner, [], (view) => read.itemsByPrefix(view, prefix, limit)),
    sharedPrefixes: (owner, prefixes) => reading(owner, [], (view) => read.sharedPrefixes(view, prefixes)),
    searchText: (owner, search) => reading(owner, [], (view) => searchText(view, search)),
    searchNames: (owner, search) => reading(owner, [], (view) => searchNames(view, search)),
    searchPaths: (owner, search) => reading(owner, [], (view) => searchPaths(view, search)),
    searchVectors: (owner, search) => reading(owner, [], (view) => searchVectors(view, search)),
    termStatistics: (owner, scope, terms) =>
      reading(owner, { count: 0, averageLength: 0, frequencies: new Map() }, (view) =>
        termStatistics(view, scope, terms),
      ),
    terms: (owner, scope, ids) => reading(owner, new Map(), (view) => read.terms(view, scope, ids)),
    wholeFiles: (owner, paths) => reading(owner, new Map(), (view) => read.wholeFiles(view, paths)),
    async *allTerms(owner, scope) {
      for (let last = 0; ; ) {
        const rows = await reading(owner, [], (view) => read.termsAfter(view, scope, last));
        if (rows.length === 0) return;
        last = rows.at(-1)!.item;
        yield rows.map(({ key, terms }) => ({ id: key, terms }));
      }
    },
    links: (owner, ids, direction, kinds, limit) =>
      reading(owner, [], (view) => links(view, ids, direction, kinds, limit)),
    meanings: (owner, id, names) => reading(owner, new Map(), (view) => meanings(view, id, names)),
    writeVectors: (owner, vectors) => writing(owner, (queries) => writeVectors(queries, code, vectors)),
    async metadata(owner, key) {
      const state = await memory.state(owner, code);
      return state && memory.note(owner, state, key);
    },
    writeMetadata: (owner, key, value) => writing(owner, (queries) => read.writeMetadata(queries, code, key, value)),
    statistics: (owner) =>
      reading(owner, noStatistics(session.server), (view) => read.statistics(view, session.server)),
    check: () => check(session),
    compact: () => compact(session),
    async close() {
      memory.clear();
      await session.close();
    },
  };
}

function noStatistics(engine: string): StoreStatistics {
  return { engine, bytes: 0, files: 0, items: 0, links: 0, vectors: 0, textBytes: 0, kinds: {}, languages: {} };
}

/** The server verifies its pages as it reads them; this checks that all of our tables exist and can be read. */
async function check(session: PostgresSession): Promise<void> {
  const tables = await session.shared.all<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
     AND NOT c.relispartition ORDER BY c.relname`,
  );
  const missing = ["items", "files", "texts", "terms", "blocks"].filter(
    (table) => !tables.some(({ name }) => name === table),
  );
  if (missing.length > 0) {
    throw new DossierError("store-damaged", `The database ${session.shown} has no table ${missing.join(", ")}.`);
  }
  for (const { name } of tables) await session.shared.all(`SELECT count(*) FROM "${name}" WHERE false`);
}

/** Rewrites the tables, so that no removed row is left in them. Waits for other users, table by table. */
async function compact(session: PostgresSession): Promise<void> {
  const tables = await session.shared.all<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.relname`,
  );
  for (const { name } of tables) await session.shared.run(`VACUUM (FULL, ANALYZE) "${name}"`);
}
