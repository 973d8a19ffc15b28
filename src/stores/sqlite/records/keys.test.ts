import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keyCases } from "../../cases/keys.cases.ts";
import { openDatabase } from "../engine/driver.ts";
import { openSqliteLibrary } from "../library/library.ts";
import { openSqliteKeys } from "./keys.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

keyCases("SQLite", () => openSqliteKeys(newPath()));

describe("the file with the keys", () => {
  it("never holds a secret", async () => {
    const path = newPath();
    const keys = await openSqliteKeys(path);
    const secrets: string[] = [];
    for (let i = 0; i < 20; i++) {
      const { secret, info } = await keys.create({ name: `bot${i}`, owner: "me", scope: "read", at: i });
      await keys.find(secret);
      await keys.touch(info.id, 100_000);
      secrets.push(secret);
    }
    const inLog = readFileSync(`${path}-wal`, "latin1");
    await keys.close();
    const bytes = inLog + readFileSync(path, "latin1");
    expect(bytes).toContain("bot19");
    const raw = (secret: string) => Buffer.from(secret.slice(4), "base64url").toString("latin1");
    expect(secrets.filter((secret) => bytes.includes(secret.slice(10, 20)) || bytes.includes(raw(secret)))).toEqual([]);
  });

  it("finds a key by its hash, which is not enough where the rest differs", async () => {
    const path = newPath();
    const keys = await openSqliteKeys(path);
    const { secret, info } = await keys.create({ name: "bot", owner: "me", scope: "admin", at: 1 });
    const database = await openDatabase(path);
    const plan = database.all<{ detail: string }>("EXPLAIN QUERY PLAN SELECT * FROM keys WHERE hash = ?", [
      new Uint8Array(32),
    ]);
    expect(plan.map(({ detail }) => detail).join()).toMatch(/SEARCH keys USING INDEX keys_hash/);
    database.execute("UPDATE keys SET hash = zeroblob(32)");
    expect(await keys.find(secret)).toBeUndefined();
    expect(await keys.list()).toEqual([info]);
    database.close();
    await keys.close();
  });

  it("is the library's too: a purge keeps the keys", async () => {
    const path = newPath();
    const [keys, library] = [await openSqliteKeys(path), await openSqliteLibrary(path)];
    const { secret, info } = await keys.create({ name: "bot", owner: "me", scope: "read", at: 1 });
    const { id } = await library.putDocument("me", { path: "p", content: "c", at: 1 });
    await library.purgeDocument("me", id);
    expect(await keys.find(secret)).toEqual(info);
    await Promise.all([keys.close(), library.close()]);
  });
});
