import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allSucceed, bundleProgram, printed, runProgram } from "../engine/child.samples.ts";
import { openDatabase } from "../engine/driver.ts";
import { openSqliteKeys } from "../records/keys.ts";
import { openSqliteLibrary } from "./library.ts";
import { versionOne } from "./library-version-one.samples.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-library-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

/** `die` says after each acknowledged write which it was: a document, three messages at once, two usage events. */
const program = `
import { openSqliteLibrary } from "./library.ts";
import { openSqliteKeys } from "../records/keys.ts";
import { openSqliteRecords } from "../records/records.ts";

const [, , role, path, name, thread] = process.argv as string[];
const text = (text: string) => [{ type: "text" as const, text }];
if (role === "open") {
  const all = [await openSqliteLibrary(path!), await openSqliteRecords(path!), await openSqliteKeys(path!)];
  for (const store of all) await store.close();
} else if (role === "write") {
  const store = await openSqliteLibrary(path!);
  for (let i = 0; i < 30; i++) {
    await store.addMessages("me", thread!, [0, 1].map((part) => ({ role: "user", blocks: text(name + i + "." + part), at: i })));
    await store.putDocument("me", { path: "shared", content: name + i, at: i });
    await store.putDocument("me", { path: name + i, content: name, at: i });
  }
  await store.close();
} else if (role === "die") {
  const store = await openSqliteLibrary(path!);
  for (let i = 0; ; i++) {
    const { id } = await store.putDocument("me", { path: name + "/" + i, content: String(i).repeat(2000), at: i });
    await store.addMessages("me", thread!, [0, 1, 2].map((part) => ({ role: "user", blocks: text(name + "/" + i + "." + part), at: i })));
    await store.recordUsage("me", [{ item: id, kind: "cited", at: i }, { item: id, kind: "useful", at: i }]);
    process.stdout.write("acknowledged " + i + "\\n");
  }
} else if (role === "revoke") {
  const keys = await openSqliteKeys(path!);
  console.log("revoked " + (await keys.revoke(name!, 7)));
  await keys.close();
}
`;

describe("several processes on one library", () => {
  let child: string;
  beforeAll(async () => {
    child = await bundleProgram(folder, "child", program, import.meta.url);
  });

  it("may make the file at the same moment, and bring an old one up to date", async () => {
    const old = newPath();
    const database = await openDatabase(old);
    database.execute(versionOne);
    database.close();
    for (const path of [newPath(), old]) {
      await allSucceed(Array.from({ length: 4 }, () => runProgram(child, "open", path)));
      const database = await openDatabase(path);
      expect(database.get("PRAGMA integrity_check")).toMatchObject({ integrity_check: "ok" });
      expect(database.get("SELECT count(*) AS count FROM records")).toMatchObject({ count: path === old ? 3 : 0 });
      database.close();
    }
  });

  it("append to one thread and write one document in turn, and lose nothing", async () => {
    const path = newPath();
    const store = await openSqliteLibrary(path);
    const { id } = await store.createThread("me", { title: "t", at: 1 });
    await allSucceed(["one", "two", "three"].map((name) => runProgram(child, "write", path, name, id)));
    const messages = await store.messages("me", id, { last: 999 });
    expect(messages.map(({ number }) => number)).toEqual(Array.from({ length: 180 }, (_, i) => i + 1));
    // What was appended together stays together.
    const texts = messages.map(({ blocks }) => (blocks[0] as { text: string }).text);
    for (let i = 0; i < texts.length; i += 2) expect(texts[i + 1]).toBe(texts[i]!.replace(/0$/, "1"));
    expect(await store.document("me", "shared")).toMatchObject({ version: 90 });
    expect(await store.counts("me")).toMatchObject({ documents: 91, messages: 180 });
    expect(await store.revision("me")).toBe(1 + 180 + 90 + 90);
    await store.close();
  });

  it("lose nothing that was acknowledged, and write no half, when one is killed at any moment", async () => {
    const path = newPath();
    const first = await openSqliteLibrary(path);
    const { id: thread } = await first.createThread("me", { title: "t", at: 1 });
    await first.close();
    let sum = 0;
    for (let round = 0; round < 4; round++) {
      const dying = runProgram(child, "die", path, `round${round}`, thread);
      await printed(dying, `acknowledged ${5 + round * 3}`);
      await new Promise((resolve) => setTimeout(resolve, round * 6));
      dying.process.kill("SIGKILL");
      await dying.ended;
      const acknowledged = dying.output().trimEnd().split("\n").length;
      const store = await openSqliteLibrary(path);
      for (let i = 0; i < acknowledged; i++) {
        const document = await store.document("me", `round${round}/${i}`);
        expect(document?.content).toBe(String(i).repeat(2000));
        expect((await store.usage("me", [document!.id])).get(document!.id)).toHaveLength(2);
      }
      const all = await store.messages("me", thread, { last: 9999 });
      expect(all.length % 3).toBe(0);
      expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
      expect(all.length - sum).toBeGreaterThanOrEqual(3 * acknowledged);
      expect(all.length - sum).toBeLessThanOrEqual(3 * (acknowledged + 1));
      sum = all.length;
      const counts = await store.counts("me");
      expect(counts.messages).toBe(sum);
      expect(counts.usage % 2).toBe(0);
      const changes = [...(await store.documentsSince("me", 0, 9999)), ...(await store.messagesSince("me", 0, 9999))];
      expect(changes).toHaveLength(counts.documents + counts.messages);
      expect(Math.max(...changes.map(({ revision }) => revision))).toBe(await store.revision("me"));
      await store.close();
    }
  });

  it("refuse a key from the moment another revokes it", async () => {
    const path = newPath();
    const keys = await openSqliteKeys(path);
    const { secret, info } = await keys.create({ name: "bot", owner: "me", scope: "read", at: 1 });
    expect((await keys.find(secret))?.revoked).toBeUndefined();
    const revoking = runProgram(child, "revoke", path, info.id);
    await allSucceed([revoking]);
    expect(revoking.output()).toContain("revoked true");
    expect(await keys.find(secret)).toMatchObject({ revoked: 7 });
    await keys.close();
  });
});
