import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { note } from "../../cases/records.samples.ts";
import { allSucceed, bundleProgram, printed, runProgram } from "../engine/child.samples.ts";
import { openSqliteRecords } from "./records.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-records-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = () => join(folder, `${count++}.db`);

/** A writer counts in one shared record and adds its own; `die` says after each acknowledged write which it was. */
const program = `
import { openSqliteRecords } from "./records.ts";

const [, , role, path, name] = process.argv as string[];
const store = await openSqliteRecords(path!);
const note = (id: string, body: unknown, slot?: string) =>
  ({ id: "mem-" + id, type: "memory" as const, created: 1, changed: 1, body, slot });
if (role === "count") {
  for (let i = 0; i < 40; i++) {
    await store.change("me", "mem-shared", (record) => ({ ...record, body: { count: (record.body as { count: number }).count + 1 } }));
    await store.write("me", [note(name + i, { writer: name })]);
  }
} else if (role === "race") {
  let won = 0;
  for (let i = 0; i < 20; i++) {
    try {
      await store.write("me", [note("slot" + i + name, { name }, "slot" + i)]);
      won++;
    } catch (error) {
      if ((error as { code?: string }).code !== "conflict") throw error;
    }
  }
  console.log("won " + won);
} else if (role === "die") {
  for (let i = 0; ; i++) {
    await store.write("me", [note("pair" + i + "a", { pair: i }), note("pair" + i + "b", { pair: i })]);
    process.stdout.write("acknowledged " + i + "\\n");
  }
} else if (role === "hang") {
  // Stops inside the transaction, as if the power went.
  await store.change("me", "mem-shared", (record) => {
    console.log("inside");
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  });
}
await store.close();
`;

describe("several processes on one file of records", () => {
  let child: string;
  beforeAll(async () => {
    child = await bundleProgram(folder, "child", program, import.meta.url);
  });

  it("may make the file at the same moment", async () => {
    for (let round = 0; round < 2; round++) {
      const path = newPath();
      await allSucceed(Array.from({ length: 4 }, () => runProgram(child, "open", path)));
    }
  });

  it("change one record in turn and lose no count, and see each other's writes", async () => {
    const path = newPath();
    const store = await openSqliteRecords(path);
    await store.write("me", [note("shared", { count: 0 })]);
    await allSucceed(["one", "two", "three"].map((name) => runProgram(child, "count", path, name)));
    expect(await store.get("me", ["mem-shared"])).toMatchObject([{ body: { count: 120 } }]);
    expect((await store.ids("me", { type: "memory", where: { writer: ["one", "two", "three"] } })).length).toBe(120);
    expect(await store.revision("me")).toBe(241);
    await store.close();
  });

  it("never hold one slot both", async () => {
    const path = newPath();
    const all = ["x", "y", "z"].map((name) => runProgram(child, "race", path, name));
    await allSucceed(all);
    const won = all.map((each) => Number(/won (\d+)/.exec(each.output())![1]));
    expect(won.reduce((sum, one) => sum + one, 0)).toBe(20);
    const store = await openSqliteRecords(path);
    expect((await store.list("me", { type: "memory", limit: 99 })).total).toBe(20);
    await store.close();
  });

  it("lose nothing that was acknowledged, and write no half, when one is killed while it writes", async () => {
    const path = newPath();
    for (let round = 0; round < 3; round++) {
      const before = await openSqliteRecords(path);
      const { total: had } = await before.list("me", { type: "memory", limit: 0 });
      await before.close();
      const dying = runProgram(child, "die", path);
      await printed(dying, `acknowledged ${(had / 2 + 20) | 0}`);
      dying.process.kill("SIGKILL");
      await dying.ended;
      const acknowledged = dying.output().trimEnd().split("\n").length;
      const store = await openSqliteRecords(path);
      const ids = await store.ids("me", { type: "memory" });
      expect(ids.length % 2).toBe(0);
      expect(ids.length).toBeGreaterThanOrEqual(2 * acknowledged);
      expect(ids.length).toBeLessThanOrEqual(2 * (acknowledged + 1));
      await store.close();
    }
  });

  it("lose only the unfinished change when a process is killed inside it", async () => {
    const path = newPath();
    const store = await openSqliteRecords(path);
    await store.write("me", [note("shared", { count: 1 })]);
    const hanging = runProgram(child, "hang", path);
    await printed(hanging, "inside");
    expect(await store.get("me", ["mem-shared"])).toMatchObject([{ body: { count: 1 } }]);
    hanging.process.kill("SIGKILL");
    await hanging.ended;
    await store.write("me", [note("other")]);
    expect(await store.revision("me")).toBe(2);
    await store.close();
  });
});
