import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { index, openWorkspace } from "../../src/index.ts";
import type { GraphChange, GraphStore } from "../../src/stores/graph.ts";
import type { LibraryStore } from "../../src/stores/library.ts";
import { openPostgresSession, postgresStore, sharing } from "../../src/stores/postgres/engine/open.ts";
import type { PostgresSession } from "../../src/stores/postgres/engine/session/session.ts";
import { postgresLibrary } from "../../src/stores/postgres/library/library.ts";
import { postgresRecords } from "../../src/stores/postgres/records/records.ts";
import type { RecordStore } from "../../src/stores/records.ts";
import { openSqliteStore } from "../../src/stores/sqlite/engine/open.ts";
import { openSqliteLibrary } from "../../src/stores/sqlite/library/library.ts";
import { openSqliteRecords } from "../../src/stores/sqlite/records/records.ts";
import { learnedRecords } from "../learned/records.ts";
import { writeNotesExport } from "../notes/notes-export.ts";
import { ratio, row } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { areas, nouns, verbs } from "../shared/words.ts";

const size = {
  memories: 8000,
  experiences: 2000,
  values: 200,
  threads: 40,
  messages: 20_000,
  documents: 2000,
  notes: 10_000,
};
const target = 2;
const owner = "owner";
const start = Date.UTC(2026, 0, 1);

/** One kind of content, as it is written into either engine. */
type Content = {
  name: string;
  sqlite: (path: string) => Promise<void>;
  postgres: (session: PostgresSession) => Promise<void>;
};

/**
 * Bytes on disk of the same content in both engines, right after it was written: tables, indexes, and nothing that an
 * empty one has.
 */
export async function measureContentSizes(given: URL): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const folder = mkdtempSync(join(tmpdir(), "dossier-bench-size-"));
  try {
    for (const content of await contents(folder)) {
      const url = new URL(given);
      const schema = `${given.searchParams.get("schema")}_${content.name}`;
      url.searchParams.set("schema", schema);
      const session = await openPostgresSession(url.href, { workspace: "size" });
      try {
        const empty = await bytesOf(session);
        await content.postgres(session);
        const slow = (await bytesOf(session)) - empty;
        const fast = await sqliteBytes(content, folder);
        figures[`${content.name}Megabytes`] = slow / 1e6;
        figures[`${content.name}SqliteMegabytes`] = fast / 1e6;
        row(
          `bytes of ${content.name}`,
          `${(slow / 1e6).toFixed(1)} MB`,
          `${ratio(slow, fast)} of SQLite's ${(fast / 1e6).toFixed(1)} MB, target ${target}`,
        );
        for (const { name, bytes } of await relations(session)) row(`  ${name}`, `${(bytes / 1e6).toFixed(1)} MB`, "");
      } finally {
        await dropSchema(session, schema);
        await session.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function sqliteBytes(content: Content, folder: string): Promise<number> {
  const [full, empty] = [join(folder, `${content.name}.db`), join(folder, `${content.name}-empty.db`)];
  await content.sqlite(full);
  await (content.name === "graph" ? openSqliteStore(empty) : openSqliteRecords(empty)).then((store) => store.close());
  return statSync(full).size - statSync(empty).size;
}

async function contents(folder: string): Promise<Content[]> {
  const inRecords = (name: string, write: (store: RecordStore) => Promise<void>): Content => ({
    name,
    sqlite: async (path) => closing(await openSqliteRecords(path), write),
    postgres: (session) => write(postgresRecords(sharing(session))),
  });
  const inLibrary = (name: string, write: (store: LibraryStore) => Promise<void>): Content => ({
    name,
    sqlite: async (path) => closing(await openSqliteLibrary(path), write),
    postgres: (session) => write(postgresLibrary(sharing(session))),
  });
  const changes = await graphChanges(folder);
  const writeGraph = async (graph: GraphStore) => {
    for (const { origin, change } of changes) await graph.write(owner, origin, change);
  };
  return [
    inRecords("records", writeRecords),
    inLibrary("messages", writeMessages),
    inLibrary("documents", writeDocuments),
    {
      name: "graph",
      sqlite: async (path) => closing(await openSqliteStore(path), (store) => writeGraph(store.graph)),
      postgres: (session) => writeGraph(postgresStore(sharing(session)).graph),
    },
  ];
}

async function closing<Store extends { close(): Promise<void> }>(
  store: Store,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  await work(store);
  await store.close();
}

async function writeRecords(store: RecordStore): Promise<void> {
  const names = {
    paths: ["src/queue.ts"],
    symbols: ["drainQueue"],
    gonePaths: ["src/old.ts"],
    goneSymbols: ["oldQueue"],
  };
  const all = [...learnedRecords(size, names, 1)];
  for (let at = 0; at < all.length; at += 500) await store.write(owner, all.slice(at, at + 500));
}

function sentences(chance: ReturnType<typeof random>, words: number): string {
  return Array.from({ length: words }, (_, i) => chance.common([verbs, areas, nouns][i % 3]!)).join(" ");
}

async function writeMessages(library: LibraryStore): Promise<void> {
  const chance = random(1);
  const each = size.messages / size.threads;
  for (let t = 0; t < size.threads; t++) {
    const { id } = await library.createThread(owner, { title: sentences(chance, 4), at: start });
    const messages = Array.from({ length: each }, (_, i) => ({
      role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
      blocks: [{ type: "text" as const, text: sentences(chance, chance.between(10, 80)) }],
      at: start + i * 60_000,
    }));
    for (let at = 0; at < each; at += 100) await library.addMessages(owner, id, messages.slice(at, at + 100));
  }
}

async function writeDocuments(library: LibraryStore): Promise<void> {
  const chance = random(2);
  for (let i = 0; i < size.documents; i++) {
    const path = `${chance.pick(areas)}/${chance.pick(nouns)}-${i}.md`;
    await library.putDocument(owner, {
      path,
      content: `# ${path}\n\n${sentences(chance, chance.between(20, 400))}\n`,
      at: start + i,
    });
  }
}

/** What the indexer writes for a workspace of notes. */
async function graphChanges(folder: string): Promise<{ origin: string; change: GraphChange }[]> {
  const root = join(folder, "notes");
  mkdirSync(root);
  await writeNotesExport(join(folder, "export.json"), size.notes, 1);
  writeFileSync(join(root, "dossier.json"), JSON.stringify({ notes: [{ name: "main", from: "../export.json" }] }));
  const workspace = await openWorkspace(root);
  const changes: { origin: string; change: GraphChange }[] = [];
  const graph: GraphStore = {
    ...workspace.store.graph,
    write: (owner, origin, change) => {
      changes.push({ origin, change });
      return workspace.store.graph.write(owner, origin, change);
    },
  };
  try {
    await index({}, { workspace: { ...workspace, store: { ...workspace.store, graph } } });
  } finally {
    await workspace.close();
  }
  return changes;
}

export async function bytesOf(session: PostgresSession): Promise<number> {
  const row = await session.shared.get<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes FROM pg_class AS c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
  );
  return row!.bytes;
}

/** The largest tables and indexes, partitions together; a table without its indexes, with its long values. */
function relations(session: PostgresSession): Promise<{ name: string; bytes: number }[]> {
  return session.shared.all(
    `SELECT p.relname AS name, sum(CASE p.relkind WHEN 'I' THEN pg_relation_size(h.inhrelid) ELSE pg_table_size(h.inhrelid) END)::bigint AS bytes
     FROM pg_inherits AS h JOIN pg_class AS p ON p.oid = h.inhparent WHERE p.relnamespace = current_schema()::regnamespace
     GROUP BY p.relname ORDER BY bytes DESC LIMIT 4`,
  );
}

/** One table after the other: all at once would take more locks than a server has. */
export async function dropSchema(session: PostgresSession, schema: string): Promise<void> {
  const tables = await session.shared.all<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    [schema],
  );
  for (const { name } of tables) await session.shared.run(`DROP TABLE "${schema}"."${name}" CASCADE`);
  await session.shared.run(`DROP SCHEMA "${schema}" CASCADE`);
}
