import fc from "fast-check";
import { expect, it } from "vitest";
import type { Store } from "../store.ts";
import { sampleFile } from "./store.samples.ts";

const model = "test/words/2";

/** Vectors of language models: per model, only for existing items, kept while a text is unchanged. */
export function modelVectorCases(store: () => Store): void {
  const shop = () => sampleFile("shop.py", [unit("pay"), unit("ship")]);
  const unit = (name: string, text = `def ${name}(): work`) => ({ name, text });
  const missing = async (limit = 100) => (await store().modelVectors.missing("me", model, limit)).map(nameOf);
  const nameOf = ({ item }: { item: { name: string } }) => item.name;
  const fill = async (of = model, vector = Int8Array.of(3, 4)) => {
    const slots = await store().modelVectors.missing("me", of, 100);
    await store().modelVectors.write("me", of, new Map(slots.map(({ slot }) => [slot, vector])));
  };

  it("names the items that have no vector of a model yet, and forgets nothing of what has", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    expect(await missing()).toEqual(["shop.py", "pay", "ship"]);
    expect(await missing(2)).toEqual(["shop.py", "pay"]);
    const [first] = await store().modelVectors.missing("me", model, 1);
    await store().modelVectors.write("me", model, new Map([[first!.slot, Int8Array.of(1, 2)]]));
    expect(await missing()).toEqual(["pay", "ship"]);
    expect(await store().modelVectors.counts("me")).toEqual({ items: 3, models: [{ model, vectors: 1 }] });
    expect(await store().modelVectors.missing("you", model, 9)).toEqual([]);
    expect(await store().modelVectors.missing("me", model, 0)).toEqual([]);
  });

  it("keeps the vectors of what is written again as it was, and asks anew for what changed", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    await fill();
    const revision = await store().revision("me");
    const edited = sampleFile("shop.py", [unit("pay"), unit("ship", "def ship(): send parcels")]);
    await store().write("me", { files: [edited], removed: [] });
    // The file as a whole has other text too, but the sample's words of it are its name and path.
    expect(await missing()).toContain("ship");
    expect(await missing()).not.toContain("pay");
    await fill();
    expect(await store().revision("me")).toBe(revision + 1);
    await store().write("me", { files: [], removed: ["shop.py"] });
    expect(await store().modelVectors.counts("me")).toEqual({ items: 0, models: [{ model, vectors: 0 }] });
    expect(await store().modelVectors.search("me", model, { vector: Int8Array.of(1, 1), limit: 9 })).toEqual([]);
  });

  it("leaves a vector out whose item was replaced while it was made", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    const slots = await store().modelVectors.missing("me", model, 100);
    await store().write("me", { files: [sampleFile("shop.py", [unit("pay", "def pay(): other")])], removed: [] });
    await store().modelVectors.write("me", model, new Map(slots.map(({ slot }) => [slot, Int8Array.of(1, 1)])));
    expect(await missing()).toEqual(["shop.py", "pay"]);
  });

  it("takes an item's vectors out of the file that loses it: under another path it reads otherwise", async () => {
    const claimed = { name: "same", text: "work", item: { id: "cod-same" } };
    await store().write("me", { files: [sampleFile("one.py", [claimed])], removed: [] });
    await fill();
    await store().write("me", { files: [sampleFile("two.py", [claimed])], removed: [] });
    expect(await missing()).toEqual(["two.py", "same"]);
    const { models } = await store().modelVectors.counts("me");
    expect(models).toEqual([{ model, vectors: 1 }]);
  });

  it("searches by one model at a time, and what came since the last search too", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    const find = async (of: string, limit = 9) =>
      (await store().modelVectors.search("me", of, { vector: Int8Array.of(2, 1), limit })).map(
        ({ item, score }) => `${item.name} ${score}`,
      );
    for (const [count, vector] of [
      [1, [1, 1]],
      [2, [5, 0]],
      [3, [0, 9]],
    ] as const) {
      const [next] = await store().modelVectors.missing("me", model, 1);
      await store().modelVectors.write("me", model, new Map([[next!.slot, Int8Array.from(vector)]]));
      expect((await find(model)).length).toBe(count);
    }
    expect(await find(model)).toEqual(["pay 10", "ship 9", "shop.py 3"]);
    expect(await find(model, 1)).toEqual(["pay 10"]);
    expect(await find("test/other/2")).toEqual([]);
    const filter = { kinds: ["file" as const] };
    const files = await store().modelVectors.search("me", model, { vector: Int8Array.of(2, 1), limit: 9, filter });
    expect(files.map(nameOf)).toEqual(["shop.py"]);
    expect(await store().modelVectors.search("me", model, { vector: Int8Array.of(1), limit: 9 })).toEqual([]);
    const ids = files.map(({ item }) => item.id);
    const query = Int8Array.of(2, 1);
    expect([...(await store().modelVectors.products("me", model, query, [...ids, "cod-none"]))]).toEqual([[ids[0], 3]]);
  });

  it("refuses a vector that is not as long as the others of its model, and keeps those", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    await fill();
    await store().write("me", { files: [sampleFile("new.py", [])], removed: [] });
    await expect(fill(model, Int8Array.of(1, 2, 3))).rejects.toMatchObject({ code: "embedder-mismatch" });
    expect(await missing()).toEqual(["new.py"]);
    expect((await store().modelVectors.counts("me")).models).toEqual([{ model, vectors: 3 }]);
  });

  it("keeps two models apart until one is forgotten", async () => {
    await store().write("me", { files: [shop()], removed: [] });
    await fill();
    await fill("test/other/3", Int8Array.of(1, 2, 3));
    expect((await store().modelVectors.counts("me")).models).toEqual([
      { model, vectors: 3 },
      { model: "test/other/3", vectors: 3 },
    ]);
    await store().modelVectors.forget("me", model);
    await store().modelVectors.forget("me", "test/unknown/1");
    expect((await store().modelVectors.counts("me")).models).toEqual([{ model: "test/other/3", vectors: 3 }]);
    expect(await store().modelVectors.search("me", model, { vector: Int8Array.of(1, 1), limit: 9 })).toEqual([]);
  });

  it("finds the nearest exactly, however the vectors came", async () => {
    const vector = fc.int8Array({ minLength: 5, maxLength: 5 });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(vector, { minLength: 1, maxLength: 30 }),
        vector,
        fc.nat(7),
        async (all, query, step) => {
          const name = `run ${++runs}`;
          const units = all.map((_, i) => unit(`u${i}`));
          await store().write("me", { files: [], removed: ["shop.py"] });
          await store().write("me", { files: [sampleFile("shop.py", units)], removed: [] });
          const slots = (await store().modelVectors.missing("me", name, 100)).filter(
            ({ item }) => item.name[0] === "u",
          );
          const vectorBySlot = new Map(slots.map(({ slot, item }) => [slot, all[Number(item.name.slice(1))]!]));
          const entries = [...vectorBySlot];
          for (let from = 0; from < entries.length; from += step + 1) {
            await store().modelVectors.write("me", name, new Map(entries.slice(from, from + step + 1)));
            await store().modelVectors.search("me", name, { vector: query, limit: 1 });
          }
          const dot = (each: Int8Array) => each.reduce((sum, value, i) => sum + value * query[i]!, 0);
          const hits = await store().modelVectors.search("me", name, { vector: query, limit: 10 });
          expect(hits.map(({ score }) => score)).toEqual(
            all
              .map(dot)
              .sort((a, b) => b - a)
              .slice(0, 10),
          );
          for (const { item, score } of hits) expect(score).toBe(dot(all[Number(item.name.slice(1))]!));
        },
      ),
      { numRuns: 25 },
    );
  });

  it("lets one at a time hold the lease, until it ends or is renewed", async () => {
    const { lease } = store().modelVectors;
    expect(await lease("me", "a", 1000, 2000)).toBe(true);
    expect(await lease("me", "b", 1500, 2500)).toBe(false);
    expect(await lease("me", "a", 1900, 2900)).toBe(true);
    expect(await lease("me", "b", 2500, 3500)).toBe(false);
    expect(await lease("you", "b", 2500, 3500)).toBe(true);
    expect(await lease("me", "b", 2900, 3900)).toBe(true);
    expect(await lease("me", "a", 3000, 4000)).toBe(false);
  });
}
