import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bundleProgram, runProgram } from "./child.samples.ts";
import { type DriverName, openDatabase } from "./driver.ts";
import { asStoreFailure } from "./failures.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-driver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const builtIn = "sqlite" in process.versions;
const drivers: DriverName[] = builtIn ? ["node", "libsql"] : ["libsql"];

for (const driver of drivers) {
  describe(`driver ${driver}`, () => {
    const open = (name: string, readOnly = false) =>
      openDatabase(join(folder, `${driver}-${name}.db`), { driver, readOnly, lockWait: 0 });

    it("gives back what was stored: numbers, text, bytes, nothing", async () => {
      const database = await open("values");
      database.execute("CREATE TABLE t(i INTEGER PRIMARY KEY, n INTEGER, r REAL, s TEXT, b BLOB)");
      const row = { i: 1, n: 2 ** 53 - 1, r: 0.1, s: "ä😀\n", b: Uint8Array.of(0, 255, 1) };
      database.run("INSERT INTO t VALUES(?, ?, ?, ?, ?)", [row.i, row.n, row.r, row.s, row.b]);
      database.run("INSERT INTO t VALUES(?, ?, ?, ?, ?)", [2, null, null, null, new Uint8Array(0)]);
      const sql = "SELECT * FROM t WHERE i = ?";
      expect({ ...database.get<object>(sql, [1]) }).toEqual(row);
      expect(database.all<object>(sql, [1]).map((each) => ({ ...each }))).toEqual([row]);
      expect({ ...database.get<object>(sql, [2]) }).toEqual({ i: 2, n: null, r: null, s: null, b: new Uint8Array(0) });
      expect(database.get(sql, [3])).toBeUndefined();
      expect(database.all(sql, [3])).toEqual([]);
      expect(database.engine).toMatch(/SQLite 3\.\d+/);
      database.close();
    });

    it("joins bytes as they are: zeros and what is no text too", async () => {
      const database = await open("joined");
      database.execute("CREATE TABLE t(i INTEGER PRIMARY KEY, b BLOB)");
      const rows = [
        Uint8Array.from({ length: 256 }, (_, byte) => byte),
        Uint8Array.of(0),
        Uint8Array.of(0xc3, 0, 0xff),
      ];
      for (const [i, bytes] of rows.entries()) database.run("INSERT INTO t VALUES(?, ?)", [i, bytes]);
      const sql = "SELECT CAST(group_concat(b, '') AS BLOB) AS joined FROM t";
      const joined = Uint8Array.from(rows.flatMap((bytes) => [...bytes]));
      expect(database.get<{ joined: Uint8Array }>(sql)!.joined).toEqual(joined);
      expect(database.all<{ joined: Uint8Array }>(sql)[0]!.joined).toEqual(joined);
      database.close();
    });

    it("leaves Node's report as it was, also when several databases are opened at once", async () => {
      const { getReport } = process.report!;
      const opened = await Promise.all([open("one"), open("two"), open("three")]);
      expect(process.report!.getReport).toBe(getReport);
      for (const database of opened) database.close();
    });

    it("answers with the values given, in whatever way a statement was used before", async () => {
      const database = await open("reuse");
      database.execute("CREATE TABLE t(i INTEGER PRIMARY KEY); INSERT INTO t VALUES(1), (2), (3)");
      const sql = "SELECT i FROM t WHERE i >= ? ORDER BY i";
      const ways = [
        (from: number) => database.get<{ i: number }>(sql, [from])?.i,
        (from: number) => database.all<{ i: number }>(sql, [from])[0]?.i,
      ];
      for (const first of ways) {
        for (const second of ways)
          expect([first(1), second(2), first(4), second(3), second(1)]).toEqual([1, 2, undefined, 3, 1]);
      }
      database.close();
    });

    it("takes a transaction back when the work in it fails", async () => {
      const database = await open("transaction");
      database.execute("CREATE TABLE t(i)");
      const work = () =>
        database.transaction("write", () => {
          database.run("INSERT INTO t VALUES(1)");
          database.transaction("read", () => database.run("INSERT INTO t VALUES(2)"));
          throw new Error("no");
        });
      expect(work).toThrow("no");
      expect(database.all("SELECT * FROM t")).toEqual([]);
      database.transaction("write", () => database.run("INSERT INTO t VALUES(3)"));
      expect(database.all("SELECT * FROM t")).toHaveLength(1);
      database.close();
    });

    it("refuses to write what was opened read-only", async () => {
      const database = await open("readonly");
      database.execute("CREATE TABLE t(i)");
      database.close();
      const reader = await open("readonly", true);
      expect(reader.all("SELECT * FROM t")).toEqual([]);
      expect(() => reader.run("INSERT INTO t VALUES(1)")).toThrow(expect.objectContaining({ code: "not-readable" }));
      reader.close();
    });

    it("names a lock held by another connection", async () => {
      const one = await open("locked");
      one.execute("CREATE TABLE t(i)");
      const other = await open("locked");
      one.execute("BEGIN IMMEDIATE");
      expect(() => other.transaction("write", () => undefined)).toThrow(
        expect.objectContaining({ code: "store-locked" }),
      );
      one.execute("COMMIT");
      expect(() => other.transaction("write", () => undefined)).not.toThrow();
      one.close();
      other.close();
    });

    it("names a file that cannot be opened", async () => {
      const failure = openDatabase(join(folder, "no", "such", "folder.db"), { driver });
      await expect(failure).rejects.toMatchObject({ code: "not-readable" });
    });

    it("leaves a mistake in our own SQL as it is", async () => {
      const database = await open("mistake");
      expect(() => database.all("SELECT nonsense")).toThrow(/nonsense/);
      expect(() => database.all("SELECT nonsense")).not.toThrow(expect.objectContaining({ name: "DossierError" }));
      database.close();
    });
  });
}

describe("choosing a driver", () => {
  it("names a driver that does not exist", async () => {
    process.env.DOSSIER_SQLITE = "oracle";
    try {
      await expect(openDatabase(join(folder, "x.db"))).rejects.toMatchObject({ code: "bad-input" });
    } finally {
      delete process.env.DOSSIER_SQLITE;
    }
  });

  it("prints no warning about SQLite, and no other warning is lost", async () => {
    const program = await bundleProgram(
      folder,
      "warning",
      `import { openDatabase } from "./driver.ts";
       const database = await openDatabase(process.argv[2]!);
       process.emitWarning("something else");
       database.close();`,
      import.meta.url,
    );
    const running = runProgram(program, join(folder, "warning.db"));
    expect(await running.ended).toBe(0);
    expect(running.errors()).toContain("something else");
    expect(running.errors()).not.toMatch(/experimental/i);
  });
});

describe("asStoreFailure", () => {
  const failure = (fields: object, message = "x") => asStoreFailure(Object.assign(new Error(message), fields), "a.db");

  it("maps the codes of both drivers, extended ones too", () => {
    expect(failure({ errcode: 5 })).toMatchObject({ code: "store-locked" });
    expect(failure({ rawCode: 517 })).toMatchObject({ code: "store-locked" });
    expect(failure({ rawCode: 267 })).toMatchObject({ code: "store-damaged" });
    expect(failure({ errcode: 26 })).toMatchObject({ code: "store-damaged" });
    expect(failure({ errcode: 13 })).toMatchObject({ code: "disk-full" });
    expect(failure({ errcode: 4874 })).toMatchObject({ code: "disk-full" });
    expect(failure({ rawCode: 8 })).toMatchObject({ code: "not-readable" });
    expect(failure({}, 'ConnectionFailed("Unable to open connection to local database a.db: 14")')).toMatchObject({
      code: "not-readable",
    });
  });

  it("leaves everything else alone", () => {
    const other = new Error("other");
    expect(asStoreFailure(other, "a.db")).toBe(other);
    expect(asStoreFailure("text", "a.db")).toBe("text");
    expect(failure({ errcode: 1 })).not.toMatchObject({ name: "DossierError" });
  });
});
