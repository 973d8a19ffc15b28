import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleItems } from "./sample.ts";

const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });

describe("the items that training reads", () => {
  it("are all of them, ordered by id, when they are few", async () => {
    const items = [itemOf("b", 2), itemOf("a", 1), itemOf("c", 3)];
    const read: number[] = [];
    const sample = await sampleItems(batches(items, 2), 3, (done) => read.push(done));
    expect(sample.map((terms) => terms.length)).toEqual([1, 2, 3]);
    expect(read).toEqual([2, 3]);
  });

  it("never take more bytes than allowed, and are the same in any order and any batches", async () => {
    await fc.assert(
      fc.asyncProperty(
        lengths,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 9 }),
        async (sizes, bytes, batch) => {
          const items = sizes.map((size, i) => itemOf(`item-${i}`, size));
          const limits = { items: 1000, bytes };
          const sample = await sampleItems(batches(items, batch), items.length, undefined, limits);
          expect(sample.reduce((sum, terms) => sum + terms.length, 0)).toBeLessThanOrEqual(bytes);
          const reversed = await sampleItems(batches(items.toReversed(), 7), items.length, undefined, limits);
          expect(reversed).toEqual(sample);
        },
      ),
    );
  });

  it("are about as many as asked for", async () => {
    const items = Array.from({ length: 5000 }, (_, i) => itemOf(`item-${i}`, 1));
    const sample = await sampleItems(batches(items, 500), 5000, undefined, { items: 1000, bytes: 1e6 });
    expect(sample.length).toBeGreaterThan(850);
    expect(sample.length).toBeLessThan(1150);
  });
});

function itemOf(id: string, size: number): { id: string; terms: Uint8Array } {
  return { id, terms: new Uint8Array(size).fill(id.length) };
}

async function* batches<T>(all: T[], size: number): AsyncIterable<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
