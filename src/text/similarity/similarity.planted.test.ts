import { describe, expect, it } from "vitest";
import { alternatives, bases, code, codeLookalikes, lookalikes, prose, reworded } from "./similarity.cases.ts";
import { type Edit, edits } from "./similarity.edits.cases.ts";
import { nearDuplicates, similarity } from "./similarity.ts";

const same = 0.9;

type Pair = { one: string; other: string; kind: string };

const duplicates: Pair[] = [
  ...Object.entries(edits.any).flatMap(([kind, edit]) => edited(bases, kind, edit)),
  ...Object.entries(edits.prose).flatMap(([kind, edit]) => edited(prose, kind, edit)),
  ...Object.entries(edits.code).flatMap(([kind, edit]) => edited(code, kind, edit)),
  ...reworded.map((line) => both(alternatives(line), "reworded")),
];

/** The same words around every pair of lookalikes: the difference is one word in some forty. */
const background =
  " Background: this was agreed with the platform team after the outage of last winter, it is described in the handbook under the same title, and whoever changes it again should tell the people who take the pager.";
const short = lookalikes.map((line) => both(alternatives(line), "lookalike"));
const different: Pair[] = [
  ...short,
  ...short.map(({ one, other }) => both([one + background, other + background], "lookalike in a longer text")),
  ...short.map((first, i) => {
    const second = short[(i * 7 + 3) % short.length]!;
    return both([`${first.one}. ${second.one}.`, `${first.other}. ${second.other}.`], "two differences");
  }),
  ...codeLookalikes.map(([text, one, other]) => both([text.replace("@", one), text.replace("@", other)], "code")),
];

function both([one, other]: [string, string], kind: string): Pair {
  return { one, other, kind };
}

function edited(texts: readonly string[], kind: string, edit: Edit): Pair[] {
  return texts.map((text, index) => both([text, edit(text, index)], kind)).filter(({ one, other }) => one !== other);
}

function isSame({ one, other }: Pair): boolean {
  return similarity(one, other) >= same;
}

describe("planted records", () => {
  it("are enough to say something", () => {
    expect(bases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(bases).size).toBe(bases.length);
    expect(duplicates.length).toBeGreaterThanOrEqual(200);
    expect(different.length).toBeGreaterThanOrEqual(200);
  });

  it("are all found to be different from each other", () => {
    expect(nearDuplicates(bases, same)).toEqual([]);
    expect(nearDuplicates([...new Set(short.flatMap(({ one, other }) => [one, other]))], same)).toEqual([]);
  });

  it("are recognised again after an edit, at least 95 % of them", () => {
    const missed = duplicates.filter((pair) => !isSame(pair));
    expect(missed.length / duplicates.length).toBeLessThanOrEqual(0.05);
  });

  it.each([...new Set(duplicates.map(({ kind }) => kind))])("are recognised: %s", (kind) => {
    const all = duplicates.filter((pair) => pair.kind === kind);
    const share = all.filter(isSame).length / all.length;
    // Random errors in one character of ten make words that are other words, and half of the words wrong.
    expect(share).toBeGreaterThanOrEqual(kind.includes("90 %") ? 0.75 : kind.includes("errors") ? 0.85 : 1);
  });

  it.each([...new Set(different.map(({ kind }) => kind))])("are never merged when they only look alike: %s", (kind) => {
    const merged = different.filter((pair) => pair.kind === kind && isSame(pair));
    expect(merged.map(({ one, other }) => `${one} | ${other}`)).toEqual([]);
  });

  it("are told apart in less time than comparing one pair in ten takes", () => {
    const texts = Array.from({ length: 500 }, (_, i) => {
      const at = (step: number) => bases[(i * step + Math.floor(i / bases.length)) % bases.length]!;
      return `${at(1)} ${i % 3 === 0 ? "" : at(7)} ${i % 5 === 0 ? at(13) : ""}`;
    });
    const pairs = Array.from({ length: 12_475 }, (_, i) => [texts[i % 500]!, texts[(i * 31 + 17) % 500]!] as const);
    const best = Math.min(...[1, 2, 3].map(() => timed(() => nearDuplicates(texts, same))));
    expect(best).toBeLessThan(timed(() => pairs.map(([one, other]) => similarity(one, other))));
  });
});

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
