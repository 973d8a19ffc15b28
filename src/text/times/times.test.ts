import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asksWhen, mentionsTime, namedTimes, relativeTimes, timeMatch, withoutTimes } from "./times.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const day = 24 * 60 * 60 * 1000;

describe("named times", () => {
  it.each([
    ["on 8 May, 2023", [{ year: 2023, month: 5, day: 8 }]],
    ["on May 8th", [{ month: 5, day: 8 }]],
    ["the 3rd of June 2024", [{ year: 2024, month: 6, day: 3 }]],
    ["since 2023-05-08", [{ year: 2023, month: 5, day: 8 }]],
    ["in 2023/05", [{ year: 2023, month: 5 }]],
    ["what happened in October?", [{ month: 10 }]],
    ["the trip of September 2021", [{ year: 2021, month: 9 }]],
    ["around Dec. 24", [{ month: 12, day: 24 }]],
    ["back in 2019", [{ year: 2019 }]],
    [
      "from 1 March to 5 April",
      [
        { month: 3, day: 1 },
        { month: 4, day: 5 },
      ],
    ],
  ])("reads %s", (text, times) => {
    expect(namedTimes(text)).toEqual(times);
  });

  it.each([
    "May I ask you something?",
    "the protest may march on",
    "an august assembly",
    "port 2023456",
    "on the 45 May",
    "2023-19-01x",
    "decide and mark it",
  ])("finds no month or day in %s", (text) => {
    expect(namedTimes(text).filter(({ month }) => month !== undefined)).toEqual([]);
  });

  it("takes them out of a text and leaves the rest", () => {
    expect(withoutTimes("What did Ann paint on October 13, 2023?").replace(/\s+/g, " ")).toBe(
      "What did Ann paint on ?",
    );
    expect(withoutTimes("What may Ann paint?")).toBe("What may Ann paint?");
  });

  it("only names months and days that exist, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme" }),
          fc
            .array(fc.constantFrom("May", "2023", "8", "-", "/", "of", "jan.", "32", " ", "last", "th"), {
              maxLength: 12,
            })
            .map((parts) => parts.join(" ")),
        ),
        (text) => {
          for (const { year, month = 1, day = 1 } of namedTimes(text)) {
            expect(month >= 1 && month <= 12 && day >= 1 && day <= 31).toBe(true);
            expect(year === undefined || (year >= 1900 && year < 2100)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("relative times", () => {
  // A Wednesday.
  const now = at("2024-05-15T12:00:00");

  it.each([
    ["yesterday", "2024-05-14", "2024-05-14"],
    ["what did I say today?", "2024-05-15", "2024-05-15"],
    ["last week", "2024-05-06", "2024-05-12"],
    ["this week", "2024-05-13", "2024-05-19"],
    ["last weekend", "2024-05-11", "2024-05-12"],
    ["last month", "2024-04-01", "2024-04-30"],
    ["last year", "2023-01-01", "2023-12-31"],
    ["last Monday", "2024-05-13", "2024-05-13"],
    ["last Wednesday", "2024-05-08", "2024-05-08"],
  ])("reads %s", (text, from, to) => {
    expect(relativeTimes(text, now)).toEqual([{ from: at(`${from}T00:00`), to: at(`${to}T00:00`) + day - 1 }]);
  });

  it("counts back from now", () => {
    const [ago] = relativeTimes("what I said three days ago", now);
    expect(ago!.from).toBeLessThanOrEqual(now - 3 * day);
    expect(ago!.to).toBeGreaterThanOrEqual(now - 3 * day);
    expect(ago!.to).toBeLessThan(now - 2 * day);
    const [past] = relativeTimes("in the past 2 weeks", now);
    expect(past).toEqual({ from: at("2024-05-01T00:00"), to: now });
  });

  it("begins before it ends, and finds nothing where nothing is said", () => {
    const words = [
      "last",
      "this",
      "past",
      "two",
      "a few",
      "3",
      "weeks",
      "day",
      "ago",
      "friday",
      "night",
      "today",
      "year",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words), { maxLength: 8 }),
        fc.integer({ min: 0, max: 4e12 }),
        (parts, time) => {
          for (const { from, to } of relativeTimes(parts.join(" "), time)) expect(from).toBeLessThanOrEqual(to);
        },
      ),
    );
    expect(relativeTimes("the lastly thistle of pastry", now)).toEqual([]);
  });
});

describe("time in questions and texts", () => {
  it.each([
    "When did she go?",
    "and when was it",
    "What year did he move?",
    "In which month did it start?",
    "How long have they known?",
  ])("%s asks for a time", (text) => expect(asksWhen(text)).toBe(true));

  it.each(["What did she do when it rained?", "Where did she go?", "Whenever you like", "How many?"])(
    "%s does not",
    (text) => expect(asksWhen(text)).toBe(false),
  );

  it.each([
    "I went yesterday",
    "it was last Friday",
    "two weeks ago",
    "in June",
    "since 2016",
    "at 5 pm",
    "next month",
  ])("%s says when", (text) => expect(mentionsTime(text)).toBe(true));

  it.each(["I went there", "it may rain", "a weekly of sorts", ""])("%s does not say when", (text) =>
    expect(mentionsTime(text)).toBe(false),
  );
});

describe("a time that matches", () => {
  const match = (question: string, time: string) =>
    timeMatch(namedTimes(question), relativeTimes(question, at("2024-05-15T12:00")), at(time));

  it("is best within days after the day that was asked for", () => {
    const exact = match("on 8 May 2023", "2023-05-10T09:00");
    const sameMonth = match("on 8 May 2023", "2023-05-28T09:00");
    const monthAfter = match("on 8 May 2023", "2023-06-20T09:00");
    expect(exact).toBe(1);
    expect(sameMonth).toBeLessThan(exact);
    expect(monthAfter).toBeLessThan(sameMonth);
    expect(monthAfter).toBeGreaterThan(0);
  });

  it("is told of in the month or the one after, in any year that is not said otherwise", () => {
    expect(match("in December", "2022-12-05T00:00")).toBeGreaterThan(match("in December", "2023-01-05T00:00"));
    expect(match("in December", "2023-02-05T00:00")).toBe(0);
    expect(match("in May 2023", "2022-05-05T00:00")).toBe(0);
    expect(match("on 30 December", "2023-01-03T00:00")).toBe(1);
  });

  it("may be relative, or a year", () => {
    expect(match("last month", "2024-04-20T00:00")).toBeGreaterThan(0);
    expect(match("last month", "2024-03-20T00:00")).toBe(0);
    expect(match("in 2022", "2022-03-20T00:00")).toBeGreaterThan(match("in 2022", "2023-03-20T00:00"));
  });
});
