import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { libraryCases } from "../../cases/library.cases.ts";
import { say, talk, textsOf } from "../../cases/library.samples.ts";
import { note } from "../../cases/records.samples.ts";
import type { LibraryStore } from "../../library.ts";
import { type Database, openDatabase, type SqlValue } from "../engine/driver.ts";
import { openRecordsDatabase, openSqliteRecords } from "../records/records.ts";
import { recordsVersion } from "../records/records-schema.ts";
import { freshIds } from "./ids.ts";
import { libraryOver, openSqliteLibrary } from "./library.ts";
import { versionOne } from "./library-version-one.samples.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-library-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

libraryCases("SQLite", () => openSqliteLibrary(newPath()));

describe("one file with the records", () => {
  it("keeps every record of a file that version 1 made, and has room for a library", async () => {
    const path = newPath();
    const old = await openDatabase(path);
    old.execute(versionOne);
    old.close();
    const library = await openSqliteLibrary(path);
    expect([await library.revision("me"), await library.usageRevision("me")]).toEqual([0, 0]);
    await library.putDocument("me", { path: "p", content: "c", at: 1 });
    const records = await openSqliteRecords(path);
    expect(await records.get("me", ["mem-a", "mem-b"], { deleted: true })).toMatchObject([
      { id: "mem-a", slot: "s", body: { tag: "x" }, revision: 1 },
      { id: "mem-b", deleted: 3000, body: { tag: "x" } },
    ]);
    expect(await records.ids("you", { type: "memory", where: { tag: ["y"] } })).toEqual(["mem-a"]);
    await records.write("me", [note("c")]);
    expect([await records.revision("me"), await library.revision("me")]).toEqual([3, 1]);
    await records.purge("me", "mem-b");
    expect(await library.document("me", "p")).toMatchObject({ content: "c" });
    await Promise.all([records.close(), library.close()]);
    const database = await openDatabase(path);
    expect(database.get("PRAGMA user_version")).toMatchObject({ user_version: recordsVersion });
    expect(tables(database)).toEqual(tables(await openRecordsDatabase(newPath())));
    database.close();
  });

  it("is refused when a newer version made it, or something else did", async () => {
    const path = newPath();
    await (await openSqliteLibrary(path)).close();
    const database = await openDatabase(path);
    database.execute(`PRAGMA user_version = ${recordsVersion + 1}`);
    await expect(openSqliteLibrary(path)).rejects.toMatchObject({ code: "records-newer" });
    database.execute("PRAGMA application_id = 7");
    await expect(openSqliteLibrary(path)).rejects.toMatchObject({ code: "records-damaged" });
    database.close();
  });

  it("waits for the disk with every write, except for when a document was opened", async () => {
    const database = await openRecordsDatabase(newPath());
    const library = libraryOver(database);
    const { id } = await library.putDocument("me", { path: "p", content: "c", at: 1 });
    const statements: unknown[] = [];
    const watched: Database = {
      ...database,
      transaction: (kind, work) => {
        statements.push([kind, database.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous]);
        return database.transaction(kind, work);
      },
    };
    const touching = libraryOver(watched);
    await touching.touchDocuments("me", [id], 5);
    await expect(touching.touchDocuments("me", [id], {} as unknown as number)).rejects.toThrow();
    await touching.removeDocument("me", id, 5);
    expect(statements).toEqual([
      ["write", 1],
      ["write", 1],
      ["write", 2],
    ]);
    await library.close();
  });
});

function tables(database: Database): unknown[] {
  const columns =
    "SELECT m.name AS name, c.name AS column, c.type AS type FROM sqlite_master m, pragma_table_info(m.name) c";
  return [
    ...database.all(`${columns} ORDER BY 1, 2`),
    ...database.all("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY 1"),
  ];
}

/** A connection that tells what is asked of it. */
function noted(database: Database, note: (sql: string, values?: SqlValue[]) => void): Database {
  const telling =
    <Result>(ask: (sql: string, values?: SqlValue[]) => Result) =>
    (sql: string, values?: SqlValue[]): Result => {
      note(sql, values);
      return ask(sql, values);
    };
  return {
    ...database,
    run: telling(database.run),
    get: telling(database.get) as Database["get"],
    all: telling(database.all) as Database["all"],
  };
}

/** Asks everything that can be asked. */
async function everything(store: LibraryStore, owner: string): Promise<void> {
  const document = await store.putDocument(owner, { path: "f/a", content: "a", type: "t", at: 1 });
  await store.putDocument(owner, { path: "f/a", content: "b", at: 2 });
  await store.document(owner, document.id);
  await store.document(owner, "f/a", { deleted: true });
  await store.document(owner, "f/x", { deleted: true });
  await store.documentInfos(owner, [document.id]);
  await store.contents(owner, [document.id]);
  for (const order of ["path", "changed", "accessed"] as const) {
    for (const more of [{}, { under: "f" }, { opened: true }, { deleted: true }, { under: "f", deleted: true }]) {
      await store.documents(owner, { limit: 10, order, ...more });
    }
  }
  await store.touchDocuments(owner, [document.id], 3);
  await store.documentsSince(owner, 0, 10);
  await store.moveDocument(owner, document.id, "f/b", 4);
  await store.removeDocument(owner, document.id, 5);
  await store.restoreDocument(owner, document.id);
  const parent = await talk(store, owner, "a b c");
  const branch = await talk(store, owner, "d", { parent: parent.id, branchedAt: parent.messages[1]!.id });
  await talk(store, owner, "e", { parent: branch.id });
  await store.addMessages(owner, branch.id, [say("f", { id: "1" }), say("g", { id: branch.messages[0]!.id })]);
  await store.messages(owner, branch.id, { last: 3 });
  await store.messages(owner, branch.id, { from: 2, limit: 3 });
  await store.messagesById(owner, [parent.messages[0]!.id]);
  await store.messagesSince(owner, 0, 10);
  await store.changeThread(owner, branch.id, { title: "renamed", at: 4 });
  await store.thread(owner, branch.id, { deleted: true });
  await store.threads(owner, { limit: 5 });
  await store.threads(owner, { limit: 5, query: "x" });
  await store.threads(owner, { limit: 5, deleted: true });
  const reference = { kind: "item", target: "t", source: "user-added", priority: 1, at: 1 } as const;
  const { id } = await store.addReference(owner, parent.id, reference);
  await store.references(owner, branch.id);
  await store.removeReference(owner, parent.id, id);
  const [event] = await store.recordUsage(owner, [{ item: "i", kind: "cited", at: 1 }]);
  await store.usage(owner, ["i", "j"], 5);
  await store.undoUsage(owner, [event!.id]);
  await store.counts(owner);
  await store.revision(owner);
  await store.usageRevision(owner);
  await store.removeThread(owner, parent.id, 9);
  await store.restoreThread(owner, parent.id);
  await store.purgeThread(owner, branch.id);
  await store.purgeDocument(owner, document.id);
}

describe("asking", () => {
  const ours = "documents|contents|threads|parents|messages|thread_references|usage|owners";

  it("finds everything by the owner first or by its number, never by going through a table", async () => {
    const database = await openRecordsDatabase(newPath());
    const statements = new Map<string, SqlValue[] | undefined>();
    const noting = noted(database, (sql, values) => statements.set(sql, values));
    await everything(libraryOver(noting), "me");
    const plans = [...statements.keys()]
      .filter((sql) => !sql.startsWith("PRAGMA"))
      .map((sql) => ({
        sql,
        plan: database
          .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, statements.get(sql))
          .map(({ detail }) => detail)
          .filter((detail) => new RegExp(`^(SCAN|SEARCH) (${ours})\\b`).test(detail)),
      }));
    expect(plans.length).toBeGreaterThan(50);
    // Only what lists or counts all that an owner has goes through all that an owner has.
    const good = /^SEARCH \w+ USING (INTEGER PRIMARY KEY \(rowid=\?\)|(COVERING )?INDEX \w+ \((owner=\? AND |name=\?))/;
    const whole = /^SEARCH \w+ USING (COVERING )?INDEX \w+ \(owner=\?\)$/;
    const bad = (sql: string) => (detail: string) =>
      !good.test(detail) && !(whole.test(detail) && /OFFSET \?$|count\(\*\)/.test(sql));
    expect(plans.filter(({ sql, plan }) => plan.some(bad(sql)))).toEqual([]);
    database.close();
  });

  it("reads contents and blocks only when they are asked for", async () => {
    const database = await openRecordsDatabase(newPath());
    const statements: string[] = [];
    const noting = noted(database, (sql) => statements.push(sql));
    const store = libraryOver(noting);
    const { id } = await store.putDocument("me", { path: "p", content: "c", at: 1 });
    const thread = await talk(store, "me", "a b");
    statements.length = 0;
    await store.documents("me", { limit: 5 });
    await store.documentInfos("me", [id]);
    await store.moveDocument("me", id, "q", 1);
    await store.documentsSince("me", 0, 5, { contents: false });
    await store.threads("me", { limit: 5 });
    await store.thread("me", thread.id);
    await store.counts("me");
    expect(statements.length).toBeGreaterThan(5);
    expect(statements.filter((sql) => /contents|blocks|SELECT \*/.test(sql))).toEqual([]);
    database.close();
  });

  it("ends in a file whose threads were made each other's parents", async () => {
    const path = newPath();
    const store = await openSqliteLibrary(path);
    const a = await talk(store, "me", "a");
    const b = await talk(store, "me", "b", { parent: a.id });
    const c = await talk(store, "me", "c", { parent: b.id });
    const database = await openDatabase(path);
    database.execute("UPDATE threads SET parent = 3 WHERE number = 1");
    expect(textsOf(await store.messages("me", c.id, { last: 9 }))).toBe("a b c");
    expect(textsOf(await store.messages("me", a.id, { last: 9 }))).toContain("a");
    expect(await store.references("me", b.id)).toEqual([]);
    database.close();
    await store.close();
  });
});

describe("ids", () => {
  it("are drawn again when the owner has one already, or one is drawn twice", async () => {
    const database = await openRecordsDatabase(newPath());
    const store = libraryOver(database);
    await talk(store, "me", "a");
    database.run("UPDATE messages SET id = 'msg-0000000000001'");
    const drawn = [Buffer.from("0000000000000001000000000000000200000000000000020000000000000003", "hex")];
    drawn.push(Buffer.from("00000000000000ff0000000000000003", "hex"), Buffer.from("ffffffffffffffff", "hex"));
    const ids = freshIds(database, "messages", 1, 4, (size) => {
      const bytes = drawn.shift()!;
      expect(bytes).toHaveLength(size);
      return bytes;
    });
    expect(ids).toEqual(["msg-0000000000002", "msg-0000000000003", "msg-0000000000073", "msg-3w5e11264sgsf"]);
    expect(freshIds(database, "messages", 2, 1, () => Buffer.from("0000000000000001", "hex"))).toEqual([
      "msg-0000000000001",
    ]);
    database.close();
  });
});

describe("purging", () => {
  it("leaves no byte of contents, paths, titles, messages or references in any file", async () => {
    const path = newPath();
    const store = await openSqliteLibrary(path);
    // As another process would: what it has in its cache or log must not come back.
    const beside = await openSqliteLibrary(path);
    const documents: string[] = [];
    const threads: string[] = [];
    for (let i = 0; i < 60; i++) {
      const word = (kind: string) => `${kind}SECRET${i}.`;
      const { id } = await store.putDocument("me", { path: word("path"), content: word("old").repeat(700), at: i });
      await store.putDocument("me", { path: word("path"), content: word("text").repeat(1 + ((i * 37) % 500)), at: i });
      documents.push(id);
      const thread = await store.createThread("me", { title: word("title"), at: i });
      const more = { id: word("given"), speaker: word("speaker"), session: word("session") };
      await store.addMessages("me", thread.id, [say(word("first").repeat(300), more), say(word("reply"))]);
      await store.addMessages("me", thread.id, [say(word("edited").repeat(1 + ((i * 53) % 90)), more)]);
      const reference = { kind: "folder", source: "user-added", priority: 1, at: 1 } as const;
      await store.addReference("me", thread.id, { ...reference, target: word("target") });
      threads.push(thread.id);
    }
    const every = <Value>(values: Value[]) => values.filter((_, i) => i % 3 === 0);
    await beside.removeThread("me", threads[0]!, 9);
    await store.purgeDocument("me", every(documents));
    await store.purgeThread("me", every(threads));
    const bytes = [path, `${path}-wal`]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "latin1"))
      .join("");
    for (const kind of ["path", "text", "title", "edited", "given", "speaker", "session", "reply", "target"]) {
      // The database keeps texts in UTF-8, titles also in small letters.
      expect(bytes).toContain(`${kind}SECRET1.`);
    }
    const leftovers = threads
      .map((_, i) => i)
      .filter((i) => i % 3 === 0 && bytes.toLowerCase().includes(`secret${i}.`));
    expect(leftovers).toEqual([]);
    await Promise.all([store.close(), beside.close()]);
  });
});
