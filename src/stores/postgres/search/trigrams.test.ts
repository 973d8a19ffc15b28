import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleFile } from "../../cases/store.samples.ts";
import { openSqliteStore } from "../../sqlite/engine/open.ts";
import type { Store } from "../../store.ts";
import { postgresStore } from "../engine/open.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { statementCases } from "../engine/statement.cases.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "dossier-trigrams-"));
}, 60_000);
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const owner = "me";
const words = [
  "read",
  "write",
  "user",
  "order",
  "invoice",
  "queue",
  "token",
  "cache",
  "line",
  "total",
  "state",
  "file",
];
const name = fc
  .array(fc.constantFrom(...words), { minLength: 2, maxLength: 4 })
  .map(([first, ...rest]) => `${first}${rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("")}`);
const file = (path: string, names: readonly string[]) =>
  sampleFile(
    path,
    names.map((each, i) => ({ name: each, text: `const x${i} = ${i}` })),
  );
/** A letter left out. */
const misspelt = (text: string, at: number) => text.slice(0, at % text.length) + text.slice((at % text.length) + 1);
const found = async (store: Store, text: string) =>
  (await store.searchNames(owner, { text, mode: "fuzzy", limit: 5 })).map(({ item, score }) => ({
    ...{ name: item.name, path: item.path, score },
  }));

describe(`misspelt names on ${engineName}`, () => {
  it("are found as in SQLite, the most alike first, whatever was written, changed and removed before", async () => {
    const writes = fc.array(
      fc.record({
        path: fc.constantFrom("a.ts", "b.ts", "c.ts"),
        names: fc.uniqueArray(name, { maxLength: 12 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(writes, fc.nat(), async (changes, at) => {
        const sqlite = await openSqliteStore(join(folder, `${run++}.db`));
        const session = await database.session();
        const postgres = postgresStore(session);
        try {
          for (const { path, names } of changes) {
            const change =
              names.length === 0 ? { files: [], removed: [path] } : { files: [file(path, names)], removed: [] };
            await Promise.all([sqlite.write(owner, change), postgres.write(owner, change)]);
          }
          const present = new Set([...new Map(changes.map(({ path, names }) => [path, names])).values()].flat());
          for (const each of new Set(changes.flatMap(({ names }) => names))) {
            const text = misspelt(each, at);
            const [[expected], hits] = [await found(sqlite, text), await found(postgres, text)];
            // Of names that are less alike, as those that remain are to one that is gone, either engine may have others
            // among its rarest trigrams.
            if (present.has(each)) expect(hits[0]).toEqual(expected);
            else expect(hits.map(({ name }) => name)).not.toContain(each);
          }
        } finally {
          await postgres.close();
          await sqlite.close();
        }
      }),
      {
        numRuns: 15,
        examples: [
          [
            [
              { path: "a.ts", names: ["lineReadInvoice"] },
              { path: "a.ts", names: ["lineLineFile", "invoiceLineRead"] },
            ],
            726843498,
          ],
        ],
      },
    );
  }, 120_000);

  it("are found among the names of one owner only, and of items that pass a filter", async () => {
    const store = postgresStore(await database.session());
    await store.write(owner, { files: [file("a.ts", ["openInvoice"]), file("b.ts", ["openInvoices"])], removed: [] });
    await store.write("you", { files: [file("a.ts", ["openInvoicing"])], removed: [] });
    expect((await found(store, "opnInvoice")).map((each) => each.name)).toEqual(["openInvoice", "openInvoices"]);
    const search = { text: "opnInvoice", mode: "fuzzy", limit: 5 } as const;
    const filtered = await store.searchNames(owner, { ...search, filter: { paths: ["b.ts"] } });
    expect(filtered.map(({ item }) => item.name)).toEqual(["openInvoices"]);
    await store.close();
  });

  it("are found on a shelf that was written before it had trigrams, which the next write adds", async () => {
    const session = await database.session();
    const store = postgresStore(session);
    await store.write(owner, { files: [file("a.ts", ["openInvoice"])], removed: [] });
    const trigrams = "parts WHERE owner = $1 AND scope = 2";
    await session.of(owner).run(`DELETE FROM blocks WHERE owner = $1 AND part IN (SELECT id FROM ${trigrams})`);
    await session.of(owner).run(`DELETE FROM ${trigrams}`);
    const before = postgresStore(session);
    expect((await found(before, "opnInvoice")).map((each) => each.name)).toEqual(["openInvoice"]);
    await before.write(owner, { files: [file("b.ts", ["openInvoices"])], removed: [] });
    expect(await session.of(owner).get(`SELECT count(*) AS parts FROM ${trigrams}`)).toEqual({ parts: 1 });
    expect((await found(before, "opnInvoice")).map((each) => each.name)).toEqual(["openInvoice", "openInvoices"]);
    await session.close();
  });

  it("forgets names that are gone when parts are merged", async () => {
    const session = await database.session();
    const store = postgresStore(session);
    for (let i = 0; i < 30; i++) await store.write(owner, { files: [file("a.ts", [`openInvoice${i}`])], removed: [] });
    const names = await session
      .of(owner)
      .get<{ names: number }>("SELECT sum(length(items) / 8)::int AS names FROM parts WHERE owner = $1 AND scope = 2");
    expect(names!.names).toBeLessThan(15);
    expect((await found(store, "opnInvoice29")).map((each) => each.name)).toEqual(["openInvoice29"]);
    await store.close();
  });
});

statementCases(() => database);
