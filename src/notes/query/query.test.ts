import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NoteField } from "../../note.ts";
import type { NoteFacts } from "../../stores/graph.ts";
import { numberOf } from "./compare-values.ts";
import { type Condition, conditionWords, parseCondition } from "./condition.ts";
import { dateAsked, dateOf, isoDay } from "./dates.ts";
import { hasTagOrBox, testOf } from "./match-conditions.ts";
import { spokenQuery } from "./natural-language.ts";
import { byKey, parseSort, sortKey } from "./sort.ts";

// A Tuesday.
const now = new Date(2026, 10, 17, 12).getTime();

function noteWith(fields: Record<string, string | string[] | NoteField>, more: Partial<NoteFacts> = {}): NoteFacts {
  const list = Object.entries(fields).map(
    ([name, value]): NoteField =>
      typeof value === "object" && !Array.isArray(value)
        ? { ...value, name }
        : { name, values: [value].flat().map((text) => ({ text })) },
  );
  return { id: "not-1", key: "1", origin: "test", name: "A note", tags: [], fields: list, ...more };
}

function meets(condition: string, note: NoteFacts): boolean {
  return testOf([parseCondition(condition)], now).holds(note);
}

describe("a condition", () => {
  it.each<[string, Condition]>([
    ["Status=open", { field: "Status", operator: "=", operand: "open" }],
    [" Status == open ", { field: "Status", operator: "=", operand: "open" }],
    ["Status!=done", { field: "Status", operator: "!=", operand: "done" }],
    ["Due<2026-12-01", { field: "Due", operator: "<", operand: "2026-12-01" }],
    ["Due date >= today", { field: "Due date", operator: ">=", operand: "today" }],
    ["Owner~ada", { field: "Owner", operator: "contains", operand: "ada" }],
    ["Owner contains Ada Lovelace", { field: "Owner", operator: "contains", operand: "Ada Lovelace" }],
    ["Formula=a contains b", { field: "Formula", operator: "=", operand: "a contains b" }],
    ["Due present", { field: "Due", operator: "present", operand: "" }],
    ["Due is absent", { field: "Due", operator: "absent", operand: "" }],
    ["Due", { field: "Due", operator: "present", operand: "" }],
    ["Due=", { field: "Due", operator: "absent", operand: "" }],
    ['"a=b" = "c<d"', { field: "a=b", operator: "=", operand: "c<d" }],
    ['"x > y" missing', { field: "x > y", operator: "absent", operand: "" }],
    ["Wow! = 3", { field: "Wow!", operator: "=", operand: "3" }],
  ])("is read from %s", (input, condition) => {
    expect(parseCondition(input)).toEqual(condition);
  });

  it.each(["", "=open", "<3", "Due<", "Owner~", '"a" b'])("is refused with how to write one: %s", (input) => {
    expect(() => parseCondition(input)).toThrow(/no condition on a field\. Write Status=open/);
  });

  it("is never read from a text without ending in a condition or a sentence, and says the same again", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (input) => {
        let read: Condition;
        try {
          read = parseCondition(input);
        } catch (error) {
          expect((error as Error).message).toContain("no condition");
          return;
        }
        expect(read.field).not.toBe("");
        expect(conditionWords(read)).toContain(read.field);
      }),
    );
  });
});

describe("fields are compared by what they are", () => {
  it("dates as dates, of whatever length", () => {
    const due = noteWith({ Due: "2026-11-30" });
    expect(meets("Due<2026-12-01", due)).toBe(true);
    expect(meets("Due<2026-11-30", due)).toBe(false);
    expect(meets("Due<=2026-11-30", due)).toBe(true);
    expect(meets("Due=2026-11", due)).toBe(true);
    expect(meets("Due=2026-W49", due)).toBe(true);
    expect(meets("Due>2026-11", due)).toBe(false);
    expect(meets("Due>today", due)).toBe(true);
    expect(meets("Due<=+2w", due)).toBe(true);
    expect(meets("Due<+1w", due)).toBe(false);
    expect(meets("Due=next month", due)).toBe(false);
    expect(meets("Due=this month", due)).toBe(true);
    expect(meets("Due=2026-11-30", noteWith({ Due: "2026-11-30T17:30" }))).toBe(true);
    expect(meets("Due<2026-12-01", noteWith({ Due: "[[Nov 30th, 2026]]" }))).toBe(true);
    expect(meets("Due<2026-12-01", noteWith({ Due: "30 November 2026" }))).toBe(true);
    expect(meets("Due<2026-12-01", noteWith({ Due: "2026-11-20/2026-12-05" }))).toBe(false);
  });

  it("not by a date that is none, which is told", () => {
    for (const wrong of ["2026-02-31", "2026-13-01", "soon", "20261301", "0000-00-00", "x".repeat(100_000)]) {
      const test = testOf([parseCondition("Due<2030-01-01")], now);
      expect(test.holds(noteWith({ Due: wrong })), wrong.slice(0, 20)).toBe(false);
      expect(test.incomparable.get("Due")).toMatchObject({ count: 1 });
    }
    expect(dateOf("2026-02-29")).toBeUndefined();
    expect(dateOf("2028-02-29")).toBeDefined();
  });

  it("numbers as numbers, and words as words", () => {
    expect(meets("Price<9", noteWith({ Price: "10" }))).toBe(false);
    expect(meets("Price<9", noteWith({ Price: "$8.50" }))).toBe(true);
    expect(meets("Price>=1200", noteWith({ Price: "1,200" }))).toBe(true);
    expect(meets("Count=3", noteWith({ Count: "3.0" }))).toBe(true);
    expect(meets("Year<2000", noteWith({ Year: "1984" }))).toBe(true);
    expect(meets("Priority<B", noteWith({ Priority: "A" }))).toBe(true);
    expect(meets("Price<9", noteWith({ Price: "cheap" }))).toBe(false);
    expect(numberOf("12 apples")).toBeUndefined();
  });

  it("options and references without case, links and blanks; any of several values will do", () => {
    expect(meets("status=In Progress", noteWith({ Status: "in  progress" }))).toBe(true);
    expect(meets("Owner=Ada", noteWith({ Owner: ["Grace", "[[Ada]]"] }))).toBe(true);
    expect(meets("Owner!=Ada", noteWith({ Owner: ["Grace", "Ada"] }))).toBe(false);
    expect(meets("Owner!=Ada", noteWith({}))).toBe(true);
    expect(meets("Owner~ada", noteWith({ Owner: "Ada Lovelace" }))).toBe(true);
    expect(
      meets("Owner=ada000000001", noteWith({ Owner: { name: "", values: [{ text: "Ada", note: "ada000000001" }] } })),
    ).toBe(true);
    expect(meets("Done=yes", noteWith({ Done: { name: "", type: "checkbox", values: [{ text: "true" }] } }))).toBe(
      true,
    );
    expect(meets("blocked by present", noteWith({ "Blocked-by": "x" }))).toBe(true);
    expect(meets("Due absent", noteWith({ Due: "  " }))).toBe(true);
  });

  it("what a box says as a status, and a deadline as what is due", () => {
    expect(meets("Status=open", noteWith({}, { done: false }))).toBe(true);
    expect(meets("Status=open", noteWith({ status: "DOING" }, { done: false }))).toBe(true);
    expect(meets("Status=DOING", noteWith({ status: "DOING" }, { done: false }))).toBe(true);
    expect(meets("Status=done", noteWith({}, { done: true }))).toBe(true);
    expect(meets("Status=open", noteWith({}))).toBe(false);
    expect(meets("Status!=done", noteWith({}, { done: false }))).toBe(true);
    expect(meets("due<2026-12-01", noteWith({ deadline: "2026-11-30" }))).toBe(true);
    expect(meets("due<2026-12-01", noteWith({ scheduled: "2026-11-30" }))).toBe(false);
    expect(hasTagOrBox(noteWith({}, { done: false }), "task")).toBe(true);
    expect(hasTagOrBox(noteWith({}, { done: false }), "project")).toBe(false);
    expect(hasTagOrBox(noteWith({}, { tags: ["milestone"], inherited: ["Task"] }), "#task")).toBe(true);
  });

  it("ten thousand fields and a value as long as a book, all the same", () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`Field ${i}`, `value ${i}`]));
    const note = noteWith({ ...fields, Novel: "word ".repeat(500_000), Due: "2026-11-30" });
    expect(meets("Due<2026-12-01", note)).toBe(true);
    expect(meets("Field 9999=value 9999", note)).toBe(true);
    expect(meets("Novel~word word", note)).toBe(true);
    expect(meets("Novel=word", note)).toBe(false);
  });
});

describe("an order", () => {
  it("is by dates, numbers or words, the first or the last first, and what has no such field comes last", () => {
    const notes = ["2026-12-01", undefined, "2026-01-05", "soon", "2026-11-30"].map((due, at) =>
      noteWith(due === undefined ? {} : { Due: due }, { key: String(at) }),
    );
    const ordered = (input: string) => {
      const sort = parseSort(input);
      return [...notes]
        .sort((a, b) => byKey(sortKey(a, sort), sortKey(b, sort), sort.isDescending))
        .map(({ key }) => key)
        .join("");
    };
    expect(ordered("due")).toBe("24031");
    expect(ordered("-due")).toBe("04231");
    expect(ordered("Due desc")).toBe("04231");
    expect(ordered("nothing")).toBe("01234");
  });

  it("of any keys is one", () => {
    const value = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(-24, 10)),
    );
    const sort = parseSort("x");
    fc.assert(
      fc.property(fc.array(value, { minLength: 3, maxLength: 3 }), fc.boolean(), (values, isDescending) => {
        const [a, b, c] = values.map((text) => sortKey(noteWith({ x: text }), { ...sort, isDescending }));
        // Plus 0: the negative zero of equal keys is 0.
        const sign = (one: typeof a, other: typeof a) => Math.sign(byKey(one, other, isDescending)) + 0;
        expect(sign(a, b)).toBe(-sign(b, a) + 0);
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
      }),
      { examples: [[["1821-04", "1821-04", "0"], true]] },
    );
  });
});

describe("a question about plans", () => {
  it.each([
    ["what is overdue?", { tags: [], state: "open", conditions: ["due<2026-11-17"], topic: "" }],
    ["What's overdue for Apollo?", { state: "open", conditions: ["due<2026-11-17"], topic: "Apollo" }],
    ["overdue tasks of project Apollo", { conditions: ["due<2026-11-17"], topic: "project Apollo" }],
    ["what is due this week", { state: "open", conditions: ["due=this week"], topic: "" }],
    ["tasks due tomorrow", { conditions: ["due=tomorrow"], topic: "" }],
    ["due within the next 2 weeks", { conditions: ["due>=today", "due<=+2w"], topic: "" }],
    ["open tasks", { tags: ["task"], state: "open", conditions: [], topic: "" }],
    ["open tasks for the launch", { tags: ["task"], state: "open", topic: "launch" }],
    ["which tasks are still open?", { tags: ["task"], state: "open", topic: "" }],
    ["what is left to do?", { tags: ["task"], state: "open", topic: "" }],
    ["completed tasks", { tags: ["task"], state: "done", topic: "" }],
  ])("is understood: %s", (question, expected) => {
    const { sort, ...read } = spokenQuery(question, now)!;
    expect({ ...read, conditions: read.conditions.map(conditionWords) }).toMatchObject(expected);
    expect(sort?.field).toBe("due");
  });

  it.each([
    "launch plan",
    "why was the beta late last year and what did we learn of it".repeat(5),
    "open source licences",
    "due diligence",
    "",
  ])("is none: %s", (question) => expect(spokenQuery(question, now)).toBeUndefined());

  it("means days of the calendar here", () => {
    expect(isoDay(dateAsked("today", now)!.from)).toBe("2026-11-17");
    expect(isoDay(dateAsked("this week", now)!.from)).toBe("2026-11-16");
    expect(isoDay(dateAsked("next month", now)!.from)).toBe("2026-12-01");
    expect(isoDay(dateAsked("+1m", new Date(2026, 0, 31, 9).getTime())!.from)).toBe("2026-02-28");
  });
});
