import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alternatives, bases, lookalikes, prose, reworded } from "./similarity.cases.ts";
import { edits } from "./similarity.edits.cases.ts";
import { nearDuplicates, similarity, wordsOf } from "./similarity.ts";

const words = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `word${from + i}`);
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(fc.constantFrom("port", "is", "5432", "the", "db", "Host", "漢字", "naïve", "-", "\n"), { maxLength: 80 })
    .map((all) => all.join(" ")),
);

/** Records that are nearly alike in every way that counts or does not. */
const record = fc.oneof(
  anyText,
  fc.constantFrom(...bases),
  fc.constantFrom(...reworded, ...lookalikes).chain((line) => fc.constantFrom(...alternatives(line))),
  fc
    .tuple(fc.constantFrom(...Object.values({ ...edits.any, ...edits.prose })), fc.nat(5), fc.nat(20))
    .map(([edit, at, index]) => edit(prose[at * 9]!, index)),
);

describe("similarity", () => {
  it.each([
    ["Port is 5432.", "port  IS\n5432"],
    ["const a = b(c);", "const a=b( c )"],
    ["Don't panic", "dont panic!"],
    ["Über die Brücke", "über die  BRÜCKE"],
    ["設定 ファイル", "設定ファイル"],
  ])("is 1 when only case, white space and punctuation differ: %j, %j", (a, b) => {
    expect(similarity(a, b)).toBe(1);
  });

  it.each([
    ["port is 5432", "port is 5433"],
    [
      "the cache is enabled for all users of the site by default",
      "the cache is disabled for all users of the site by default",
    ],
    ["a calls b", "b calls a"],
    ["+++", "---"],
    ["", "x"],
    ["設定を読む", "設定を書く"],
  ])("keeps different short texts apart: %j, %j", (a, b) => {
    expect(similarity(a, b)).toBeLessThan(0.9);
  });

  it.each([
    ["The build fails when the cache is cold", "builds failed when cache was cold"],
    ["Never commit the generated schema files", "Never comit the genrated schema files"],
    ["Do not use the old importer", "Don't use the old importer"],
    ["Adapters exist for kafka, nats and sqs", "Adapters exist for sqs, kafka and nats"],
    ["Requests to the search gateway end after 10 ms", "Requests to the search gateway end after 10ms"],
    ["The upload time-out is too short", "The upload timeout is too short"],
    ["colours are normalised by the importer", "colors are normalized by the importer"],
  ])("sees that short texts say the same: %j, %j", (a, b) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ["sort by name, then by date", "sort by date, then by name"],
    ["copy(source, target)", "copy(target, source)"],
    ["return a + b;", "return a - b;"],
    ["if (!ready) return;", "if (ready) return;"],
    ["wait for the lock", "wait to the lock"],
    ["the value is -1 by default", "the value is 1 by default"],
    ["costs 1.5 cents per call", "costs 15 cents per call"],
    ["written in C for speed", "written in C++ for speed"],
    ["the site uses next in production", "the site uses nuxt in production"],
    ["the importer is called Anna internally", "the importer is called Anne internally"],
    ["it is so", "they are there"],
    ["Übergabe am Montag im Büro", "Übergabe am Freitag im Büro"],
  ])("sees what makes short texts different: %j, %j", (a, b) => {
    expect(similarity(a, b)).toBeLessThan(0.9);
  });

  it("does not take punctuation and layout for operators", () => {
    const plain = "Use tabs in Makefiles, spaces elsewhere";
    for (const other of [
      "- Use tabs in Makefiles – spaces elsewhere!",
      "* Use *tabs* in Makefiles; spaces elsewhere",
      "// Use tabs in Makefiles, spaces elsewhere?",
      "> Use **tabs** in\n> Makefiles, spaces -- elsewhere...",
    ])
      expect(similarity(plain, other)).toBe(1);
  });

  it("is the share of words in common in longer texts", () => {
    const text = words(100);
    const changed = text.map((word, i) => (i % 20 === 3 ? "other" : word));
    expect(similarity(text.join(" "), changed.join(", "))).toBeCloseTo(0.95);
    expect(similarity(text.join(" "), text.slice(0, 90).join(" "))).toBeCloseTo(180 / 190);
    expect(similarity(text.join(" "), text.toReversed().join(" "))).toBeLessThan(0.1);
  });

  it("is symmetric, between 0 and 1, and 1 for a text and itself", () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const score = similarity(a, b);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(similarity(b, a)).toBe(score);
        expect(similarity(a, a)).toBe(1);
      }),
    );
  });

  it("counts the longest common subsequence of long texts exactly", () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 121, maxLength: 180 });
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        expect(similarity(a.join(" "), b.join(" "))).toBeCloseTo((2 * longestCommon(a, b)) / (a.length + b.length), 10);
      }),
      { numRuns: 200 },
    );
  });

  it("compares very long texts too", () => {
    const text = words(40_000).join(" ");
    expect(similarity(text, `${text} end`)).toBeGreaterThan(0.99);
    expect(similarity(text, words(40_000, 50_000).join(" "))).toBeLessThan(0.001);
  });
});

function longestCommon(a: number[], b: number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++) next.push(x === b[j] ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    row = next;
  }
  return row[b.length]!;
}

describe("nearDuplicates", () => {
  it("points every duplicate at the first text of its kind", () => {
    const long = words(60).join(" ");
    const texts = [
      long,
      "port is 5432",
      long.toUpperCase(),
      "port is 5433",
      "Port is 5432!",
      long.replace("word7", "seven"),
    ];
    expect(nearDuplicates(texts, 0.9)).toEqual([
      { of: 0, duplicate: 2, similarity: 1 },
      { of: 1, duplicate: 4, similarity: 1 },
      { of: 0, duplicate: 5, similarity: expect.closeTo(59 / 60) },
    ]);
  });

  it("finds exactly what comparing every pair finds", () => {
    const base = words(40);
    const variant = fc.array(fc.tuple(fc.nat(39), fc.constantFrom("x", "y", "")), { maxLength: 8 }).map((edits) => {
      const changed = [...base];
      for (const [at, word] of edits) changed[at] = word;
      return changed.join(" ");
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(variant, record, record), { maxLength: 14 }),
        fc.constantFrom(0.8, 0.85, 0.9, 0.95, 0.97, 1),
        (texts, threshold) => {
          const originals: number[] = [];
          const expected: number[] = [];
          for (const [i, text] of texts.entries()) {
            const twin = originals.some((other) => similarity(texts[other]!, text) >= threshold);
            (twin ? expected : originals).push(i);
          }
          expect(nearDuplicates(texts, threshold).map(({ duplicate }) => duplicate)).toEqual(expected);
        },
      ),
      { numRuns: 600 },
    );
  });

  it("has no duplicates among none or one", () => {
    expect(nearDuplicates([], 0.9)).toEqual([]);
    expect(nearDuplicates([""], 0.9)).toEqual([]);
    expect(nearDuplicates(["", ""], 0.9)).toEqual([{ of: 0, duplicate: 1, similarity: 1 }]);
  });
});

describe("wordsOf", () => {
  it("tells words apart, not their case, and leaves punctuation out", () => {
    expect(wordsOf("Retry, retry: RETRY! again")).toEqual(wordsOf("retry retry retry again"));
    expect(new Set(wordsOf("one two three 設定")).size).toBe(5);
    expect(wordsOf(" -- '' ")).toHaveLength(0);
  });
});
