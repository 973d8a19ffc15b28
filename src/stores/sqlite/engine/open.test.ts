import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sampleFile, sampleShop, termsOf } from "../../cases/store.samples.ts";
import { writeChange } from "../items/write.ts";
import { openDatabase } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { openSqliteStore } from "./open.ts";
import { applicationId, schemaVersion } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

async function filled(): Promise<string> {
  const path = newPath();
  const store = await openSqliteStore(path);
  await store.write("me", { files: sampleShop(), removed: [] });
  await store.close();
  return path;
}

describe("opening", () => {
  it("finds everything again in the next process's store, in WAL mode and marked as ours", async () => {
    const path = await filled();
    const store = await openSqliteStore(path);
    expect(await store.files("me")).toHaveLength(6);
    expect(await store.searchText("me", { scope: "unit", terms: termsOf("refund"), limit: 5 })).toHaveLength(1);
    await store.close();
    const database = await openDatabase(path);
    expect(database.get("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
    expect(database.get("PRAGMA application_id")).toMatchObject({ application_id: applicationId });
    expect(database.get("PRAGMA user_version")).toMatchObject({ user_version: schemaVersion });
    database.close();
  });

  it("reads but never writes when opened read-only", async () => {
    const path = await filled();
    const store = await openSqliteStore(path, { readOnly: true });
    expect(await store.searchNames("me", { text: "procesPayment", mode: "fuzzy", limit: 5 })).not.toEqual([]);
    expect(await store.searchVectors("me", { vector: Int8Array.of(1), limit: 5 })).toEqual([]);
    await expect(store.check()).resolves.toBeUndefined();
    await expect(store.write("me", { files: [], removed: ["web/tax.ts"] })).rejects.toMatchObject({
      code: "not-readable",
    });
    expect(await store.files("me")).toHaveLength(6);
    await store.close();
  });

  it("does not make a database to read from, nor migrate one", async () => {
    const missing = newPath();
    await expect(openSqliteStore(missing, { readOnly: true })).rejects.toMatchObject({ code: "not-indexed" });
    expect(existsSync(missing)).toBe(false);
    const old = await filled();
    const database = await openDatabase(old);
    database.execute("PRAGMA user_version = 0");
    database.close();
    await expect(openSqliteStore(old, { readOnly: true })).rejects.toMatchObject({ code: "not-indexed" });
  });
});

describe("versions", () => {
  const setVersion = async (path: string, version: number) => {
    const database = await openDatabase(path);
    database.execute(`PRAGMA user_version = ${version}`);
    database.close();
  };

  it("refuses a database of a newer version, and leaves it alone", async () => {
    const path = await filled();
    await setVersion(path, schemaVersion + 1);
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "store-newer" });
    await setVersion(path, schemaVersion);
    const store = await openSqliteStore(path);
    expect(await store.files("me")).toHaveLength(6);
    await store.close();
  });

  it("empties a database of a version it has no step from, ready to be filled again", async () => {
    const path = newPath();
    const old = await openDatabase(path);
    old.execute(`CREATE TABLE items(something TEXT); INSERT INTO items VALUES('old');
      CREATE VIRTUAL TABLE words USING fts5(word); PRAGMA application_id = ${applicationId}; PRAGMA user_version = 0`);
    old.close();
    const store = await openSqliteStore(path);
    expect(await store.files("me")).toEqual([]);
    await store.write("me", { files: sampleShop(), removed: [] });
    await store.check();
    await store.close();
  });

  it("keeps what version 9 knew of an owner", async () => {
    const path = await filled();
    const old = await openDatabase(path);
    old.execute(`DROP TABLE notes;
      CREATE TABLE notes(owner INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY(owner, key)) WITHOUT ROWID;
      INSERT INTO notes SELECT id, 'history', x'010203' FROM owners; PRAGMA user_version = 9`);
    old.close();
    const store = await openSqliteStore(path);
    expect(await store.metadata("me", "history")).toEqual(new Uint8Array([1, 2, 3]));
    await store.writeMetadata("me", "history", new Uint8Array([4]));
    expect(await store.metadata("me", "history")).toEqual(new Uint8Array([4]));
    await store.close();
  });

  it("takes every step from the version found to its own, in one transaction", async () => {
    const path = await filled();
    const database = await openDatabase(path);
    const version = () => database.get<{ user_version: number }>("PRAGMA user_version")!.user_version;
    const taken: number[] = [];
    const steps = { [schemaVersion]: () => void taken.push(1), [schemaVersion + 1]: () => void taken.push(2) };
    migrate(database, schemaVersion + 2, steps);
    expect([taken, version()]).toEqual([[1, 2], schemaVersion + 2]);
    expect(database.all("SELECT * FROM files")).toHaveLength(6);
    const failing = {
      [schemaVersion + 2]: () => database.execute("DELETE FROM files"),
      [schemaVersion + 3]: () => {
        throw new Error("broken step");
      },
    };
    expect(() => migrate(database, schemaVersion + 4, failing)).toThrow("broken step");
    expect([database.all("SELECT * FROM files").length, version()]).toEqual([6, schemaVersion + 2]);
    database.close();
  });
});

describe("damage", () => {
  it("names a file that is no database, and one that is somebody else's", async () => {
    const text = newPath();
    writeFileSync(text, "This is a letter to my aunt. ".repeat(500));
    await expect(openSqliteStore(text)).rejects.toMatchObject({ code: "store-damaged" });
    expect(readFileSync(text, "utf8")).toContain("aunt");
    const foreign = newPath();
    const database = await openDatabase(foreign);
    database.execute("CREATE TABLE songs(title); INSERT INTO songs VALUES('x')");
    database.close();
    await expect(openSqliteStore(foreign)).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringContaining("not one of Dossier's"),
    });
    const again = await openDatabase(foreign);
    expect(again.all("SELECT * FROM songs")).toHaveLength(1);
    again.close();
  });

  it("notices damage in the middle of the file, when it reads it or is asked to check", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const units = Array.from({ length: 300 }, (_, i) => ({ name: `unit${i}`, text: `word${i} `.repeat(20) }));
    await store.write("me", { files: [sampleFile("a.py", units)], removed: [] });
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xab, 4096 * 3);
    writeFileSync(path, bytes);
    const damaged = await openSqliteStore(path).catch((error: unknown) => error);
    if (damaged instanceof Error) {
      expect(damaged).toMatchObject({ code: "store-damaged" });
      return;
    }
    const opened = damaged as Awaited<ReturnType<typeof openSqliteStore>>;
    await expect(opened.check()).rejects.toMatchObject({ code: "store-damaged" });
    await expect(opened.itemsOf("me", "a.py")).rejects.toMatchObject({ code: "store-damaged" });
    await opened.close();
  });

  it("names a file that was cut short", async () => {
    const path = await filled();
    truncateSync(path, Math.floor(statSync(path).size / 2));
    const attempt = async () => {
      const store = await openSqliteStore(path);
      try {
        await store.check();
      } finally {
        await store.close();
      }
    };
    await expect(attempt()).rejects.toMatchObject({ code: "store-damaged" });
  });
});

describe("a full disk", () => {
  it("is named, and the store stays as it was and usable", async () => {
    const path = await filled();
    // The limit belongs to a connection, so the change is written through one that has it.
    const limited = await openDatabase(path);
    const pages = limited.get<{ page_count: number }>("PRAGMA page_count")!.page_count;
    limited.execute(`PRAGMA max_page_count = ${pages}`);
    const large = sampleFile("large.py", [
      { name: "f", text: Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(" ") },
    ]);
    expect(() => writeChange(limited, "files/me", { files: [large], removed: [] })).toThrow(
      expect.objectContaining({ code: "disk-full" }),
    );
    expect(limited.all("SELECT * FROM files")).toHaveLength(6);
    writeChange(limited, "files/me", { files: [], removed: ["web/tax.ts"] });
    limited.execute("PRAGMA max_page_count = 1000000");
    writeChange(limited, "files/me", { files: [large], removed: [] });
    limited.close();
    const store = await openSqliteStore(path);
    expect((await store.files("me")).map((file) => file.path)).toContain("large.py");
    await store.check();
    await store.close();
  });
});

describe("removal", () => {
  it("leaves no row in any table but the owner's own", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const files = sampleShop();
    files[0]!.items[1]!.vector = Int8Array.of(1, 2);
    for (const file of files) await store.write("me", { files: [file], removed: [] });
    await store.write("me", { files: [], removed: files.slice(1).map((file) => file.path) });
    await store.write("me", { files: [], removed: [files[0]!.path] });
    await store.close();
    const database = await openDatabase(path);
    const tables = database.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_data' AND name NOT LIKE '%_idx' AND name NOT LIKE '%_config'",
    );
    const rows = tables.map(({ name }) => [
      name,
      database.get<{ count: number }>(`SELECT count(*) AS count FROM "${name}"`)!.count,
    ]);
    expect(rows.filter(([, count]) => count !== 0)).toEqual([["owners", 1]]);
    expect(tables.length).toBeGreaterThan(10);
    database.close();
  });

  it("keeps the postings of what stays, however many small changes are made", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const file = (i: number, version: number) =>
      sampleFile(`f${i}.py`, [{ name: `unit${i}`, text: `common word${i} version${version}` }]);
    await store.write("me", { files: Array.from({ length: 50 }, (_, i) => file(i, 0)), removed: [] });
    for (let version = 1; version <= 60; version++)
      await store.write("me", { files: [file(version % 50, version)], removed: [] });
    const search = (term: string) =>
      store.searchText("me", { scope: "unit", terms: [{ term, weight: 1 }], limit: 100 });
    expect(await search("common")).toHaveLength(50);
    expect((await search("version60")).map(({ item }) => item.name)).toEqual(["unit10"]);
    expect(await search("version5")).toEqual([]);
    expect((await store.termStatistics("me", "unit", ["common"])).frequencies.get("common")).toBe(50);
    await store.close();
    const database = await openDatabase(path);
    expect(database.all("SELECT * FROM parts").length).toBeLessThan(20);
    database.close();
  });
});

describe("moving the file", () => {
  it("is all there is to moving an index", async () => {
    const path = await filled();
    const copy = newPath();
    copyFileSync(path, copy);
    const store = await openSqliteStore(copy);
    expect(await store.files("me")).toHaveLength(6);
    await store.close();
  });
});
