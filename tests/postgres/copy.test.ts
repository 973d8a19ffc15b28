import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteRecords } from "../../src/stores/sqlite/records/records.ts";
import { openSqliteTransfer } from "../../src/stores/sqlite/records/transfer.ts";
import { cli, dossier } from "../cli/run-cli.ts";
import { folder } from "../workspace.ts";
import { missingServer, type OwnDatabase, ownDatabase } from "./own-database.ts";

const missing = await missingServer();
const count = 8000;

describe.skipIf(missing)(`a copy that is killed${missing ? ` (${missing})` : ""}`, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(async () => {
    await database.close();
  });

  const recordsOf = (root: string) => join(root, ".dossier", "memory.db");

  async function filled(): Promise<string> {
    const root = folder({});
    mkdirSync(join(root, ".dossier"));
    const records = await openSqliteRecords(recordsOf(root));
    const content = "A sentence that says what was decided, and why. ".repeat(10);
    await records.write(
      "ann",
      Array.from({ length: count }, (_, i) => {
        const body = { content: `${i} ${content}`, category: "decision", tags: [`t${i % 7}`] };
        return { id: `mem-${i}`, type: "memory" as const, created: i, changed: i, body };
      }),
    );
    await records.close();
    return root;
  }

  /** Begins a copy and kills it when so many rows, but not all, have arrived. */
  async function killed(args: string[], arrived: () => Promise<number>): Promise<number> {
    const env = { ...process.env, ...database.machine() };
    const copying = spawn(process.execPath, [cli, "store", "copy", ...args], { env, stdio: "ignore" });
    const ended = once(copying, "close");
    while ((await arrived()) === 0 && copying.exitCode === null) await sleep(5);
    copying.kill("SIGKILL");
    await ended;
    expect(copying.signalCode).toBe("SIGKILL");
    return arrived();
  }

  async function inFolder(root: string): Promise<number> {
    if (!existsSync(recordsOf(root))) return 0;
    const transfer = await openSqliteTransfer(recordsOf(root));
    try {
      return (await transfer.page("ann", "records", undefined, count)).length;
    } finally {
      await transfer.close();
    }
  }

  it("goes on where it was, there and back, and both sides are the same in the end", async () => {
    const [root, other] = [await filled(), folder({})];
    const run = (...args: string[]) => dossier(["store", ...args], { env: database.machine() });
    const inDatabase = async () => {
      const [found] = await database.sql("SELECT to_regclass('dossier.records') IS NOT NULL AS made");
      return found!.made ? Number((await database.sql("SELECT count(*) FROM dossier.records"))[0]!.count) : 0;
    };
    const there = await killed([root, "DATABASE_URL", "--as", "shop"], inDatabase);
    expect(there).toBeLessThan(count);
    expect((await run("verify", root, "DATABASE_URL", "--as", "shop")).status).toBe(1);
    expect(await run("copy", root, "DATABASE_URL", "--as", "shop")).toMatchObject({ status: 0 });
    expect((await run("verify", root, "DATABASE_URL", "--as", "shop")).status).toBe(0);

    const back = await killed(["DATABASE_URL", other, "--as", "shop"], () => inFolder(other));
    expect(back).toBeLessThan(count);
    expect(await run("copy", "DATABASE_URL", other, "--as", "shop")).toMatchObject({ status: 0 });
    expect((await run("verify", root, other)).status).toBe(0);
    expect(await inFolder(other)).toBe(count);
  }, 120_000);
});
