import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashTerm, hashText } from "../hash.ts";
import { fields, forEachTerm, frequencies, packHashes, packTerms, type TermField } from "./terms.ts";

const vector = fc.dictionary(
  fc.constantFrom<TermField>(...fields),
  fc.array(fc.constantFrom("cache", "user", "a", "漢字", "x_y"), { maxLength: 400 }),
);

describe("packTerms", () => {
  it("keeps how often each term occurs in each field, up to 255", () => {
    fc.assert(
      fc.property(vector, (byField) => {
        const packed = packTerms(byField);
        for (const term of ["cache", "user", "a", "漢字", "x_y", "absent"]) {
          const counts = new Uint16Array(fields.length);
          const expected = fields.map((field) =>
            Math.min(255, (byField[field] ?? []).filter((other) => other === term).length),
          );
          expect(frequencies(packed, hashTerm(term), counts)).toBe(expected.some((count) => count > 0));
          expect([...counts]).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("gives the same bytes from hashes, and how many terms there were", () => {
    fc.assert(
      fc.property(vector, (byField) => {
        const hashes = Object.fromEntries(fields.map((field) => [field, (byField[field] ?? []).map(hashTerm)]));
        const length = Object.values(byField).flat().length;
        expect(packHashes(hashes)).toEqual({ terms: packTerms(byField), length });
      }),
      { numRuns: 100 },
    );
  });

  it("lists its entries in order of term and field", () => {
    fc.assert(
      fc.property(vector, (byField) => {
        const entries: number[] = [];
        forEachTerm(packTerms(byField), (hash, field) => entries.push(hash * 8 + field));
        expect(entries).toEqual(entries.toSorted((a, b) => a - b));
        expect(new Set(entries).size).toBe(entries.length);
      }),
      { numRuns: 100 },
    );
  });

  it("is empty for no terms, and reads the same from inside another buffer", () => {
    expect(packTerms({}).length).toBe(0);
    const packed = packTerms({ name: ["cache"], code: ["cache", "user"] });
    const shifted = new Uint8Array(packed.length + 3);
    shifted.set(packed, 3);
    const counts = new Uint16Array(fields.length);
    expect(frequencies(shifted.subarray(3), hashTerm("cache"), counts)).toBe(true);
    expect(counts[fields.indexOf("name")]).toBe(1);
  });
});

describe("hashes", () => {
  it("are short, stable and different for different texts", () => {
    expect(hashText("")).toBe(hashText(new Uint8Array()));
    expect(hashText("a")).toMatch(/^[0-9a-z]{13}$/);
    expect(hashText("é")).toBe(hashText(Buffer.from("é")));
    const words = Array.from({ length: 20_000 }, (_, i) => `term${i}`);
    expect(new Set(words.map(hashTerm)).size).toBeGreaterThan(19_998);
    expect(new Set(words.map((word) => hashText(word))).size).toBe(20_000);
  });
});
