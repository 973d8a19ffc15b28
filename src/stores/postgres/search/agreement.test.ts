import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { context, index } from "../../../index.ts";
import { openWorkspace, type Workspace } from "../../../workspace/workspace.ts";
import { termsOf } from "../../cases/store.samples.ts";
import type { Hit, Store, StoreChange } from "../../store.ts";
import { postgresStore } from "../engine/open.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import type { PostgresSession } from "../engine/session/session.ts";

/** The code of some rooms of this project: what questions are asked about. */
const rooms = ["src/pipeline", "src/text", "src/stores/scope", "src/tree"];
const owner = "local";
const root = mkdtempSync(join(tmpdir(), "dossier-agreement-"));

let database: TestDatabase;
let session: PostgresSession;
let sqlite: Workspace;
let postgres: Workspace;
const changes: StoreChange[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  session = await database.session();
  for (const room of rooms) cpSync(room, join(root, room), { recursive: true });
  sqlite = await openWorkspace(root);
  const store = postgresStore(session);
  const both = new Proxy(sqlite.store, {
    get(target, name: keyof Store) {
      if (name === "write") {
        return async (of: string, change: StoreChange) => {
          changes.push(change);
          await store.write(of, change);
          await target.write(of, change);
        };
      }
      if (name === "writeVectors") {
        return async (of: string, vectors: Map<string, Int8Array>) => {
          await store.writeVectors(of, vectors);
          await target.writeVectors(of, vectors);
        };
      }
      if (name === "writeMetadata") {
        return async (of: string, key: string, value: Uint8Array) => {
          await store.writeMetadata(of, key, value);
          await target.writeMetadata(of, key, value);
        };
      }
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await index({}, { workspace: { ...sqlite, store: both } });
  postgres = { ...sqlite, store };
}, 300_000);
afterAll(async () => {
  await postgres.store.close();
  await sqlite.close();
  rmSync(root, { recursive: true, force: true });
  await database.close();
}, 60_000);

/** Draws the same numbers each time. */
function draw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Query = (store: Store) => Promise<Hit[]>;

/**
 * Names as they are and misspelt, qualified names, paths, words of comments in both scopes, with filters and without.
 */
function mixedQueries(count: number): Query[] {
  const items = changes.flatMap(({ files }) => files.flatMap(({ items }) => items.map(({ item }) => item)));
  const random = draw(20);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const misspelt = (word: string) => {
    const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
    return word.slice(0, at) + word.slice(at + 1);
  };
  const kinds: (() => Query)[] = [
    () => {
      const [a, b] = [pick(items), pick(items)];
      const terms = termsOf(`${a.doc ?? a.name} ${b.name} ${b.signature ?? ""}`);
      const scope = pick(["unit", "file"] as const);
      return (store) => store.searchText(owner, { scope, terms, limit: 20 });
    },
    () => {
      const terms = termsOf(`${pick(items).doc ?? ""} ${pick(items).name}`);
      const filter = pick([{ kinds: ["function" as const] }, { paths: ["src/text/**"] }, { tests: false }]);
      return (store) => store.searchText(owner, { scope: "unit", terms, limit: 20, filter });
    },
    () => {
      const { name: text } = pick(items);
      const mode = pick(["exact", "suffix"] as const);
      return (store) => store.searchNames(owner, { text, mode, limit: 20 });
    },
    () => {
      const text = misspelt(pick(items).name);
      return (store) => store.searchNames(owner, { text, mode: "fuzzy", limit: 20 });
    },
    () => {
      const { path } = pick(items);
      const mode = pick(["exact", "suffix", "fuzzy"] as const);
      const text = mode === "fuzzy" ? misspelt(path) : path.split("/").slice(-2).join("/");
      return (store) => store.searchPaths(owner, { text, mode, limit: 20 });
    },
  ];
  return Array.from({ length: count }, (_, i) => kinds[i % kinds.length]!());
}

describe(`${engineName} and SQLite`, () => {
  it("agree on the first twenty of 500 mixed queries: 99 % of them, and the first of 99 %", async () => {
    let [total, shared, firsts, queries] = [0, 0, 0, 0];
    for (const query of mixedQueries(500)) {
      const [ours, reference] = await Promise.all([query(postgres.store), query(sqlite.store)]);
      queries++;
      total += reference.length;
      const ids = new Set(ours.map(({ item }) => item.id));
      shared += reference.filter(({ item }) => ids.has(item.id)).length;
      if (ours[0]?.item.id === reference[0]?.item.id) firsts++;
    }
    console.log(
      `overlap ${((100 * shared) / total).toFixed(2)} % of ${total} hits, same first ${firsts} of ${queries}`,
    );
    expect(shared / total).toBeGreaterThanOrEqual(0.99);
    expect(firsts / queries).toBeGreaterThanOrEqual(0.99);
  }, 300_000);

  it("agree on links, and on the text of an answer", async () => {
    const ids = changes.flatMap(({ files }) => files.flatMap(({ items }) => items.map(({ item }) => item.id)));
    for (const direction of ["from", "to"] as const) {
      const some = ids.filter((_, i) => i % 17 === 0).slice(0, 150);
      expect(await postgres.store.links(owner, some, direction)).toEqual(
        await sqlite.store.links(owner, some, direction),
      );
    }
    for (const query of ["how is the token budget shared among sections?", "pathMatcher", "why are lines folded"]) {
      const [ours, reference] = [
        await context({ query }, { workspace: postgres }),
        await context({ query }, { workspace: sqlite }),
      ];
      expect(ours.text).toBe(reference.text);
    }
  }, 300_000);

  it("cost at most 30 round trips for a question, and 20 for a write of a thousand items", async () => {
    const trips = async (work: () => Promise<unknown>) => {
      const before = session.roundTrips();
      await work();
      return session.roundTrips() - before;
    };
    for (const query of ["where are duplicates found?", "knapsack", "what does the watcher skip, and why?"]) {
      expect(await trips(() => context({ query }, { workspace: postgres }))).toBeLessThanOrEqual(30);
    }
    const all = changes.flatMap(({ files }) => files);
    const thousand = all.slice(
      0,
      all.findIndex((_, i) => all.slice(0, i).flatMap(({ items }) => items).length >= 1000),
    );
    expect(thousand.flatMap(({ items }) => items).length).toBeGreaterThan(900);
    expect(await trips(() => postgres.store.write("someone", { files: thousand, removed: [] }))).toBeLessThanOrEqual(
      20,
    );
    expect(await trips(() => postgres.store.write("someone", { files: thousand, removed: [] }))).toBeLessThanOrEqual(
      20,
    );
  }, 300_000);
});
