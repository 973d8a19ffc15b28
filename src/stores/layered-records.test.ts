import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DossierError } from "../errors.ts";
import { note } from "./cases/records.samples.ts";
import { layeredRecords } from "./layered-records.ts";
import type { RecordStore } from "./records.ts";
import { openSqliteRecords } from "./sqlite/records/records.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-layered-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const open = () => openSqliteRecords(join(folder, `${count++}.db`));

async function layered() {
  const [own, user] = [await open(), await open()];
  const store = layeredRecords(own, async (owner) => (owner === "me" ? user : undefined));
  return { store, own, user };
}

const pinned = (id: string) => note(id, { scope: "~" });

/** Every change after a revision, page by page, as an index follows it. */
async function followed(store: RecordStore, since: number): Promise<{ ids: string[]; last: number }> {
  const ids: string[] = [];
  let last = since;
  for (;;) {
    const page = await store.changedSince("me", "memory", last, 2);
    if (page.length === 0) return { ids, last };
    ids.push(...page.map(({ id }) => id));
    last = page.at(-1)!.revision;
  }
}

describe("records of a workspace and of its user", () => {
  it("are written where their scope says and read as one", async () => {
    const { store, own, user } = await layered();
    await store.write("me", [note("a", {}, { created: 1 }), pinned("b"), note("c", {}, { created: 3 })]);
    expect(await own.ids("me", { type: "memory" })).toHaveLength(2);
    expect(await user.ids("me", { type: "memory" })).toEqual(["mem-b"]);
    expect((await store.list("me", { type: "memory", limit: 9 })).total).toBe(3);
    expect((await store.list("me", { type: "memory", limit: 1, offset: 1 })).records).toHaveLength(1);
    expect((await store.get("me", ["mem-b", "mem-a", "mem-x"])).map(({ id }) => id)).toEqual(["mem-b", "mem-a"]);
    expect((await store.byPrefix("me", "mem-", 2)).map(({ id }) => id)).toEqual(["mem-a", "mem-b"]);
    await store.change("me", "mem-b", (record) => ({ ...record, body: { scope: "~", v: 2 } }));
    expect((await user.get("me", ["mem-b"]))[0]!.body).toEqual({ scope: "~", v: 2 });
    expect([await store.remove("me", "mem-b", 5), await store.restore("me", "mem-b")]).toEqual([true, true]);
    expect(await store.purge("me", ["mem-b", "mem-a"])).toBe(true);
    expect(await store.ids("me", { type: "memory" })).toEqual(["mem-c"]);
  });

  it("are read and written without the user's own where those cannot be opened, which is told", async () => {
    const own = await open();
    const damage = new DossierError("records-damaged", "The user's records are damaged.");
    let isDamaged = true;
    const user = await open();
    await user.write("me", [pinned("b")]);
    const store = layeredRecords(own, async () => {
      if (isDamaged) throw damage;
      return user;
    });
    await store.write("me", [note("a")]);
    expect(await store.ids("me", { type: "memory" })).toEqual(["mem-a"]);
    expect((await store.list("me", { type: "memory", limit: 9 })).total).toBe(1);
    expect(await store.get("me", ["mem-a", "mem-b"])).toHaveLength(1);
    expect(await store.byPrefix("me", "mem-", 9)).toHaveLength(1);
    await store.change("me", "mem-a", (record) => ({ ...record, body: { v: 2 } }));
    expect((await followed(store, 0)).ids).toEqual(["mem-a"]);
    expect(await store.unread?.("me")).toBe(damage);
    await expect(store.write("me", [pinned("c")])).rejects.toBe(damage);
    await expect(store.remove("me", "mem-b")).rejects.toBe(damage);
    const last = await store.revision("me");
    isDamaged = false;
    expect((await followed(store, last)).ids).toEqual(["mem-b"]);
    expect(await store.unread?.("me")).toBeUndefined();
  });

  it("are followed by one revision, each change once, whichever of them changed", async () => {
    const { store, own } = await layered();
    await store.write("me", [note("a"), note("b"), note("c"), pinned("d"), pinned("e"), pinned("f")]);
    const first = await followed(store, 0);
    expect(first.ids.sort()).toEqual(["a", "b", "c", "d", "e", "f"].map((id) => `mem-${id}`));
    expect(first.last).toBe(await store.revision("me"));
    await own.write("me", [note("g")]);
    const second = await followed(store, first.last);
    expect(second.ids).toEqual(["mem-g"]);
    await store.write("me", [pinned("h")]);
    expect((await followed(store, second.last)).ids).toEqual(["mem-h"]);
  });

  it("are not another owner's", async () => {
    const { store } = await layered();
    await store.write("me", [pinned("mine")]);
    expect(await store.ids("you", { type: "memory" })).toEqual([]);
    expect(await store.get("you", ["mem-mine"])).toEqual([]);
  });
});
