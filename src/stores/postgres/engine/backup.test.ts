import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changesOf, note as graphNote } from "../../cases/graph.samples.ts";
import { talk } from "../../cases/library.samples.ts";
import { note } from "../../cases/records.samples.ts";
import { sumOf } from "../../copy.ts";
import { noteItemId } from "../../graph.ts";
import { postgresLibrary } from "../library/library.ts";
import { postgresRecords } from "../records/records.ts";
import { postgresTransfer } from "../records/transfer.ts";
import { openPostgresSession, postgresStore } from "./open.ts";
import { openTestDatabase, testDatabaseUrl } from "./server.samples.ts";

/**
 * How PostgreSQL's own programs are run: in the folder that scripts/postgres.ts unpacks, else where they are installed.
 */
function programs(): string[] | undefined {
  const root = join(process.env.DOSSIER_TEST_POSTGRES ?? join(homedir(), ".cache", "dossier-postgres"), "root");
  const ways = [...(existsSync(root) ? [["chroot", root]] : []), []];
  // One that is older than the server refuses it.
  const version = (way: string[]) => /\d+/.exec(String(spawnSync("env", [...way, "pg_dump", "--version"]).stdout))?.[0];
  return ways.find((way) => Number(version(way) ?? 0) >= 17);
}

const way = testDatabaseUrl === undefined ? undefined : programs();

/** Row-level security hides every row from whoever may not bypass it, so a backup is made by one who may. */
const admin = process.env.DOSSIER_TEST_ADMIN ?? "postgres";

function program(name: string, values: string[], stdin?: Buffer): Buffer {
  const [first, ...rest] = [...way!, name, ...values];
  const { status, stdout, stderr } = spawnSync(first!, rest, { input: stdin, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${name}: ${stderr.toString()}`);
  return stdout;
}

describe.skipIf(way === undefined)("a backup by pg_dump", () => {
  it("is restored into another database with every row, owner, right and revision", async () => {
    const database = await openTestDatabase();
    const url = new URL(testDatabaseUrl!);
    const server = ["-h", url.hostname, "-p", url.port, "-U", admin];
    const restored = `restored_${randomBytes(5).toString("hex")}`;
    try {
      const session = await database.session("shop");
      const transfer = postgresTransfer(session);
      const store = postgresStore(session);
      for (const owner of ["ann", "bob\0"]) {
        await postgresRecords(session).write(owner, [note("a", { tag: owner }), note("b")]);
        await postgresLibrary(session).putDocument(owner, { path: "x", content: `of ${owner} \ud800`, at: 1 });
        await talk(postgresLibrary(session), owner, "one two three");
        await store.graph.write(owner, "vault", changesOf([graphNote("n", { references: ["m"] }), graphNote("m")]));
      }
      const before = await Promise.all(["ann", "bob\0"].map((owner) => sumOf(transfer, owner, () => undefined)));

      const dump = program("pg_dump", [...server, "-d", url.pathname.slice(1), "-n", database.address.schema, "-Fc"]);
      const sql = (name: string, statement: string) =>
        program("psql", [...server, "-d", name, "-v", "ON_ERROR_STOP=1", "-qc", statement]);
      sql("postgres", `CREATE DATABASE ${restored}`);
      sql(restored, `CREATE EXTENSION vector`);
      sql(restored, `CREATE EXTENSION pg_trgm`);
      sql(restored, `GRANT CREATE ON DATABASE ${restored} TO "${decodeURIComponent(url.username)}"`);
      program(
        "pg_restore",
        [...server, "-d", restored, "--no-owner", `--role=${url.username}`, "--exit-on-error"],
        dump,
      );

      const copy = new URL(url);
      copy.pathname = `/${restored}`;
      copy.searchParams.set("schema", database.address.schema);
      const again = await openPostgresSession(copy.href, { workspace: "shop" });
      const sums = ["ann", "bob\0"].map((owner) => sumOf(postgresTransfer(again), owner, () => undefined));
      expect(await Promise.all(sums)).toEqual(before);
      const id = noteItemId("vault", "n");
      expect(await postgresStore(again).graph.neighbours("ann", [id], ["reference"], 9)).toEqual(
        await store.graph.neighbours("ann", [id], ["reference"], 9),
      );
      // It is used on: rights, counters and row-level security came with it.
      await postgresRecords(again).write("ann", [note("c")]);
      expect(await postgresRecords(again).revision("ann")).toBe(3);
      expect(await again.shared.all("SELECT 1 FROM records")).toEqual([]);
      await again.close();
    } finally {
      program("psql", [...server, "-d", "postgres", "-qc", `DROP DATABASE IF EXISTS ${restored}`]);
      await database.close();
    }
  }, 120_000);
});
