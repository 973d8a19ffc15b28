import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packTerms } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import {
  findInBlock,
  mergeEntries,
  PostingCollector,
  type PostingsEntry,
  packBlocks,
  unpackBlock,
  unpackLists,
} from "./postings.ts";

const item = fc.record({
  words: fc.array(fc.constantFrom("red", "blue", "green", "gold"), { maxLength: 300 }),
  gap: fc.integer({ min: 1, max: 3_000_000 }),
});

/** What the packed lists mean: frequency by term and item. */
function plain(entries: Iterable<PostingsEntry>): Record<string, number> {
  const byTerm: Record<string, number> = {};
  for (const { term, list } of entries) {
    const { numbers, frequencies } = unpackLists([list]);
    numbers.forEach((number, i) => {
      byTerm[`${term} ${number}`] = frequencies[i]!;
    });
  }
  return byTerm;
}

function collect(
  items: { words: string[]; gap: number }[],
  after = 0,
): { entries: PostingsEntry[]; last: number; expected: Record<string, number> } {
  const collector = new PostingCollector();
  const expected: Record<string, number> = {};
  let number = after;
  for (const { words, gap } of items) {
    number += gap;
    collector.add(number, packTerms({ code: words }));
    for (const word of words) {
      const key = `${hashTerm(word)} ${number}`;
      expected[key] = Math.min(255, (expected[key] ?? 0) + 1);
    }
  }
  return { entries: [...collector.entries()], last: number, expected };
}

describe("postings", () => {
  it("say which items have which terms, and how often, up to 255", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), (items) => {
        const { entries, expected } = collect(items);
        const blocks = [...packBlocks(entries)];
        expect(plain(blocks.flatMap(({ data }) => [...unpackBlock(data)]))).toEqual(expected);
      }),
    );
  });

  it("merge into what all items together would have been, without those that are gone", () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 8 }),
        fc.array(item, { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (older, newer, nth) => {
          const a = collect(older);
          const b = collect(newer, a.last);
          const numbers = [...new Set(Object.keys(a.expected).map((key) => Number(key.split(" ")[1])))];
          const removed = new Set(numbers.filter((_, i) => i % nth === 0));
          const remaining = Object.fromEntries(
            Object.entries(a.expected).filter(([key]) => !removed.has(Number(key.split(" ")[1]))),
          );
          const merged = mergeEntries(a.entries, b.entries, (number) => removed.has(number));
          expect(plain(merged)).toEqual({ ...remaining, ...b.expected });
          expect(plain(mergeEntries(a.entries, b.entries))).toEqual({ ...a.expected, ...b.expected });
        },
      ),
    );
  });

  it("fill blocks in order of terms, and find each term in its block", () => {
    const words = Array.from({ length: 5000 }, (_, i) => `w${i}`);
    const collector = new PostingCollector();
    collector.add(7, packTerms({ code: words }));
    const blocks = [...packBlocks(collector.entries())];
    expect(blocks.length).toBeGreaterThan(3);
    const firsts = blocks.map(({ first }) => first);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    for (const word of words) {
      const block = blocks.findLast(({ first }) => first <= hashTerm(word))!;
      expect([...unpackLists([findInBlock(block.data, hashTerm(word))!]).numbers]).toEqual([7]);
    }
    expect(findInBlock(blocks[0]!.data, hashTerm("absent"))).toBeUndefined();
  });

  it("weigh a term by where it stands", () => {
    const collector = new PostingCollector();
    collector.add(1, packTerms({ name: ["pay"], path: ["pay"], doc: ["pay"], code: ["pay", "pay"] }));
    expect([...unpackLists([[...collector.entries()][0]!.list]).frequencies]).toEqual([4 + 3 + 2 + 2]);
  });
});
