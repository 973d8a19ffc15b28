import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oddTexts, say, talk, textsOf } from "./cases/library.samples.ts";
import { note } from "./cases/records.samples.ts";
import { copyOwner, differences, sumOf } from "./copy.ts";
import type { KeyStore } from "./keys.ts";
import type { LibraryStore } from "./library.ts";
import { engineName, openTestDatabase, type TestDatabase } from "./postgres/engine/server.samples.ts";
import { postgresLibrary } from "./postgres/library/library.ts";
import { postgresKeys } from "./postgres/records/keys.ts";
import { postgresRecords } from "./postgres/records/records.ts";
import { postgresTransfer } from "./postgres/records/transfer.ts";
import type { RecordStore } from "./records.ts";
import { openSqliteLibrary } from "./sqlite/library/library.ts";
import { openSqliteKeys } from "./sqlite/records/keys.ts";
import { openSqliteRecords } from "./sqlite/records/records.ts";
import { openSqliteTransfer } from "./sqlite/records/transfer.ts";
import type { Transfer } from "./transfer.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-copy-"));
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** One workspace in one engine, with every way into it. */
type Side = { transfer: Transfer; records: RecordStore; library: LibraryStore; keys: KeyStore; close(): Promise<void> };
let count = 0;

async function inSqlite(): Promise<Side> {
  const path = join(folder, `${count++}.db`);
  const records = await openSqliteRecords(path);
  const library = await openSqliteLibrary(path);
  const keys = await openSqliteKeys(path);
  const transfer = await openSqliteTransfer(path);
  const close = async () => {
    for (const store of [records, library, keys, transfer]) await store.close();
  };
  return { transfer, records, library, keys, close };
}

async function inPostgres(): Promise<Side> {
  const session = await database.session();
  return {
    transfer: postgresTransfer(session),
    records: postgresRecords(session),
    library: postgresLibrary(session),
    keys: postgresKeys(session),
    close: () => session.close(),
  };
}

const nothing = () => undefined;

async function fill({ records, library }: Side, owner: string): Promise<{ thread: string; document: string }> {
  await records.write(
    owner,
    oddTexts.map((text, i) => note(`n${i}`, { text, tag: `t${i % 2}`, weight: i }, { slot: `slot ${i}` })),
  );
  await records.remove(owner, "mem-n1", 50);
  await records.purge(owner, "mem-n2", 60);
  let document = "";
  for (const [i, text] of oddTexts.entries()) {
    ({ id: document } = await library.putDocument(owner, { path: `odd/${text}`, content: text, type: text, at: i }));
  }
  await library.touchDocuments(owner, [document], 99);
  const deletedDocument = await library.putDocument(owner, { path: "gone", content: "gone", at: 1 });
  await library.removeDocument(owner, deletedDocument.id, 5);
  const purged = await library.putDocument(owner, { path: "purged", content: "purged", at: 1 });
  await library.purgeDocument(owner, purged.id);
  const first = await talk(library, owner, "a b c");
  const branch = await talk(library, owner, "x y", { parent: first.id, branchedAt: first.messages[1]!.id });
  await library.addMessages(
    owner,
    branch.id,
    oddTexts.map((text) => say(text, { id: text, speaker: text, session: text })),
  );
  const removed = await talk(library, owner, "removed");
  await library.removeThread(owner, removed.id, 7);
  const deleted = await talk(library, owner, "purged");
  await library.purgeThread(owner, deleted.id);
  for (const text of oddTexts) {
    await library.addReference(owner, first.id, {
      kind: "item",
      target: text,
      source: "user-added",
      priority: 0.3,
      at: 1,
    });
  }
  const events = await library.recordUsage(
    owner,
    oddTexts.map((text) => ({ item: "item", kind: "useful", context: text, at: 3 })),
  );
  await library.undoUsage(owner, [events[2]!.id]);
  return { thread: branch.id, document };
}

const same = async (a: Side, b: Side, owner: string) =>
  differences(await sumOf(a.transfer, owner, nothing), await sumOf(b.transfer, owner, nothing));

const sides: [string, () => Promise<Side>, () => Promise<Side>][] = [
  [`SQLite to ${engineName}`, inSqlite, inPostgres],
  [`${engineName} to SQLite`, inPostgres, inSqlite],
];

describe.each(sides)("copying from %s", (_, openFrom, openTo) => {
  it("brings every row of every owner, with revisions, deletions and each character, and they are used on", async () => {
    const [from, to] = [await openFrom(), await openTo()];
    for (const owner of ["ann", "bob"]) await fill(from, owner);
    const { thread, document } = await fill(from, "cyd");
    expect(await from.transfer.owners()).toEqual(["ann", "bob", "cyd"]);
    for (const owner of ["ann", "bob", "cyd"]) {
      expect(await copyOwner(from.transfer, to.transfer, owner, nothing)).toBeGreaterThan(60);
      expect(await same(from, to, owner)).toEqual([]);
    }
    expect(await to.transfer.owners()).toEqual(["ann", "bob", "cyd"]);
    const everythingIn = async ({ records, library }: Side) => ({
      memories: await records.list("cyd", {
        type: "memory",
        where: { tag: ["t0"] },
        atLeast: { weight: 4 },
        limit: 99,
      }),
      deleted: await records.list("cyd", { type: "memory", deleted: true, limit: 99 }),
      changed: await records.changedSince("cyd", "memory", 0, 999),
      documents: await library.documents("cyd", { under: "odd", limit: 99 }),
      document: await library.document("cyd", document),
      since: await library.documentsSince("cyd", 0, 99),
      threads: await library.threads("cyd", { query: "x y", limit: 9 }),
      messages: await library.messages("cyd", thread, { last: 99 }),
      references: await library.references("cyd", thread),
      usage: await library.usage("cyd", ["item"]),
      counts: await library.counts("cyd"),
      revisions: [await records.revision("cyd"), await library.revision("cyd"), await library.usageRevision("cyd")],
    });
    const before = await everythingIn(from);
    expect(await everythingIn(to)).toEqual(before);
    await to.library.addMessages("cyd", thread, [say("next")]);
    await to.library.recordUsage("cyd", [{ item: "item", kind: "cited", context: "last", at: 3 }]);
    await to.records.write("cyd", [note("new")]);
    expect(textsOf(await to.library.messages("cyd", thread, { last: 1 }))).toBe("next");
    expect((await to.library.usage("cyd", ["item"], 1)).get("item")).toMatchObject([{ context: "last" }]);
    expect(await to.records.revision("cyd")).toBe(before.revisions[0]! + 1);
    // What has gone on by itself is not written over.
    await expect(copyOwner(from.transfer, to.transfer, "cyd", nothing)).rejects.toMatchObject({ code: "conflict" });
    for (const side of [from, to]) await side.close();
  }, 60_000);

  it("goes on where it was broken off, and brings only what has changed when it is made again", async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const { thread } = await fill(from, "ann");
    let writes = 0;
    const breaking: Transfer = {
      ...to.transfer,
      async write(owner, part, rows) {
        if (++writes === 4) throw new Error("broken off");
        await to.transfer.write(owner, part, rows);
      },
    };
    await expect(copyOwner(from.transfer, breaking, "ann", nothing)).rejects.toThrow("broken off");
    const missing = await copyOwner(from.transfer, to.transfer, "ann", nothing);
    expect(missing).toBeLessThan(60);
    expect(await same(from, to, "ann")).toEqual([]);
    expect(await copyOwner(from.transfer, to.transfer, "ann", nothing)).toBe(0);
    // A slot, a path and a reference pass on, events are taken back.
    await from.records.write("ann", [note("n3", {}), note("n0", {}, { slot: "slot 3" })]);
    const { documents } = await from.library.documents("ann", { under: "odd", limit: 2 });
    const path = documents[1]!.path;
    await from.library.moveDocument("ann", documents[1]!.id, "free", 70);
    await from.library.moveDocument("ann", documents[0]!.id, path, 71);
    const [reference] = await from.library.references("ann", (await from.library.thread("ann", thread))!.parent!);
    await from.library.removeReference("ann", (await from.library.thread("ann", thread))!.parent!, reference!.id);
    const events = (await from.library.usage("ann", ["item"])).get("item")!;
    await from.library.undoUsage("ann", [events[1]!.id]);
    expect(await same(from, to, "ann")).toEqual(["records", "documents", "references", "usage", "revisions"]);
    await copyOwner(from.transfer, to.transfer, "ann", nothing);
    expect(await same(from, to, "ann")).toEqual([]);
    expect(await to.library.usage("ann", ["item"])).toEqual(await from.library.usage("ann", ["item"]));
    for (const side of [from, to]) await side.close();
  }, 60_000);

  it("leaves a target alone that has something of its own", async () => {
    const [from, to] = [await openFrom(), await openTo()];
    await from.records.write("ann", [note("a"), note("b"), note("c")]);
    await to.records.write("ann", [note("mine")]);
    const before = await sumOf(to.transfer, "ann", nothing);
    await expect(copyOwner(from.transfer, to.transfer, "ann", nothing)).rejects.toMatchObject({ code: "conflict" });
    expect(await sumOf(to.transfer, "ann", nothing)).toEqual(before);
    for (const side of [from, to]) await side.close();
  });

  it("brings keys, which open the same doors and stay revoked", async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const one = await from.keys.create({ name: "one", owner: "ann\0", scope: "read", at: 1 });
    const two = await from.keys.create({ name: "two", owner: "bob", scope: "admin", at: 1, expires: 9 });
    await to.transfer.writeKeys(await from.transfer.keys());
    await from.keys.revoke("two", 5);
    await to.transfer.writeKeys(await from.transfer.keys());
    expect(await to.keys.find(one.secret)).toEqual(one.info);
    expect(await to.keys.find(two.secret)).toEqual({ ...two.info, revoked: 5 });
    expect(await to.keys.list()).toEqual(await from.keys.list());
    for (const side of [from, to]) await side.close();
  });
});
