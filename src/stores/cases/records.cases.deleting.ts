import { expect, it } from "vitest";
import type { RecordStore } from "../records.ts";
import { note } from "./records.samples.ts";

/** What becomes of slots and of what was deleted. */

export function slotCases(store: () => RecordStore): void {
  it("are held by one record at a time", async () => {
    await store().write("me", [note("a", {}, { slot: "active:x" }), note("b", {}, { slot: "active:y" })]);
    expect(await store().inSlot("me", "active:x")).toMatchObject({ id: "mem-a", slot: "active:x" });
    await expect(store().write("me", [note("c"), note("d", {}, { slot: "active:x" })])).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("mem-a"),
    });
    await expect(store().change("me", "mem-b", (record) => ({ ...record, slot: "active:x" }))).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await store().get("me", ["mem-c", "mem-d"])).toEqual([]);
    expect(await store().inSlot("me", "active:y")).toMatchObject({ id: "mem-b" });
  });

  it("are listed by how they begin, without those of deleted records and of others", async () => {
    const slots = { b: "active:y", a: "active:x", c: "other", d: "active:z" };
    await store().write(
      "me",
      Object.entries(slots).map(([id, slot]) => note(id, {}, { slot })),
    );
    await store().write("you", [note("e", {}, { slot: "active:e" })]);
    await store().remove("me", "mem-d");
    expect((await store().inSlots("me", "active:")).map(({ id }) => id)).toEqual(["mem-a", "mem-b"]);
    expect(await store().inSlots("nobody", "active:")).toEqual([]);
  });

  it("pass from one record to another in one write, in either order", async () => {
    await store().write("me", [note("a", {}, { slot: "s" })]);
    await store().write("me", [note("b", {}, { slot: "s" }), note("a")]);
    expect(await store().inSlot("me", "s")).toMatchObject({ id: "mem-b" });
    await store().write("me", [note("b", {}, { slot: "t" }), note("a", {}, { slot: "s" })]);
    await store().write("me", [note("b", {}, { slot: "s" }), note("a", {}, { slot: "t" })]);
    expect(await store().inSlot("me", "s")).toMatchObject({ id: "mem-b" });
    expect(await store().inSlot("me", "t")).toMatchObject({ id: "mem-a" });
  });

  it("are kept when the record that holds one is written again", async () => {
    await store().write("me", [note("a", {}, { slot: "s" })]);
    await store().write("me", [note("a", { v: 2 }, { slot: "s" })]);
    expect(await store().inSlot("me", "s")).toMatchObject({ id: "mem-a", body: { v: 2 } });
  });

  it("are free while their record is deleted, and refuse its restoring when taken meanwhile", async () => {
    await store().write("me", [note("a", {}, { slot: "s" })]);
    await store().remove("me", "mem-a");
    expect(await store().inSlot("me", "s")).toBeUndefined();
    expect(await store().restore("me", "mem-a")).toBe(true);
    expect(await store().inSlot("me", "s")).toMatchObject({ id: "mem-a" });
    await store().remove("me", "mem-a");
    await store().write("me", [note("b", {}, { slot: "s" })]);
    await expect(store().restore("me", "mem-a")).rejects.toMatchObject({ code: "conflict" });
    expect(await store().inSlot("me", "s")).toMatchObject({ id: "mem-b" });
  });
}

export function deleteCases(store: () => RecordStore): void {
  it("hides a record until it is restored", async () => {
    await store().write("me", [note("a", { tag: "x" }), note("b", { tag: "x" })]);
    expect(await store().remove("me", "mem-a", 7000)).toBe(true);
    expect(await store().get("me", ["mem-a"])).toEqual([]);
    expect(await store().get("me", ["mem-a"], { deleted: true })).toMatchObject([
      { deleted: 7000, body: { tag: "x" } },
    ]);
    const where = { tag: ["x"] };
    expect(await store().list("me", { type: "memory", where, limit: 9 })).toMatchObject({ total: 1 });
    const deleted = await store().list("me", { type: "memory", where, deleted: true, limit: 9 });
    expect(deleted).toMatchObject({ total: 1, records: [{ id: "mem-a" }] });
    expect(await store().restore("me", "mem-a")).toBe(true);
    expect(await store().list("me", { type: "memory", where, limit: 9 })).toMatchObject({ total: 2 });
    expect((await store().get("me", ["mem-a"]))[0]).not.toHaveProperty("deleted");
  });

  it("says when there is nothing to delete, restore or purge", async () => {
    await store().write("me", [note("a")]);
    expect(await store().restore("me", "mem-a")).toBe(false);
    await store().remove("me", "mem-a");
    expect(await store().remove("me", "mem-a")).toBe(false);
    await store().purge("me", "mem-a");
    for (const act of ["remove", "restore", "purge"] as const) expect(await store()[act]("me", "mem-a")).toBe(false);
    expect(await store().purge("me", ["mem-a", "mem-b"])).toBe(false);
    expect(await store().purge("me", [])).toBe(false);
  });

  it("purges so that only indexes learn that there was something", async () => {
    await store().write("me", [
      note("a", { tag: "x" }, { slot: "s" }),
      note("b", { tag: "x" }),
      note("c", { tag: "x" }),
    ]);
    await store().remove("me", "mem-b");
    expect(await store().purge("me", ["mem-a", "mem-b", "mem-x"], 9000)).toBe(true);
    expect(await store().get("me", ["mem-a", "mem-b"], { deleted: true })).toEqual([]);
    expect(await store().byPrefix("me", "mem-", 9, { deleted: true })).toMatchObject([{ id: "mem-c" }]);
    expect(await store().inSlot("me", "s")).toBeUndefined();
    for (const deleted of [true, false]) {
      const { total } = await store().list("me", { type: "memory", where: { tag: ["x"] }, deleted, limit: 9 });
      expect(total).toBe(deleted ? 0 : 1);
    }
    expect(await store().changedSince("me", "memory", 4, 9)).toEqual(
      ["mem-a", "mem-b"].map((id, i) => ({
        ...{ id, type: "memory", created: 9000, changed: 9000, deleted: 9000, revision: 5 + i, body: null },
      })),
    );
  });

  it("lets a deleted or purged record be written again", async () => {
    await store().write("me", [note("a", { tag: "x" }), note("b", { tag: "x" })]);
    await store().remove("me", "mem-a");
    await store().purge("me", "mem-b");
    await store().write("me", [note("a", { tag: "y" }), note("b", { tag: "y" })]);
    expect(await store().ids("me", { type: "memory", where: { tag: ["y"] } })).toEqual(["mem-a", "mem-b"]);
    expect(await store().ids("me", { type: "memory", where: { tag: ["x"] } })).toEqual([]);
  });
}
