import { describe, expect, it } from "vitest";
import { domains, experienceStrategies, rootCauses } from "../../learned/experience.ts";
import type { CallOptions } from "../core/call.ts";
import { attempt, refusal, type SampleExperience, workspaceCalls } from "./experience.samples.ts";

describe("bad input", () => {
  const does = (input: SampleExperience, options?: CallOptions) => workspaceCalls()(input, options);

  it.each([
    [{ step: "begin" }, /^step takes one of start, update, .*, active, list, resume, not "begin"\./],
    [
      { step: "start", ...attempt, domain: "debuging" },
      `domain takes one of ${domains.join(", ")}, not "debuging". Did you mean debugging?`,
    ],
    [
      { step: "start", ...attempt, strategy: "luck" },
      `strategy takes one of ${experienceStrategies.join(", ")}, not "luck".`,
    ],
    [{ step: "resolve", status: "done" }, 'status takes one of confirmed, falsified, abandoned, not "done".'],
    [{ step: "resolve", rootCause: "bad luck" }, `rootCause takes one of ${rootCauses.join(", ")}, not "bad luck".`],
    [
      { step: "start", goal: "x" },
      `experience start also needs domain (one of ${domains.join(", ")}); strategy (one of ${experienceStrategies.join(", ")}); hypothesis; action; prediction.`,
    ],
    [{ step: "start", ...attempt, result: "x" }, "experience start takes no result."],
    [{ step: "start", ...attempt, id: "exp-1" }, "experience start takes no id."],
    [{ step: "active", id: "exp-1" }, "experience active takes no id."],
    [{ step: "note" }, "experience note also needs text."],
    [
      { step: "update", observed: "x" },
      /^experience update needs at least one of hypothesis, action, prediction, strategy;/,
    ],
    [{ step: "amend", id: "exp-1" }, /^experience amend needs at least one of surprise, rootCause/],
    [{ step: "start", ...attempt, goal: " \n " }, "goal is empty; it takes a text."],
    [{ step: "note", text: "" }, "text is empty; it takes a text."],
    [{ step: "note", texts: "x" }, "experience takes no texts. Did you mean text?"],
  ])("%j is refused by name", async (input, sentence) => {
    const { code, message } = await refusal(does(input as SampleExperience));
    expect(message).toMatch(sentence);
    expect(code).toBe("bad-input");
  });

  it("says what is too long, how long it is and how long it may be", async () => {
    for (const key of ["goal", "hypothesis", "action", "prediction"])
      expect(await refusal(does({ step: "start", ...attempt, [key]: "x".repeat(1001) }))).toEqual({
        code: "too-long",
        message: `${key} is 1,001 characters long; at most 1,000 are kept.`,
      });
    for (const key of ["result", "surprise", "rootCauseDescription", "lesson", "takeaway"])
      expect(await refusal(does({ step: "resolve", [key]: "x".repeat(2001) }))).toEqual({
        code: "too-long",
        message: `${key} is 2,001 characters long; at most 2,000 are kept.`,
      });
    expect((await refusal(does({ step: "note", text: "x".repeat(2001) }))).code).toBe("too-long");
    expect((await refusal(does({ session: "x".repeat(101) }))).code).toBe("too-long");
    expect((await refusal(does({}, { session: "x".repeat(101) }))).code).toBe("too-long");
  });

  it("leaves nothing behind, and takes what just fits", async () => {
    const here = workspaceCalls();
    await refusal(here({ step: "record", ...attempt, status: "falsified" }));
    expect((await here({})).experience).toBeUndefined();
    const longest = { goal: "g".repeat(1000), hypothesis: "\u0000\u001b[31m💥".repeat(100) };
    const { experience: stored } = await here({ step: "start", ...attempt, ...longest });
    expect(stored).toMatchObject(longest);
    const sentence = await refusal(here({ step: "resolve", status: "falsified" }));
    expect(sentence.message).toMatch(/^A falsified experience says .*surprise, rootCause \(one of wrong-assumption/);
    expect((await here({})).experience).toEqual(stored);
  });

  it("is named as the surface names it", async () => {
    const withFlags = does({ step: "start", goal: "x", domain: "testing" }, { nameOf: (key) => `--${key}` });
    expect((await refusal(withFlags)).message).toMatch(/^experience start also needs --strategy \(one of /);
  });
});
