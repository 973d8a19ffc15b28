import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { recordCases } from "../../cases/records.cases.ts";
import { note } from "../../cases/records.samples.ts";
import { readableRecords } from "../../readable-records.ts";
import { openDatabase } from "../engine/driver.ts";
import { openSqliteStore } from "../engine/open.ts";
import { openSqliteRecords } from "./records.ts";
import { migrateRecords, recordsApplicationId, recordsVersion } from "./records-schema.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-records-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

recordCases("SQLite", () => openSqliteRecords(newPath()));

async function filled(): Promise<string> {
  const path = newPath();
  const store = await openSqliteRecords(path);
  await store.write("me", [note("a", { tag: "x" }), note("b", { tag: "x" })]);
  await store.close();
  return path;
}

describe("opening records", () => {
  it("finds everything again, in a file marked as ours that waits for the disk", async () => {
    const path = await filled();
    const store = await openSqliteRecords(path);
    expect(await store.ids("me", { type: "memory", where: { tag: ["x"] } })).toEqual(["mem-a", "mem-b"]);
    await store.close();
    const database = await openDatabase(path);
    expect(database.get("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
    expect(database.get("PRAGMA application_id")).toMatchObject({ application_id: recordsApplicationId });
    expect(database.get("PRAGMA user_version")).toMatchObject({ user_version: recordsVersion });
    database.close();
  });

  it("refuses records of a newer version, and leaves them alone", async () => {
    const path = await filled();
    const setVersion = async (version: number) => {
      const database = await openDatabase(path);
      database.execute(`PRAGMA user_version = ${version}`);
      database.close();
    };
    await setVersion(recordsVersion + 1);
    await expect(openSqliteRecords(path)).rejects.toMatchObject({ code: "records-newer" });
    await setVersion(recordsVersion);
    const store = await openSqliteRecords(path);
    expect(await store.ids("me", { type: "memory" })).toHaveLength(2);
    await store.close();
  });

  it("takes every step from an older version in one transaction, and never drops a record", async () => {
    const path = await filled();
    const database = await openDatabase(path);
    const state = () => ({
      ...database.get<object>("PRAGMA user_version"),
      ...database.get<object>("SELECT count(*) AS count FROM records"),
    });
    const taken: number[] = [];
    migrateRecords(database, recordsVersion + 2, {
      [recordsVersion]: () => void taken.push(1),
      [recordsVersion + 1]: () => void taken.push(2),
    });
    expect([taken, state()]).toEqual([[1, 2], { user_version: recordsVersion + 2, count: 2 }]);
    const half = { [recordsVersion + 2]: () => database.execute("DELETE FROM records") };
    expect(() => migrateRecords(database, recordsVersion + 4, half)).toThrow("There is no way");
    expect(state()).toEqual({ user_version: recordsVersion + 2, count: 2 });
    database.close();
  });

  it("refuses a file that is no database, somebody else's or an index, says what helps, and leaves it as it is", async () => {
    const text = newPath();
    writeFileSync(text, "This is a letter to my aunt. ".repeat(500));
    const foreign = newPath();
    const database = await openDatabase(foreign);
    database.execute("CREATE TABLE songs(title); INSERT INTO songs VALUES('x')");
    database.close();
    const index = newPath();
    await (await openSqliteStore(index)).close();
    for (const path of [text, foreign, index]) {
      const before = readFileSync(path);
      await expect(openSqliteRecords(path)).rejects.toMatchObject({
        code: "records-damaged",
        message: expect.stringContaining(path),
        fix: expect.not.stringContaining("--rebuild"),
      });
      if (path !== foreign) expect(readFileSync(path).equals(before)).toBe(true);
    }
    const again = await openDatabase(foreign);
    expect(again.all("SELECT * FROM songs")).toHaveLength(1);
    again.close();
    await expect(openSqliteStore(await filled())).rejects.toMatchObject({ code: "store-damaged" });
  });

  it("says that it is the records that are damaged, when a page of theirs is", async () => {
    const path = newPath();
    const store = await openSqliteRecords(path);
    await store.write(
      "me",
      Array.from({ length: 300 }, (_, i) => note(`n${i}`, { text: "x".repeat(2000) })),
    );
    await store.close();
    truncateSync(path, 20 * 4096);
    const read = async () => {
      const damaged = await openSqliteRecords(path);
      try {
        await damaged.list("me", { type: "memory", limit: 300 });
      } finally {
        await damaged.close();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "records-damaged" });
  });
});

describe("a body that is damaged", () => {
  it.each([
    ["no JSON", 'CAST(\'{"text": "cut\' AS TEXT)'],
    ["no UTF-8", "CAST(x'7b2274657874223a22ff227d' AS TEXT)"],
  ])("because it is %s, is named and does not end the process", async (_, body) => {
    const path = await filled();
    const database = await openDatabase(path);
    database.execute(`UPDATE records SET body = ${body} WHERE id = 'mem-a'`);
    database.close();
    const store = await openSqliteRecords(path);
    const damaged = { code: "records-damaged", message: expect.stringContaining(path) };
    await expect(store.get("me", ["mem-a"])).rejects.toMatchObject(damaged);
    await expect(store.list("me", { type: "memory", limit: 10 })).rejects.toMatchObject(damaged);
    expect(await store.get("me", ["mem-b"])).toHaveLength(1);
    await store.close();
  });
});

describe("a text beside the body that is no UTF-8", () => {
  it.each(["id", "type", "slot"])("is named and does not end the process: %s", async (column) => {
    const path = await filled();
    const database = await openDatabase(path);
    database.execute(`UPDATE records SET ${column} = CAST(x'6d656d2dff' AS TEXT) WHERE id = 'mem-a'`);
    database.close();
    const store = await openSqliteRecords(path);
    const damaged = { code: "records-damaged", message: expect.stringContaining(path) };
    if (column !== "type") await expect(store.list("me", { type: "memory", limit: 10 })).rejects.toMatchObject(damaged);
    if (column !== "id") await expect(store.get("me", ["mem-a"])).rejects.toMatchObject(damaged);
    const ids = await store.ids("me", { type: "memory" });
    const { records, damage } = await readableRecords(store, "me", ids);
    expect(records.map(({ id }) => id)).toEqual(["mem-b"]);
    expect(damage.size).toBe(column === "type" ? 0 : 1);
    await store.close();
  });
});

describe("a file that was emptied beside its log", () => {
  it("is named, and the log stays as it is", async () => {
    const path = await filled();
    for (const file of [path, `${path}-shm`]) rmSync(file, { force: true });
    writeFileSync(`${path}-wal`, "what was written last");
    const damaged = { code: "records-damaged", message: expect.stringContaining(`${path}-wal`) };
    await expect(openSqliteRecords(path)).rejects.toMatchObject(damaged);
    writeFileSync(path, "");
    await expect(openSqliteRecords(path)).rejects.toMatchObject(damaged);
    expect(readFileSync(`${path}-wal`, "utf8")).toBe("what was written last");
    rmSync(`${path}-wal`);
    const store = await openSqliteRecords(path);
    expect(await store.ids("me", { type: "memory" })).toEqual([]);
    await store.close();
  });
});

describe("a schema that is damaged", () => {
  it("is named instead of being an error of SQLite's", async () => {
    const path = await filled();
    const database = await openDatabase(path);
    database.execute("ALTER TABLE records RENAME COLUMN slot TO sl0t");
    database.close();
    const store = await openSqliteRecords(path);
    await expect(store.get("me", ["mem-a"])).rejects.toMatchObject({
      code: "records-damaged",
      message: expect.stringMatching(/is damaged \(.*no such column: slot.*\)/),
    });
    await store.close();
  });
});

describe("purging", () => {
  it("leaves no byte of a body or its values in any file", async () => {
    const path = newPath();
    const store = await openSqliteRecords(path);
    const body = (i: number, size: number) => ({
      text: `SECRET${i}.`.repeat(size),
      tags: [1, 2, 3, 4].map((part) => `${(i * part * 7919) % 1009} label${i}.`),
    });
    // Bodies that grow and shrink move between pages, which leaves copies behind that SQLite's own secure_delete does
    // not know of.
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let turn = 0; turn < 150; turn++) {
      const changed = Array.from({ length: 10 }, () => random(300));
      await store.write(
        "me",
        changed.map((i, place) => note(`n${i}`, body(i, 1 + random(place === 0 ? 400 : 40)))),
      );
    }
    const purged = Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 3 === 0);
    await store.remove("me", "mem-n0");
    await store.purge(
      "me",
      purged.map((i) => `mem-n${i}`),
    );
    const bytes = [path, `${path}-wal`]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "latin1"))
      .join("");
    expect(bytes).toContain("SECRET1.");
    expect(purged.filter((i) => bytes.includes(`SECRET${i}.`) || bytes.includes(`label${i}.`))).toEqual([]);
    await store.close();
  });
});
