import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forEachTerm } from "../../text/analysis/terms.ts";
import { type Frequencies, reach, spreadScale, spreadTerms, type Turn } from "./neighbour-terms.ts";

const frequencies = (counts: Record<number, number>): Frequencies => ({
  hashes: Object.keys(counts).map(Number),
  counts: Object.values(counts),
});

function turn(counts: Record<number, number>, options: { session?: string; asks?: boolean } = {}): Turn {
  const own = frequencies(counts);
  return { session: options.session, own, near: own, asks: options.asks ?? false };
}

function unpack(packed: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>();
  forEachTerm(packed, (hash, _field, frequency) => counts.set(hash, frequency));
  return counts;
}

/** The formula, written as it is stated. */
function expected(turns: Turn[], at: number): Map<number, number> {
  const sums = new Map<number, number>();
  const add = ({ hashes, counts }: Frequencies, factor: number) =>
    hashes.forEach((hash, i) => {
      sums.set(hash, (sums.get(hash) ?? 0) + counts[i]! * factor);
    });
  add(turns[at]!.own, 1);
  for (let k = 1; k <= 4; k++) {
    const earlier = turns[at - k];
    const later = turns[at + k];
    const factor = k === 1 && earlier?.asks ? 1.5 : 1;
    if (earlier && earlier.session === turns[at]!.session) add(earlier.near, 0.5 ** (k - 1) * 0.7 * factor);
    if (later && later.session === turns[at]!.session) add(later.near, 0.5 ** (k - 1) * 0.15);
  }
  return sums;
}

describe("spreading turns", () => {
  it("counts what was asked before more than what follows, and the further away the less", () => {
    const turns = [turn({ 1: 1 }), turn({ 2: 1 }, { asks: true }), turn({ 3: 1 }), turn({ 4: 1 })];
    const spread = unpack(spreadTerms(turns, 2).terms);
    expect(spread.get(3)).toBe(spreadScale);
    expect([3, 2, 1, 4].map((hash) => spread.get(hash)!)).toEqual([...spread.values()].sort((a, b) => b - a));
    const plain = unpack(spreadTerms([turns[0]!, turn({ 2: 1 }), turns[2]!, turns[3]!], 2).terms);
    expect(spread.get(2)).toBeGreaterThan(plain.get(2)!);
  });

  it("stays within a session", () => {
    const turns = [
      turn({ 1: 1 }, { session: "a" }),
      turn({ 2: 1 }, { session: "b" }),
      turn({ 3: 1 }, { session: "c" }),
    ];
    expect([...unpack(spreadTerms(turns, 1).terms).keys()]).toEqual([2]);
  });

  it("reaches four turns and no further", () => {
    const turns = Array.from({ length: 20 }, (_, i) => turn({ [i + 1]: 4 }));
    const terms = [...unpack(spreadTerms(turns, 10).terms).keys()];
    expect(Math.min(...terms)).toBe(11 - reach);
    expect(Math.max(...terms)).toBe(11 + reach);
  });

  it("is the formula, to the precision of what is stored, for hashes of any size", () => {
    const one = fc.dictionary(
      fc.constantFrom("0", "1", "7", "2147483648", "4294967295").map(String),
      fc.constantFrom(0.5, 0.7, 1, 2, 3),
    );
    const turns = fc.array(
      fc
        .record({ counts: one, session: fc.constantFrom("a", "b"), asks: fc.boolean() })
        .map(({ counts, session, asks }) => turn(counts as Record<number, number>, { session, asks })),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(turns, fc.nat(), (all, pick) => {
        const at = pick % all.length;
        const { terms, length } = spreadTerms(all, at);
        const stored = unpack(terms);
        let sum = 0;
        for (const [hash, frequency] of expected(all, at)) {
          const scaled = frequency * spreadScale;
          const count = stored.get(hash) ?? 0;
          sum += Math.round(scaled);
          // Exact up to 16, rounded down by at most 15 % above.
          expect(count).toBeLessThanOrEqual(scaled + 0.51);
          expect(count).toBeGreaterThanOrEqual(Math.min(scaled - 0.51, scaled * 0.83 - 1));
        }
        expect(Math.abs(length - sum)).toBeLessThanOrEqual(stored.size + 1);
      }),
    );
  });
});
