import fc from "fast-check";
import { expect, it } from "vitest";
import { fields, packTerms, type TermField } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import { countTerms, termTable } from "./term-table.ts";

const word = fc.integer({ min: 0, max: 60 }).map((number) => `w${number}`);

it("counts the terms of few and of many words as they were packed", () => {
  const asked = fc.uniqueArray(word, { maxLength: 50 });
  const texts = fc.dictionary(fc.constantFrom(...fields), fc.array(word, { maxLength: 40 }));
  const weights = Float64Array.from(fields, (_, field) => field + 0.5);
  fc.assert(
    fc.property(asked, texts, (terms, byField) => {
      const packed = packTerms(byField as Partial<Record<TermField, string[]>>);
      const counted = countTerms(packed, termTable(terms.map(hashTerm)), weights);
      const times = (term: string, field: TermField) => (byField[field] ?? []).filter((each) => each === term).length;
      const expected = terms.map((term) =>
        fields.reduce((sum, field, index) => sum + weights[index]! * countable(times(term, field)), 0),
      );
      expect([...counted]).toEqual(expected);
    }),
  );
});

/** Frequencies are exact up to 16. */
function countable(times: number): number {
  return times < 18 ? Math.min(times, 16) : 18;
}
