import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dossierInside } from "../cli/run-cli.ts";
import { ledger } from "../mcp/agent.ts";
import { folder } from "../workspace.ts";
import { missingServer, type OwnDatabase, ownDatabase } from "./own-database.ts";

const missing = await missingServer();

describe.skipIf(missing)(`which database is used${missing ? ` (${missing})` : ""}`, () => {
  let database: OwnDatabase;
  let home: string;
  beforeEach(async () => {
    database = await ownDatabase();
    home = mkdtempSync(join(tmpdir(), "dossier-home-"));
  });
  afterEach(async () => {
    await database.close();
    rmSync(home, { recursive: true, force: true });
  });

  const run = (cwd: string, env: Record<string, string>, ...args: string[]) =>
    dossierInside(args, { cwd, env: { DOSSIER_HOME: home, DOSSIER_BACKGROUND: "off", ...env } });
  const schemas = async () =>
    (await database.sql("SELECT nspname FROM pg_namespace WHERE nspname = 'dossier'")).map(({ nspname }) => nspname);
  const othersTable = () => database.sql("CREATE TABLE public.customers(id int)");

  it("is not one that DATABASE_URL names and that has another's tables, until somebody says yes once", async () => {
    await othersTable();
    const root = folder(ledger);
    const env = { DATABASE_URL: database.url };
    for (const command of [["index"], ["how are amounts booked?"], ["serve", "--port", "0"], ["memory", "list"]]) {
      const refused = await run(root, env, ...command);
      expect({ command, status: refused.status }).toEqual({ command, status: 4 });
      expect(refused.stderr).toContain("has tables of something else (public.customers)");
      expect(refused.stderr).toContain("Run dossier store init DATABASE_URL");
      expect(refused.stderr).not.toContain(`:${new URL(database.url).password}@`);
    }
    expect(await schemas()).toEqual([]);
    const made = await run(root, env, "store", "init", "DATABASE_URL");
    expect(made.stdout).toMatch(/is ready \(PostgreSQL \d+/);
    expect((await run(root, env, "how are amounts booked?")).stdout).toContain("bookAmount");
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });

  it("is one that was named for Dossier, also beside another's tables", async () => {
    await othersTable();
    const root = folder(ledger);
    const asked = await run(root, { DOSSIER_DATABASE_URL: database.url }, "how are amounts booked?");
    expect(asked.stdout).toContain("bookAmount");
    expect(await schemas()).toEqual(["dossier"]);
  });

  it("is one whose empty schema was made for it, beside another's tables", async () => {
    await othersTable();
    await database.sql(`CREATE SCHEMA dossier AUTHORIZATION ${new URL(database.url).username}`);
    const root = folder(ledger);
    expect((await run(root, { DATABASE_URL: database.url }, "index")).status).toBe(0);
  });

  it("is not one whose schema of that name is somebody else's", async () => {
    await database.sql(`CREATE SCHEMA dossier AUTHORIZATION ${new URL(database.url).username}`);
    await database.sql("CREATE TABLE dossier.people(id int)");
    const refused = await run(folder(ledger), { DATABASE_URL: database.url }, "index");
    expect(refused.status).toBe(4);
    expect(refused.stderr).toContain("has tables of something else (dossier.people)");
  });

  it("is an empty one at once, and whatever an extension brought does not count", async () => {
    await database.sql("CREATE EXTENSION pg_stat_statements");
    expect((await run(folder(ledger), { DATABASE_URL: database.url }, "index")).status).toBe(0);
  });

  it("is none where DATABASE_URL is of another kind, or files are asked for", async () => {
    const root = folder(ledger);
    for (const DATABASE_URL of ["mysql://me:secret@localhost/app", "sqlite:///app.db"]) {
      expect((await run(root, { DATABASE_URL }, "index")).status).toBe(0);
    }
    expect(existsSync(join(root, ".dossier/index.db"))).toBe(true);
    const env = { DATABASE_URL: database.url };
    expect((await run(root, { ...env, DOSSIER_DATABASE_URL: "files" }, "status")).stdout).toContain(".dossier");
    expect((await run(root, env, "status", "--store", "files")).stdout).toContain(".dossier");
    expect(await schemas()).toEqual([]);
    const nonsense = await run(root, { DATABASE_URL: "localhost/app:hunter2" }, "index");
    expect(nonsense.status).toBe(2);
    expect(nonsense.stderr).not.toContain("hunter2");
  });

  it("is the one that --store names, for that call, before the command or after it", async () => {
    await othersTable();
    const root = folder(ledger);
    expect((await run(root, {}, "--store", database.url, "index", "--quiet")).status).toBe(0);
    expect((await run(root, {}, "memory", `--store=${database.url}`, "add", "Amounts are kept in cents.")).status).toBe(
      0,
    );
    expect((await run(root, {}, "memory", "list", "--store", database.url)).stdout).toContain("kept in cents");
    expect(
      (await run(root, { DATABASE_URL: database.url }, "how are amounts booked?", "--store", "DATABASE_URL")).status,
    ).toBe(0);
    expect(existsSync(join(root, ".dossier"))).toBe(false);
    expect((await run(root, {}, "memory", "list")).stdout).not.toContain("kept in cents");
    const wrong = await run(root, {}, "status", "--store", "localhost:hunter2");
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain("--store takes the address of a database");
    expect(wrong.stderr).not.toContain("hunter2");
    expect((await run(root, {}, "status", "--store")).stderr).toContain("--store needs a value after it");
  });

  it("is not made where it is only compared", async () => {
    const verified = await run(
      folder(ledger),
      { DATABASE_URL: database.url },
      "store",
      "verify",
      "DATABASE_URL",
      "--as",
      "x",
    );
    expect(verified.status).toBe(3);
    expect(await schemas()).toEqual([]);
  });
});
