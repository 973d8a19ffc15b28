import { rmSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { context } from "../../src/index.ts";
import { openPostgresSession, postgresStore, sharing } from "../../src/stores/postgres/engine/open.ts";
import type { PostgresSession } from "../../src/stores/postgres/engine/session/session.ts";
import { openSqliteStore } from "../../src/stores/sqlite/engine/open.ts";
import type { Store } from "../../src/stores/store.ts";
import { machine, percentile, ratio, row } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { analysedProject, type Corpus } from "./corpus.ts";
import { measureRecall } from "./recall.ts";
import { measureServices } from "./services.ts";
import { bytesOf, dropSchema, measureContentSizes } from "./sizes.ts";

/**
 * The PostgreSQL store beside SQLite's, in one run: `npm run bench -- --postgres`, with a server in
 * DOSSIER_TEST_DATABASE_URL (`npm run -s postgres -- start`). Ingest and size of 200,000 items of 100 owners, bytes of
 * records, messages, documents and notes, questions of 8 clients at once, `--seconds 20` of two service processes
 * beside one (0 for none), what an index of vectors finds, and with `--size 1000000` one owner's question among so many
 * items beside the same among 100,000. Tables are made in a schema of their own and dropped.
 */
const size = { owners: 100, items: 200_000, clients: 8, writers: 2, questions: 400, rounds: 4, small: 100_000 };
const targets = { ingest: 2000, p50: 2, p95: 2.5, bytes: 2, growth: 1.3 };

export type PostgresOptions = { out?: string; size?: string; seconds?: string; items?: string };
type Figures = Record<string, number>;

export async function measurePostgres(options: PostgresOptions): Promise<void> {
  const address = process.env.DOSSIER_TEST_DATABASE_URL;
  if (!address)
    throw new Error("Give a server in DOSSIER_TEST_DATABASE_URL; `npm run -s postgres -- start` prints one.");
  const url = new URL(address);
  url.searchParams.set("schema", `bench_${process.pid}`);
  const items = Number(options.items ?? size.items);
  const figures: Figures = { items, owners: size.owners, loadBefore: loadavg()[0]! };
  const corpus = await analysedProject();
  const { root } = corpus.workspace;
  const session = await openPostgresSession(url.href, { workspace: root });
  const sqlitePath = join(root, ".dossier", "owners.db");
  const sqlite = await openSqliteStore(sqlitePath);
  const postgres = postgresStore(session);
  try {
    console.log(
      `${items} items of ${size.owners} owners on ${machine()}, load ${figures.loadBefore!.toFixed(1)}; ${session.server}\n`,
    );
    const each = items / size.owners;
    const fast = await ingest(sqlite, corpus, { first: 0, owners: size.owners, each });
    const slow = await ingest(postgres, corpus, { first: 0, owners: size.owners, each });
    Object.assign(figures, { sqliteIngest: fast.perSecond, postgresIngest: slow.perSecond });
    row(
      "ingest",
      `${slow.perSecond.toFixed(0)}/s`,
      `items, ${size.writers} owners at a time; SQLite ${fast.perSecond.toFixed(0)}/s, ${ratio(slow.perSecond, fast.perSecond)}; target ${targets.ingest}`,
    );
    await sqlite.compact();
    figures.sqliteMegabytes = statSync(sqlitePath).size / 1e6;
    figures.postgresMegabytes = (await bytesOf(session)) / 1e6;
    row(
      "index size",
      `${figures.postgresMegabytes.toFixed(0)} MB`,
      `${ratio(figures.postgresMegabytes, figures.sqliteMegabytes)} of SQLite's ${figures.sqliteMegabytes.toFixed(0)} MB, target ${targets.bytes}`,
    );
    for (const { name, size: bytes } of await largestTables(session))
      row(`  ${name}`, `${(bytes / 1e6).toFixed(1)} MB`, "");
    Object.assign(figures, await measureContentSizes(url));
    for (const store of [sqlite, postgres]) await writeNotes(store, corpus, size.owners);
    Object.assign(figures, await measureQuestions(corpus, { sqlite, postgres }, each));
    const seconds = Number(options.seconds ?? 20);
    if (seconds > 0)
      Object.assign(
        figures,
        await measureServices({
          root,
          url: url.href,
          session,
          seconds,
          owners: 8,
          question: (n) => questionsOf(corpus, n % 8, each)[n % 40]!,
        }),
      );
    Object.assign(figures, await measureRecall(session));
    if (options.size) Object.assign(figures, await measureGrowth(corpus, url, Number(options.size)));
  } finally {
    await dropSchema(session, url.searchParams.get("schema")!);
    await postgres.close();
    await sqlite.close();
    await corpus.close();
    rmSync(sqlitePath, { force: true });
  }
  figures.loadAfter = loadavg()[0]!;
  row("load", figures.loadAfter.toFixed(1), "of the whole machine: machine(), in the last minute");
  writeFigures("postgres", { machine: machine(), ...figures }, options.out);
}

const ownerName = (number: number) => `owner-${number}`;

/** Writes what the indexer wrote for each owner, several owners at a time. */
async function ingest(
  store: Store,
  corpus: Corpus,
  { first, owners, each }: { first: number; owners: number; each: number },
): Promise<{ perSecond: number }> {
  let next = first;
  let items = 0;
  const began = performance.now();
  const writer = async () => {
    for (let number = next++; number < first + owners; number = next++) {
      const { changes, vectors } = corpus.batches(number, each);
      for (const change of changes) {
        await store.write(ownerName(number), change);
        items += change.files.reduce((sum, file) => sum + file.items.length, 0);
      }
      await store.writeVectors(ownerName(number), vectors);
    }
  };
  await Promise.all(Array.from({ length: size.writers }, writer));
  return { perSecond: items / ((performance.now() - began) / 1000) };
}

/**
 * What the built-in embedder learned of the whole project: an owner's own would be smaller, so it counts neither as
 * ingest nor as size.
 */
async function writeNotes(store: Store, corpus: Corpus, owners: number): Promise<void> {
  for (let number = 0; number < owners; number++) {
    for (const [key, value] of corpus.notes) {
      if (key !== "indexing") await store.writeMetadata(ownerName(number), key, value);
    }
  }
}

/** What an owner asks: names, and first sentences of doc comments, of the owner's own files. */
function questionsOf(corpus: Corpus, owner: number, each: number): string[] {
  const items = corpus.batches(owner, each).changes.flatMap(({ files }) => files.flatMap((file) => file.items));
  const chance = random(owner + 1);
  return Array.from({ length: 40 }, (_, i) => {
    for (;;) {
      const { item } = chance.pick(items);
      if (i % 4 === 3) return item.name;
      if ((item.doc?.split(/\s+/).length ?? 0) > 4) return item.doc!.split(/\s+/).slice(0, 12).join(" ");
    }
  });
}

/** The same questions to both, in turns, so that what else the machine does falls on both. */
async function measureQuestions(
  corpus: Corpus,
  stores: { sqlite: Store; postgres: Store },
  each: number,
): Promise<Figures> {
  const times = { sqlite: [] as number[], postgres: [] as number[] };
  const chance = random(8);
  const asked = Array.from({ length: size.questions }, (_, n) => {
    const owner = chance.between(0, size.owners - 1);
    return { owner: ownerName(owner), query: questionsOf(corpus, owner, each)[n % 40]! };
  });
  const ask = async (engine: "sqlite" | "postgres", questions: typeof asked, into: number[]) => {
    let next = 0;
    const client = async () => {
      for (let question = questions[next++]; question; question = questions[next++]) {
        const workspace = { ...corpus.workspace, owner: question.owner, store: stores[engine] };
        const began = performance.now();
        await context({ query: question.query, path: workspace.root, refresh: false }, { workspace });
        into.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: size.clients }, client));
  };
  // Programs are compiled, connections opened and plans made first.
  for (const engine of ["sqlite", "postgres"] as const) await ask(engine, asked.slice(0, 80), []);
  const share = Math.ceil(asked.length / size.rounds);
  for (let round = 0; round < size.rounds; round++) {
    const questions = asked.slice(round * share, (round + 1) * share);
    for (const engine of ["sqlite", "postgres"] as const) await ask(engine, questions, times[engine]);
  }
  const figures: Figures = {};
  for (const [name, share] of [
    ["p50", 0.5],
    ["p95", 0.95],
  ] as const) {
    const [fast, slow] = [percentile(times.sqlite, share), percentile(times.postgres, share)];
    Object.assign(figures, { [`sqlite${name}`]: fast, [`postgres${name}`]: slow });
    row(
      `context, ${size.clients} clients, ${name}`,
      `${slow.toFixed(0)} ms`,
      `${ratio(slow, fast)} of SQLite's ${fast.toFixed(0)} ms, target ${targets[name]}`,
    );
  }
  return figures;
}

/**
 * One owner's questions, one at a time, among few and among many items of others: in turns, so that what else the
 * machine does falls on both.
 */
async function measureGrowth(corpus: Corpus, url: URL, items: number): Promise<Figures> {
  const each = 1000;
  const owners = [...Array(10).keys()];
  const counts = { few: size.small / each, many: items / each };
  const schema = (name: string) => `${url.searchParams.get("schema")}_${name}`;
  const open = (name: string) => {
    const own = new URL(url);
    own.searchParams.set("schema", schema(name));
    return openPostgresSession(own.href, { workspace: corpus.workspace.root });
  };
  const sessions = { few: await open("few"), many: await open("many") };
  const storeOf = (name: "few" | "many") => postgresStore(sharing(sessions[name]));
  const times = { few: [] as number[], many: [] as number[] };
  const ask = async (name: "few" | "many", round: number) => {
    // Another store each time: what it remembers of an owner is forgotten, and the server is asked.
    const store = storeOf(name);
    for (const owner of owners) {
      const workspace = { ...corpus.workspace, owner: ownerName(owner), store };
      for (const query of questionsOf(corpus, owner, each).slice(round * 4, round * 4 + 4)) {
        const began = performance.now();
        await context({ query, path: workspace.root, refresh: false }, { workspace });
        times[name].push(performance.now() - began);
      }
    }
  };
  try {
    let perSecond = 0;
    for (const name of ["few", "many"] as const) {
      ({ perSecond } = await ingest(storeOf(name), corpus, { first: 0, owners: counts[name], each }));
      await writeNotes(storeOf(name), corpus, owners.length);
      await ask(name, 0);
    }
    times.few.length = times.many.length = 0;
    for (let round = 1; round < 7; round++) {
      for (const name of round % 2 ? (["few", "many"] as const) : (["many", "few"] as const)) await ask(name, round);
    }
    const [few, many] = [percentile(times.few, 0.5), percentile(times.many, 0.5)];
    const [fewP95, manyP95] = [percentile(times.few, 0.95), percentile(times.many, 0.95)];
    row(
      `ingest of ${items}`,
      `${perSecond.toFixed(0)}/s`,
      `items; ${((await bytesOf(sessions.many)) / 1e6).toFixed(0)} MB`,
    );
    row(
      `one owner of ${counts.many}`,
      `${many.toFixed(0)} ms`,
      `${ratio(many, few)} of ${few.toFixed(0)} ms among ${size.small} items, target ${targets.growth}; p95 ${ratio(manyP95, fewP95)}`,
    );
    return { growthItems: items, growthIngest: perSecond, fewP50: few, manyP50: many, fewP95, manyP95 };
  } finally {
    for (const name of ["few", "many"] as const) {
      await dropSchema(sessions[name], schema(name));
      await sessions[name].close();
    }
  }
}

async function largestTables(session: PostgresSession): Promise<{ name: string; size: number }[]> {
  return session.shared.all(
    `SELECT p.relname AS name, sum(pg_total_relation_size(h.inhrelid))::bigint AS size FROM pg_inherits AS h
     JOIN pg_class AS p ON p.oid = h.inhparent WHERE p.relnamespace = current_schema()::regnamespace AND p.relkind = 'p'
     GROUP BY p.relname ORDER BY size DESC LIMIT 8`,
  );
}
