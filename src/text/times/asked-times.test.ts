import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseQuery } from "../analysis/query.ts";
import { askedTimes, isWithin, marksOf, termsBesideTimes, timeMarks } from "./asked-times.ts";

/** A Wednesday. */
const now = Date.UTC(2026, 2, 18, 15, 30);

function days(text: string): string[] {
  return askedTimes(text, now).map(({ from, to }) => {
    const [first, last] = [from, to].map((at) => new Date(at).toISOString().slice(0, 10));
    return first === last ? first! : `${first}..${last}`;
  });
}

describe("the times that a question is about", () => {
  it.each([
    ["what did we say yesterday?", "2026-03-17"],
    ["12 March 2026", "2026-03-12"],
    ["2026-03-12", "2026-03-12"],
    ["what happened on 25 December", "2025-12-25"],
    ["in February", "2026-02-01..2026-02-28"],
    ["since August", "2025-08-01..2025-08-31"],
    ["2024", "2024-01-01..2024-12-31"],
    ["last week", "2026-03-09..2026-03-15"],
    ["what did she want on Monday?", "2026-03-16"],
    ["on Wednesday", "2026-03-11"],
    ["the day before yesterday", "2026-03-16"],
    ["today", "2026-03-18"],
  ])("%s", (text, range) => {
    expect(days(text)).toContain(range);
  });

  it("are the same for a minute, and never of tomorrow", () => {
    const moment = Date.UTC(2026, 2, 18, 23, 59, 1);
    for (const text of ["an hour ago", "today", "the past two days", "10 minutes ago"]) {
      expect(askedTimes(text, moment)).toEqual(askedTimes(text, moment + 58_000));
      expect(askedTimes(text, moment)[0]!.to).toBeLessThan(Date.UTC(2026, 2, 19));
    }
  });

  it("are none where none is named", () => {
    for (const text of ["who approves refunds?", "May I march on?", "version 2.0", "31 February 2026", "", "@today.md"])
      expect([text, days(text.replace("@today.md", ""))]).toEqual([text, []]);
  });

  it("leave the words that can be in an answer", () => {
    const rest = (text: string) => termsBesideTimes(analyseQuery(text).terms, text).map(({ term }) => term);
    for (const text of [
      "what did we say yesterday?",
      "12 March 2026",
      "What happened last week?",
      "on Monday",
      "two days ago",
    ])
      expect([text, rest(text)]).toEqual([text, []]);
    expect(rest("what did we say about refunds yesterday?")).toEqual(["refund"]);
    expect(rest("which invoices were sent on 12 March 2026?").sort()).toEqual(["invoic", "sent"]);
  });

  it("have a mark for every moment in them", () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 5 * 365 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (from, length, at) => {
          const range = { from, to: from + length * 86_400_000 };
          const within = Math.floor(range.from + at * (range.to - range.from));
          const marks = new Set(marksOf([range]));
          expect(isWithin(within, [range])).toBe(true);
          expect(timeMarks(within).some((mark) => marks.has(mark))).toBe(true);
        },
      ),
    );
  });
});
