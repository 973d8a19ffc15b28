import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelModule } from "../../../scripts/build-kernel.ts";
import { fields, packHashes } from "../../text/analysis/terms.ts";
import { mergeEntries, PostingCollector, type PostingsBlock, packBlocks } from "./postings.ts";
import { mergeBlocks, packPostings } from "./postings-packer.ts";

type Items = { numbers: number[]; terms: Uint8Array[] };

/** Items in ascending order, as far apart as varints of several lengths need. */
function itemsFrom(first: number, lists: { distance: number; hashes: number[] }[]): Items {
  let number = first;
  const numbers = lists.map(({ distance }) => (number += distance));
  const terms = lists.map(({ hashes }) => {
    const byField = Object.fromEntries(
      fields.map((field, index) => [field, hashes.filter((hash) => hash % 7 === index)]),
    );
    return packHashes(byField).terms;
  });
  return { numbers, terms };
}

function entriesOf({ numbers, terms }: Items) {
  const collector = new PostingCollector();
  numbers.forEach((number, index) => {
    collector.add(number, terms[index]!);
  });
  return collector.entries();
}

const shown = (blocks: Iterable<PostingsBlock>) =>
  [...blocks].map(({ first, data }) => `${first} ${Buffer.from(data).toString("hex")}`);

const hash = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 0xffffffff }));
const lists = fc.array(
  fc.record({
    distance: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 70_000 })),
    hashes: fc.array(hash, { maxLength: 300 }),
  }),
  { maxLength: 40 },
);

describe("packing postings", () => {
  it("gives the same blocks in WebAssembly and in JavaScript", () => {
    fc.assert(
      fc.property(lists, (some) => {
        const items = itemsFrom(0, some);
        expect(shown(packPostings(items.numbers, items.terms)!)).toEqual(shown(packBlocks(entriesOf(items))));
      }),
    );
  });

  it("merges the same blocks in WebAssembly and in JavaScript", () => {
    fc.assert(
      fc.property(lists, lists, (some, others) => {
        const older = itemsFrom(0, some);
        const newer = itemsFrom(older.numbers.at(-1) ?? 0, others);
        const [one, other] = [older, newer].map(({ numbers, terms }) => packPostings(numbers, terms)!);
        const merged = packBlocks(mergeEntries(entriesOf(older), entriesOf(newer)));
        expect(shown(mergeBlocks(one!, other!)!)).toEqual(shown(merged));
      }),
    );
  });

  it("packs many items whose lists fill several blocks, and none", () => {
    const hashes = Array.from({ length: 5000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0);
    const items = itemsFrom(
      100,
      Array.from({ length: 3000 }, (_, index) => ({
        distance: 1,
        hashes: [5, 12, ...hashes.slice(index, index + 20)],
      })),
    );
    const blocks = packPostings(items.numbers, items.terms)!;
    expect(shown(blocks)).toEqual(shown(packBlocks(entriesOf(items))));
    expect(blocks.length).toBeGreaterThan(5);
    expect(packPostings([], [])).toEqual([]);
    expect(mergeBlocks([], [])).toEqual([]);
  });

  it("is made from the kernel's source as it stands", async () => {
    const folder = new URL("./", import.meta.url);
    const source = await readFile(new URL("postings-packer.wat", folder), "utf8");
    const compiled = await kernelModule(source, "postings-packer", "postingsPackerBytes");
    expect(await readFile(new URL("postings-packer-kernel.ts", folder), "utf8")).toBe(compiled);
  });
});
