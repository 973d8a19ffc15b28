import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordStore, StoredRecord } from "../records.ts";
import { deleteCases, slotCases } from "./records.cases.deleting.ts";
import { filterCases } from "./records.cases.filters.ts";
import { note } from "./records.samples.ts";

/** What every engine of records must do. `open` gives a new, empty store each time. */
export function recordCases(name: string, open: () => Promise<RecordStore>): void {
  describe(name, () => {
    let store: RecordStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    const current = () => store;

    describe("writing and reading", () => writeCases(current));
    describe("changing", () => changeCases(current));
    describe("slots", () => slotCases(current));
    describe("deleting", () => deleteCases(current));
    describe("revisions", () => revisionCases(current));
    describe("listing", () => filterCases(current));
    describe("owners", () => ownerCases(current));
  });
}

const idsOf = (records: StoredRecord[]) => records.map((record) => record.id);

function writeCases(store: () => RecordStore): void {
  it("gives back every body as it was written", async () => {
    const bodies: unknown[] = [
      {
        text: 'ä😀 "quoted"\n\t\u0000 end',
        number: 0.1,
        none: null,
        list: [1, "two", [true]],
        deep: { er: { est: {} } },
      },
      { lone: "\ud800 and \udc00" },
      { big: "x".repeat(200_000) },
      [],
      "text",
      false,
      null,
    ];
    const records = bodies.map((body, i) =>
      note(`b${i}`, body, { created: 1.7e12 + i, changed: 1.8e12 + i, slot: `s${i}` }),
    );
    await store().write("me", records);
    const stored = await store().get("me", idsOf(records as StoredRecord[]));
    expect(stored).toEqual(records.map((record, i) => ({ ...record, revision: i + 1 })));
  });

  it("answers in the order of the ids asked for, once each, leaving out the unknown", async () => {
    await store().write(
      "me",
      ["a", "b", "c"].map((id) => note(id)),
    );
    expect(idsOf(await store().get("me", ["mem-c", "mem-x", "mem-a", "mem-c"]))).toEqual(["mem-c", "mem-a"]);
    expect(await store().get("me", [])).toEqual([]);
  });

  it("replaces a record whose id exists, and counts an id that comes twice as it came last", async () => {
    await store().write("me", [note("a", { v: 1 })]);
    await store().write("me", [note("a", { v: 2 }), note("b"), note("a", { v: 3 }, { created: 5 })]);
    expect(await store().get("me", ["mem-a"])).toMatchObject([{ body: { v: 3 }, created: 5 }]);
    expect((await store().list("me", { type: "memory", limit: 9 })).total).toBe(2);
  });

  it("writes all or nothing", async () => {
    await store().write("me", [note("a", { v: 1 })]);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(store().write("me", [note("a", { v: 2 }), note("b"), note("c", circular)])).rejects.toThrow();
    await expect(store().write("me", [note("b"), note("c", () => 1)])).rejects.toThrow("has no body");
    expect(await store().get("me", ["mem-a", "mem-b", "mem-c"])).toMatchObject([{ id: "mem-a", body: { v: 1 } }]);
    expect(await store().revision("me")).toBe(1);
  });

  it("deletes others in the same transaction, so that one record takes the place of another", async () => {
    await store().write("me", [note("a", {}, { slot: "s" }), note("b")]);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(store().write("me", [note("c", circular)], { removed: ["mem-a"] })).rejects.toThrow();
    expect(await store().get("me", ["mem-a"])).toHaveLength(1);
    await store().write("me", [note("c", {}, { slot: "s" })], { removed: ["mem-a", "mem-x"], at: 7000 });
    expect(idsOf(await store().byPrefix("me", "mem-", 9))).toEqual(["mem-b", "mem-c"]);
    expect(await store().get("me", ["mem-a"], { deleted: true })).toMatchObject([{ deleted: 7000 }]);
    expect(await store().revision("me")).toBe(4);
  });

  it("never lets an id pass from one type to another", async () => {
    await store().write("me", [note("a")]);
    await expect(store().write("me", [note("a", {}, { type: "value" })])).rejects.toMatchObject({ code: "conflict" });
  });

  it("finds ids by their beginning, in order and at most so many", async () => {
    await store().write(
      "me",
      ["ab1", "ab2", "ab3", "b", "ab"].map((id) => note(id)),
    );
    expect(idsOf(await store().byPrefix("me", "mem-ab", 3))).toEqual(["mem-ab", "mem-ab1", "mem-ab2"]);
    expect(idsOf(await store().byPrefix("me", "mem-ab3", 3))).toEqual(["mem-ab3"]);
    expect(await store().byPrefix("me", "mem-c", 3)).toEqual([]);
    for (const wild of ["%", "mem_a", "mem-ab?", "MEM-AB"]) expect(await store().byPrefix("me", wild, 3)).toEqual([]);
    await store().remove("me", "mem-ab1");
    expect(idsOf(await store().byPrefix("me", "mem-ab1", 3))).toEqual([]);
    expect(idsOf(await store().byPrefix("me", "mem-ab1", 3, { deleted: true }))).toEqual(["mem-ab1"]);
  });
}

function changeCases(store: () => RecordStore): void {
  it("writes what is made of the record, and answers with it", async () => {
    await store().write("me", [note("a", { count: 1 }, { slot: "one" })]);
    const changed = await store().change("me", "mem-a", (record) => {
      const { slot, ...rest } = record;
      return { ...rest, changed: 3000, body: { count: (record.body as { count: number }).count + 1, slot } };
    });
    expect(changed).toEqual({ ...note("a", { count: 2, slot: "one" }), changed: 3000, revision: 2 });
    expect(await store().get("me", ["mem-a"])).toEqual([changed]);
    expect(await store().inSlot("me", "one")).toBeUndefined();
  });

  it("refuses what does not exist or was deleted", async () => {
    await store().write("me", [note("a")]);
    await store().remove("me", "mem-a");
    for (const id of ["mem-a", "mem-b"]) {
      await expect(store().change("me", id, (record) => record)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  it("writes nothing when the change throws, and throws the same", async () => {
    await store().write("me", [note("a", { v: 1 })]);
    const refusal = new Error("no");
    const change = () =>
      store().change("me", "mem-a", () => {
        throw refusal;
      });
    await expect(change()).rejects.toBe(refusal);
    await expect(store().change("me", "mem-a", (record) => ({ ...record, id: "mem-b" }))).rejects.toThrow("another id");
    expect(await store().get("me", ["mem-a", "mem-b"])).toMatchObject([{ body: { v: 1 }, revision: 1 }]);
  });
}

function revisionCases(store: () => RecordStore): void {
  it("grow by one with every record that changes, and with nothing else", async () => {
    const after = async (work: Promise<unknown>) => {
      await work;
      return store().revision("me");
    };
    expect(await store().revision("me")).toBe(0);
    expect(await after(store().write("me", [note("a"), note("b")]))).toBe(2);
    expect(await after(store().write("me", []))).toBe(2);
    expect(await after(store().change("me", "mem-a", (record) => record))).toBe(3);
    expect(await after(store().remove("me", "mem-a"))).toBe(4);
    expect(await after(store().remove("me", "mem-a"))).toBe(4);
    expect(await after(store().restore("me", "mem-a"))).toBe(5);
    expect(await after(store().purge("me", ["mem-a", "mem-b"]))).toBe(7);
    expect(await after(store().list("me", { type: "memory", limit: 9 }))).toBe(7);
  });

  it("tell what changed since, page by page, each record once, at its last change", async () => {
    await store().write(
      "me",
      Array.from({ length: 25 }, (_, i) => note(`n${String(i).padStart(2, "0")}`)),
    );
    await store().write("me", [note("v", {}, { type: "value" })]);
    await store().remove("me", "mem-n03");
    await store().change("me", "mem-n00", (record) => record);
    const seen: StoredRecord[] = [];
    for (let revision = 0; ; ) {
      const page = await store().changedSince("me", "memory", revision, 4);
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(4);
      seen.push(...page);
      revision = page.at(-1)!.revision;
    }
    expect(new Set(idsOf(seen)).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(seen.slice(-2)).toMatchObject([{ id: "mem-n03", deleted: expect.any(Number) }, { id: "mem-n00" }]);
    expect(await store().changedSince("me", "memory", await store().revision("me"), 4)).toEqual([]);
    expect(await store().changedSince("me", "value", 0, 4)).toHaveLength(1);
    expect(await store().changedSince("me", "experience", 0, 4)).toEqual([]);
  });
}

function ownerCases(store: () => RecordStore): void {
  it("never see, change or block each other's records", async () => {
    await store().write("ann", [note("a", { tag: "x" }, { slot: "s" })]);
    await store().write("bob", [note("a", { tag: "x", mine: true }, { slot: "s" }), note("b", { tag: "x" })]);
    await store().remove("bob", "mem-b");
    const ann = await store().get("ann", ["mem-a"]);
    for (const owner of ["ANN", "an", "ann ", "", "eve"]) {
      expect(await store().revision(owner)).toBe(0);
      expect(await store().get(owner, ["mem-a"], { deleted: true })).toEqual([]);
      expect(await store().byPrefix(owner, "", 9, { deleted: true })).toEqual([]);
      expect(await store().inSlot(owner, "s")).toBeUndefined();
      expect(await store().list(owner, { type: "memory", where: { tag: ["x"] }, limit: 9 })).toEqual({
        records: [],
        total: 0,
      });
      expect(await store().ids(owner, { type: "memory" })).toEqual([]);
      expect(await store().changedSince(owner, "memory", 0, 9)).toEqual([]);
      expect([
        await store().remove(owner, "mem-a"),
        await store().restore(owner, "mem-b"),
        await store().purge(owner, "mem-a"),
      ]).toEqual([false, false, false]);
      await expect(store().change(owner, "mem-a", (record) => record)).rejects.toMatchObject({ code: "not-found" });
      expect(await store().revision(owner)).toBe(0);
    }
    expect(await store().ids("ann", { type: "memory", where: { tag: ["x"] } })).toEqual(["mem-a"]);
    expect((await store().inSlot("ann", "s"))?.body).toEqual({ tag: "x" });
    await store().purge("bob", "mem-a");
    expect(await store().get("ann", ["mem-a"])).toEqual(ann);
    expect([await store().revision("ann"), await store().revision("bob")]).toEqual([1, 4]);
  });
}
