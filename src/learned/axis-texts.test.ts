import { describe, expect, it } from "vitest";
import { axisTexts, linesOf } from "./axis-texts.ts";
import { begin, resolve, revise } from "./experience/steps.ts";
import type { Experience } from "./experience.ts";

const started = begin({
  session: "default",
  domain: "debugging",
  strategy: "read-the-error",
  goal: "Login works\n  again",
  hypothesis: "the cookie is cut",
  action: "log its\tlength",
  prediction: "it is 4096",
});

const reasons = {
  surprise: "the clock was right",
  rootCause: { category: "wrong-assumption", description: "two proxies set it" },
} as const;

const lines = (experience: Experience) =>
  Object.fromEntries(Object.entries(axisTexts(experience)).map(([axis, text]) => [axis, linesOf(text)]));

describe("the axes of an experience", () => {
  it("are two while it is under way, without an outcome", () => {
    expect(lines(started)).toEqual({
      full: [
        "Goal: Login works again",
        "Hypothesis: the cookie is cut",
        "Action: log its length",
        "Prediction: it is 4096",
      ],
      strategy: ["Strategy: read-the-error", "Goal: Login works again"],
    });
  });

  it("are four once it is falsified", () => {
    const second = revise(started, { hypothesis: "the clock is off", observed: "312" }, 1);
    const falsified = resolve(second, { status: "falsified", result: "still\nlogged out", ...reasons }, 2);
    expect(lines(falsified)).toEqual({
      full: [
        "Goal: Login works again",
        "Hypothesis: the clock is off",
        "Action: log its length",
        "Prediction: it is 4096",
        "Outcome: falsified - still logged out",
        "Surprise: the clock was right",
      ],
      strategy: ["Strategy: read-the-error", "Goal: Login works again", "Outcome: falsified after 2 iterations"],
      surprise: [
        "Expected: it is 4096",
        "Actual: still logged out",
        "Surprise: the clock was right",
        "Root cause: wrong-assumption - two proxies set it",
      ],
      root_cause: [
        "Category: wrong-assumption",
        "Description: two proxies set it",
        "Context: debugging - read-the-error",
        "Original hypothesis: the clock is off",
      ],
    });
  });

  it("stay two when it is confirmed, whatever surprised", () => {
    const lesson = { whatWorked: "reading the header", takeaway: "log sizes first" };
    const confirmed = resolve(started, { status: "confirmed", ...reasons, lesson }, 1);
    expect(lines(confirmed)).toEqual({
      full: [
        "Goal: Login works again",
        "Hypothesis: the cookie is cut",
        "Action: log its length",
        "Prediction: it is 4096",
        "Outcome: confirmed",
        "Surprise: the clock was right",
        "Lesson: reading the header",
        "Takeaway: log sizes first",
      ],
      strategy: [
        "Strategy: read-the-error",
        "Goal: Login works again",
        "Outcome: confirmed after 1 iteration",
        "What worked: reading the header",
      ],
    });
  });

  it("leave out an actual result that nobody stated", () => {
    const falsified = resolve(started, { status: "falsified", ...reasons }, 1);
    expect(axisTexts(falsified).surprise?.fields.map(([label]) => label)).toEqual([
      "Expected",
      "Surprise",
      "Root cause",
    ]);
  });
});
