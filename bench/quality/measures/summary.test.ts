import { describe, expect, it } from "vitest";
import { sampleOf } from "../data/rows.ts";
import type { Measured } from "../set.ts";
import { type Answer, scored } from "../sets/absent.ts";
import { figureOf, summaryOf } from "./summary.ts";
import { bar, tableOf } from "./table.ts";

const measured: Measured = {
  set: "tiny",
  texts: 3,
  milliseconds: [1],
  asked: [
    { id: "1", group: "x", dossier: { MRR: 1, rare: 1 }, bm25: { MRR: 0.5 } },
    { id: "2", group: "y", dossier: { MRR: 0, rare: undefined }, bm25: { MRR: 0.25 } },
    { id: "1", way: "otherwise", dossier: { MRR: 0.25 }, bm25: { MRR: 0.5 } },
  ],
};

describe("a summary", () => {
  it("has the mean of those that a measure says something of, by group and by way", () => {
    const summary = summaryOf(measured);
    expect(summary.questions).toBe(2);
    const lines = summary.lines.map(({ measure, group, way, questions, dossier, bm25, gain }) => [
      [measure, group ?? way].join(" "),
      questions,
      dossier.value,
      bm25?.value,
      gain?.value,
    ]);
    expect(lines).toEqual([
      ["MRR ", 2, 0.5, 0.375, 0.125],
      ["rare ", 1, 1, undefined, undefined],
      ["MRR otherwise", 1, 0.25, 0.5, -0.25],
      ["MRR x", 1, 1, 0.5, 0.5],
      ["rare x", 1, 1, undefined, undefined],
      ["MRR y", 1, 0, 0.25, -0.25],
    ]);
    expect(figureOf(summary, "MRR", "y").dossier.value).toBe(0);
    expect(() => figureOf(summary, "nDCG")).toThrow("Nothing was measured by nDCG.");
  });

  it("reads as a table with bars", () => {
    const table = tableOf(summaryOf(measured));
    expect(table).toContain("tiny: 2 questions, 3 texts");
    expect(table).toMatch(/^MRR +2 {2}█{10}·{10} 50\.0 \[0\.0, 100\.0\] +37\.5 .*\+12\.5/m);
    expect(table).toMatch(/^MRR, otherwise +1 .* -25\.0/m);
    expect(table).toMatch(/^x +1 +100\.0 \/ 50\.0 +100\.0$/m);
  });

  it("may be of lines that an operation measured itself", () => {
    const figure = { value: 0.5, low: 0.25, high: 0.75 };
    const line = (group: string, measure: string, questions: number) => ({
      group,
      measure,
      questions,
      dossier: figure,
    });
    const lines = [line("x", "mrr", 3), line("x", "within", 2), line("y", "mrr", 4)];
    const summary = summaryOf({ set: "own", texts: 1, asked: [], lines, milliseconds: [] });
    expect(summary.questions).toBe(7);
    expect(tableOf(summary)).not.toContain("plain BM25");
    expect(tableOf(summary)).toMatch(/^x +3 +50\.0 +50\.0$/m);
  });

  it("prints tokens as counts, and the held part apart from the tuning one", () => {
    const ask = (id: string, part: "tuning" | "held", tokens: number) => ({
      id,
      part,
      dossier: { tokens },
      bm25: { tokens: 4000 },
    });
    const asked = [ask("a", "tuning", 1000), ask("b", "held", 3000)];
    const table = tableOf(summaryOf({ set: "questions", texts: 1, asked, milliseconds: [] }));
    expect(table).toMatch(/^tokens +2 +2000 \[1000, 3000\] +4000 \[4000, 4000\] +-2000/m);
    expect(table).toMatch(/^tuning +1 +1000 \/ 4000\nheld +1 +3000 \/ 4000$/m);
  });

  it("draws a share to an eighth of a character", () => {
    expect([bar(0), bar(1), bar(1 / 160)]).toEqual(["·".repeat(20), "█".repeat(20), `▏${"·".repeat(19)}`]);
    expect([bar(-1), bar(2)]).toEqual([bar(0), bar(1)]);
  });
});

it("takes the same sample in every run, in the given order", () => {
  const list = Array.from({ length: 100 }, (_, i) => i);
  const sample = sampleOf(list, 10);
  expect(sample).toEqual(sampleOf(list, 10));
  expect(sample).toEqual([...sample].sort((a, b) => a - b));
  expect(new Set(sample).size).toBe(10);
  expect(sampleOf(list, undefined)).toEqual(list);
});

it("judges answers that are not sure by whether there was something", () => {
  const answer = (present: boolean, unsure: boolean, best: number): Answer => ({
    query: `${present} ${best}`,
    present,
    unsure,
    best,
    tokens: 100,
    plain: 1,
  });
  const answers = [
    answer(true, false, 0.9),
    answer(true, true, 0.2),
    answer(false, true, 0.1),
    answer(false, false, 0.4),
  ];
  const summary = summaryOf({ set: "absent", texts: 0, asked: scored("here", answers), milliseconds: [] });
  expect(figureOf(summary, "unsure, recall").dossier.value).toBe(0.5);
  expect(figureOf(summary, "unsure, precision").dossier.value).toBe(0.5);
  expect(figureOf(summary, "sure").dossier.value).toBe(0.5);
  // Of the four pairs only .2 of what is there against .4 of what is not is the wrong way round; BM25 has ties only.
  expect(figureOf(summary, "told apart").dossier.value).toBe(0.75);
  expect(figureOf(summary, "told apart").bm25!.value).toBe(0.5);
});
