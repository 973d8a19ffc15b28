import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { openTestDatabase, testDatabaseUrl } from "../../stores/postgres/engine/server.samples.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import type { Progress } from "../core/operation.ts";
import { keys } from "../serve/keys.ts";
import { store } from "./store.ts";

let folder: string;
let other: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dossier-store-"));
  other = mkdtempSync(join(tmpdir(), "dossier-store-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [folder, other]) rmSync(path, { recursive: true, force: true });
});

const run = async (input: z.input<typeof store.input>, progress?: (progress: Progress) => void) =>
  (await call(store, input, { progress })).output;

/** Into the folder's own files, whatever database the environment names. */
async function write(path: string, ...owners: string[]): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  vi.stubEnv("DATABASE_URL", undefined);
  const workspace = await openWorkspace(path);
  vi.stubEnv("DATABASE_URL", databaseUrl);
  for (const owner of owners) {
    const memory = { id: `mem-${randomBytes(4).toString("hex")}`, type: "memory" as const, created: 1, changed: 1 };
    await (await workspace.records()).write(owner, [{ ...memory, body: { text: "x" } }]);
    await (await workspace.library()).putDocument(owner, { path: "a.md", content: memory.id, at: 1 });
  }
  await workspace.close();
}

describe("store copy", () => {
  it("brings all owners and keys from one folder to another, says how far it is, and compares", async () => {
    await write(folder, "ann", "bob");
    await call(keys, { step: "create", name: "chat", path: folder });
    const reports: Progress[] = [];
    const copied = await run({ step: "copy", from: folder, to: other }, (progress) => reports.push(progress));
    expect(copied).toMatchObject({ keys: 1, same: true });
    expect(copied.owners).toMatchObject([
      { owner: "ann", rows: 2, written: 2, differs: [], parts: { records: 1, documents: 1 } },
      { owner: "bob", rows: 2, written: 2 },
      // Whoever has a key is known, with nothing.
      { owner: "local", rows: 0 },
    ]);
    expect(reports).toContainEqual({ stage: "Copying", done: 2, total: 2, detail: "ann" });
    expect(await run({ step: "copy", from: folder, to: other })).toMatchObject({ owners: [{ written: 0 }, {}, {}] });
    expect((await call(keys, { path: other })).output.keys).toHaveLength(1);
    expect(store.text!(copied, { step: "copy", path: "." }, false)).toContain("Both are the same.");
  });

  it("brings one owner alone, without keys", async () => {
    await write(folder, "ann", "bob");
    await call(keys, { step: "create", name: "chat", path: folder });
    expect(await run({ step: "copy", from: folder, to: other, owner: "bob" })).toMatchObject({
      keys: 0,
      owners: [{ owner: "bob", rows: 2 }],
    });
    const { owners } = await run({ step: "verify", from: other });
    expect(owners.map(({ owner }) => owner)).toEqual(["bob"]);
  });

  it("refuses with a sentence what cannot be", async () => {
    await write(folder, "ann");
    const refused = (input: z.input<typeof store.input>, error: object) =>
      expect(run(input)).rejects.toMatchObject(error);
    await refused({ step: "copy", from: folder }, { code: "bad-input", message: expect.stringContaining("to") });
    await refused({ step: "copy", from: other, to: folder }, { code: "not-found" });
    // A folder left behind would make this the workspace of every folder below it.
    expect(existsSync(join(other, ".dossier"))).toBe(false);
    vi.stubEnv("DATABASE_URL", "");
    await refused({ step: "copy", from: folder, to: "DATABASE_URL" }, { code: "bad-input" });
    vi.stubEnv("DATABASE_URL", "postgres://u:hidden@127.0.0.1:1/x");
    await refused({ step: "verify", from: "DATABASE_URL" }, { message: expect.stringContaining("--as") });
    const unreachable = await run({ step: "copy", from: folder, to: "DATABASE_URL" }).catch((error: unknown) => error);
    expect(unreachable).toMatchObject({ code: "database-unreachable" });
    expect(String((unreachable as Error).message)).not.toContain("hidden");
    await write(other, "ann");
    await refused({ step: "copy", from: folder, to: other }, { code: "conflict" });
  }, 60_000);
});

describe("store verify", () => {
  it("says what is not the same, with exit status 1", async () => {
    await write(folder, "ann");
    await run({ step: "copy", from: folder, to: other });
    const equal = await run({ step: "verify", from: folder, to: other });
    expect([equal.same, store.exit!(equal)]).toEqual([true, 0]);
    await write(other, "eve");
    const unequal = await run({ step: "verify", from: folder, to: other });
    expect([unequal.same, store.exit!(unequal)]).toEqual([false, 1]);
    expect(unequal.owners).toMatchObject([
      { owner: "ann", differs: [] },
      { owner: "eve", rows: 0, differs: ["records", "documents", "revisions"] },
    ]);
  });
});

describe.skipIf(testDatabaseUrl === undefined)("with a database", () => {
  it("goes there and back, and the checksum stays", async () => {
    const database = await openTestDatabase();
    const url = new URL(testDatabaseUrl!);
    url.searchParams.set("schema", database.address.schema);
    vi.stubEnv("DATABASE_URL", url.href);
    try {
      await write(folder, "ann", "bob");
      const there = await run({ step: "copy", from: folder, to: "DATABASE_URL", as: "shop" });
      const back = await run({ step: "copy", from: url.href, to: other, as: "shop" });
      expect([there.same, back.same]).toEqual([true, true]);
      expect(back.owners.map(({ checksum }) => checksum)).toEqual(there.owners.map(({ checksum }) => checksum));
      expect(await run({ step: "verify", from: folder, to: other })).toMatchObject({ same: true });
      expect(await run({ step: "verify", from: "DATABASE_URL", as: "another" })).toMatchObject({ owners: [] });
    } finally {
      await database.close();
    }
  }, 60_000);
});
