import fc from "fast-check";
import { expect, it } from "vitest";
import type { RecordFilter, RecordStore, RecordWrite } from "../records.ts";
import { note } from "./records.samples.ts";

/** Listing: filters, order, pages, exact totals. */
export function filterCases(store: () => RecordStore): void {
  const ids = (filter: Omit<RecordFilter, "type">) => store().ids("me", { type: "memory", ...filter });

  it("shows the newest first, ties by id, and says how many there are in all", async () => {
    await store().write(
      "me",
      ["c", "a", "b"].map((id) => note(id)),
    );
    await store().write("me", [note("new", {}, { created: 3000 }), note("old", {}, { created: 10 })]);
    await store().write("me", [note("v", {}, { type: "value" })]);
    const page = await store().list("me", { type: "memory", limit: 2, offset: 1 });
    expect(page).toMatchObject({ total: 5, records: [{ id: "mem-a" }, { id: "mem-b" }] });
    expect(await ids({})).toEqual(["mem-new", "mem-a", "mem-b", "mem-c", "mem-old"]);
    expect(await store().list("me", { type: "memory", limit: 2, offset: 9 })).toEqual({ total: 5, records: [] });
    expect(await store().list("me", { type: "memory", limit: 0 })).toEqual({ total: 5, records: [] });
  });

  it("leaves out those that have something at a path, or a number up to one", async () => {
    const bodies = { a: {}, b: { over: { by: "x" } }, c: { until: 5 }, d: { until: 9 }, e: { until: "5" } };
    await store().write(
      "me",
      Object.entries(bodies).map(([id, body]) => note(id, body)),
    );
    const without = [{ path: "over.by" }, { path: "until", upTo: 5 }];
    expect(await ids({ without })).toEqual(["mem-a", "mem-d", "mem-e"]);
    expect((await store().list("me", { type: "memory", without, limit: 1 })).total).toBe(3);
    for (const id of Object.keys(bodies)) await store().remove("me", `mem-${id}`);
    expect(await ids({ without: [{ path: "over.by" }], deleted: true })).toEqual(["mem-a", "mem-c", "mem-d", "mem-e"]);
  });

  it("compares values by kind as well: true is no 1, and 1 is no text", async () => {
    const values = [1, "1", true, "true", 1.5, 0, false, null, "", [1, "x"], { inner: 1 }, [[1]], [{ at: 1 }]];
    await store().write(
      "me",
      values.map((at, i) => note(String(i).padStart(2, "0"), { at })),
    );
    const matching = async (...accepted: (string | number | boolean)[]) =>
      (await ids({ where: { at: accepted } })).map((id) => values[Number(id.slice(4))]);
    expect(await matching(1)).toEqual([1, [1, "x"]]);
    expect(await matching("1")).toEqual(["1"]);
    expect(await matching(true)).toEqual([true]);
    expect(await matching("true", false)).toEqual(["true", false]);
    expect(await matching("")).toEqual([""]);
    expect(await matching("null", "=1", "[1]")).toEqual([]);
    expect(await matching()).toEqual([]);
    expect((await ids({ where: { "at.inner": [1] } })).length).toBe(1);
    expect((await ids({ atLeast: { at: 1 } })).map((id) => values[Number(id.slice(4))])).toEqual([1, 1.5, [1, "x"]]);
  });

  it("finds long texts and texts in any script as exactly as short ones", async () => {
    const texts = [
      "x".repeat(60),
      "x".repeat(61),
      "x".repeat(5000),
      "ß",
      "ss",
      "É",
      "E\u0301",
      "a\u0000b",
      "a",
      "\ud800",
      "😀",
    ];
    await store().write(
      "me",
      texts.map((at, i) => note(String(i).padStart(2, "0"), { at })),
    );
    for (const [i, text] of texts.entries()) {
      expect(await ids({ where: { at: [text] } })).toEqual([`mem-${String(i).padStart(2, "0")}`]);
    }
    expect(await ids({ where: { at: ["ß", "x".repeat(61)] } })).toEqual(["mem-01", "mem-03"]);
  });

  it("pages through many as it does through few", async () => {
    const body = (i: number) => ({ kind: i % 2 ? "odd" : "even", weight: i / 1000, tags: [`t${i % 3}`] });
    const all = Array.from({ length: 1500 }, (_, i) =>
      note(String(i).padStart(4, "0"), body(i), { created: 5000 - i }),
    );
    await store().write("me", all);
    const of = (meets: (i: number) => boolean) => all.filter((_, i) => meets(i)).map(({ id }) => id);
    const filters: [Partial<RecordFilter>, (i: number) => boolean][] = [
      [{ where: { kind: ["odd"] } }, (i) => i % 2 === 1],
      [{ where: { kind: ["odd", "even"] }, whereAll: { tags: ["t1"] } }, (i) => i % 3 === 1],
      [{ atLeast: { weight: 0.3 } }, (i) => i >= 300],
      [
        { atLeast: { weight: 0.3 }, where: { kind: ["odd"] }, since: 4000 },
        (i) => i >= 300 && i <= 1000 && i % 2 === 1,
      ],
      [
        { atLeast: { weight: 0.3 }, where: { kind: ["odd"] }, whereAll: { tags: ["t1"] } },
        (i) => i >= 300 && i % 6 === 1,
      ],
    ];
    for (const [filter, meets] of filters) {
      const expected = of(meets);
      expect(await ids(filter)).toEqual(expected);
      const page = await store().list("me", { type: "memory", ...filter, limit: 50, offset: 100 });
      expect(page.total).toBe(expected.length);
      expect(page.records.map(({ id }) => id)).toEqual(expected.slice(100, 150));
    }
  });

  it("refuses a path that is none", async () => {
    for (const path of ["", "a'b", "a..b", "$", 'a"']) {
      await store().write("me", [note("a")]);
      await expect(ids({ where: { [path]: ["x"] } })).rejects.toThrow("no path");
    }
  });

  it("lists exactly what a filter describes, whatever was written, deleted and written again before", async () => {
    const word = fc.constantFrom("red", "green", "blue", "a long text ".repeat(9), "");
    const plain = fc.oneof(word, fc.constantFrom(0, 0.3, 0.7, 1, -2), fc.boolean());
    const body = fc.record(
      { kind: plain, tags: fc.array(plain, { maxLength: 4 }), deep: fc.record({ level: plain }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    );
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const time = fc.integer({ min: 0, max: 5 });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ act: fc.constant("write" as const), id, body, created: time }) },
      {
        weight: 1,
        arbitrary: fc.record({ act: fc.constantFrom("remove" as const, "restore" as const, "purge" as const), id }),
      },
    );
    const path = fc.constantFrom("kind", "tags", "deep.level");
    const filter = fc.record(
      {
        where: fc.dictionary(path, fc.array(plain, { maxLength: 3 }), { maxKeys: 2 }),
        whereAll: fc.dictionary(path, fc.array(fc.oneof(plain, fc.array(plain, { maxLength: 2 })), { maxLength: 2 }), {
          maxKeys: 1,
        }),
        atLeast: fc.dictionary(path, fc.constantFrom(-3, 0, 0.3, 0.7, 2), { maxKeys: 1 }),
        since: time,
        until: time,
        deleted: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    let owner = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.array(filter, { minLength: 1, maxLength: 5 }),
        async (steps, filters) => {
          const name = `owner-${owner++}`;
          const model = new Map<string, RecordWrite & { deleted: boolean }>();
          for (const one of steps) {
            const key = `mem-${one.id}`;
            if (one.act === "write") {
              const record = note(one.id, one.body, { created: one.created });
              await store().write(name, [record]);
              model.set(key, { ...record, deleted: false });
            } else {
              await store()[one.act](name, key);
              const record = model.get(key);
              if (record && one.act === "purge") model.delete(key);
              else if (record) record.deleted = one.act === "remove";
            }
          }
          for (const one of filters) {
            const expected = [...model.values()]
              .filter((record) => meets(record, one))
              .sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1))
              .map((record) => record.id);
            const { records, total } = await store().list(name, { type: "memory", ...one, limit: 3, offset: 1 });
            expect(await store().ids(name, { type: "memory", ...one })).toEqual(expected);
            expect({ total, ids: records.map((record) => record.id) }).toEqual({
              total: expected.length,
              ids: expected.slice(1, 4),
            });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
}

/** A filter in plain words. */
function meets(record: RecordWrite & { deleted: boolean }, filter: Partial<RecordFilter>): boolean {
  const elements = (path: string): unknown[] => {
    const value = path
      .split(".")
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], record.body);
    return Array.isArray(value) ? value : [value];
  };
  return (
    record.deleted === (filter.deleted ?? false) &&
    record.created >= (filter.since ?? 0) &&
    record.created < (filter.until ?? 99) &&
    Object.entries(filter.where ?? {}).every(([path, accepted]) =>
      accepted.some((one) => elements(path).includes(one)),
    ) &&
    Object.entries(filter.whereAll ?? {}).every(([path, required]) =>
      required.every((one) => [one].flat().some((any) => elements(path).includes(any))),
    ) &&
    Object.entries(filter.atLeast ?? {}).every(([path, least]) =>
      elements(path).some((value) => typeof value === "number" && value >= least),
    )
  );
}
