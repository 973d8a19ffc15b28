import { describe, expect, it } from "vitest";
import type { Item } from "../../item.ts";
import { agent } from "../../recipes/agent.ts";
import { memory } from "../../sources/records/memory.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { packTerms } from "../../text/analysis/terms.ts";
import type { Finding } from "../finding.ts";

import { measureTogether } from "./measure-briefing.ts";

const recipe = agent();

/** Findings as the index would tell them: one shelf with these texts, whatever kind they are of. */
function finding(task: string, texts: string[]): Finding {
  const query = analyseQuery(task);
  const terms = texts.map((text) => analyse(text));
  const frequencies = new Map(
    query.terms.flatMap(({ term }): [string, number][] => {
      const having = terms.filter((each) => each.includes(term)).length;
      return having > 0 ? [[term, having]] : [];
    }),
  );
  const items = texts.map((_, index) => ({ id: `mem-${index}`, source: "memory" }) as Item);
  return {
    ask: { source: "memory", deadline: 1000 },
    source: memory,
    query,
    candidates: items.map((item) => ({ item, signals: {}, distance: 0 })),
    evidence: {
      units: { count: texts.length, averageLength: 10, frequencies },
      unitTerms: new Map(items.map(({ id }, index) => [id, packTerms({ doc: terms[index]! })])),
      files: { count: 0, averageLength: 0, frequencies: new Map() },
      wholeFiles: new Map(),
      spreadTerms: new Map(),
      pages: new Map(),
    },
  };
}

const task =
  "Marketing asks whether the browser could tell travellers about delays instead of paid text messages. Please write down how many people we would still reach and what speaks against it, before the meeting.";

const texts = [
  "Text messages cost four cents each and are sent for delays over twenty minutes",
  "The limiter is keyed by booking, so one delay gives one of the text messages, never two by the queue",
  "The queue sorts by departure, and its limiter holds back what was sent twice for one booking",
  "The linter rejects prints in the payment service, whose logs have an allow-list of fields",
];

describe("records measured together", () => {
  it("count for a task by being like those that say most of it, though they share no word with it", () => {
    const one = finding(task, texts);
    const { columns } = measureTogether([one], recipe).get(one)!;
    expect(columns.text![2]).toBe(0);
    expect(columns.neighbours![2]).toBeGreaterThan(columns.neighbours![3]! * 2);
  });

  it("are left to the measure of their kind for a few words, which mean what they say", () => {
    expect(measureTogether([finding("limiter of the queue", texts)], recipe).size).toBe(0);
  });

  it("do not depend on words that only other sources have, and tell how many of the task's words they know", () => {
    const alone = finding(task, texts);
    const vocabulary = alone.evidence.units.frequencies;
    const known = { ...alone.query, terms: alone.query.terms.filter(({ term }) => vocabulary.has(term)) };
    const [all, some] = [alone.query, known].map(({ terms }) => terms.reduce((sum, { weight }) => sum + weight, 0));
    // What remains of the query without code, and with code that knows every word.
    const without: Finding = { ...alone, query: known, known: some! / all! };
    const beside: Finding = { ...alone, known: 1 };
    const measured = [without, beside].map((each) => measureTogether([each], recipe).get(each)!);
    expect(measured[1]!.columns).toEqual(measured[0]!.columns);
    expect(measured[1]!.certainty).toEqual(measured[0]!.certainty);
    for (const { vocabulary } of measured) {
      expect(vocabulary!.words).toBe(known.terms.length);
      expect(vocabulary!.known).toBeCloseTo(some! / all!);
    }
  });

  it("are one list: a word is as rare as it is in all of them, and scores of two kinds compare", () => {
    const one = finding(task, texts.slice(0, 2));
    const two = finding(task, texts.slice(2));
    const measured = measureTogether([one, two], recipe);
    const best = (each: Finding) => Math.max(...measured.get(each)!.columns.text!);
    expect(best(one)).toBe(1);
    expect(best(two)).toBeLessThan(0.5);
  });

  it("are told from one another by what the task is about, not by the words that any task is told with", () => {
    const one = finding(
      "Please make sure that people can find the harbour authority's passenger manifest before they begin to work",
      [
        "People begin to work once they find a place, and make sure of it before",
        "The harbour reads the manifest by SFTP",
      ],
    );
    const { columns } = measureTogether([one], recipe).get(one)!;
    expect(columns.text).toEqual([expect.closeTo(0.9, 0), 1]);
  });

  it("that a certain ask let pass are left to their own measure", () => {
    const one = finding(task, texts);
    expect(measureTogether([{ ...one, ask: { ...one.ask, certain: true } }], recipe).size).toBe(0);
  });
});
