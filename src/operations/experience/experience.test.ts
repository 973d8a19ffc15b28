import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import type { Experience } from "../../learned/experience.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { index } from "../index/index-workspace.ts";
import { attempt, refusal, type SampleExperience, workspaceCalls } from "./experience.samples.ts";
import { experience } from "./experience.ts";

const reasons = {
  surprise: "the clock was right",
  rootCause: "wrong-assumption",
  rootCauseDescription: "two proxies set the cookie",
} as const;

describe("an experience", () => {
  it("goes from start through an update to its resolution", async () => {
    const does = workspaceCalls();
    const { experience: first, message } = await does({ step: "start", ...attempt });
    expect(message).toBe(`Started in session "default": ${first?.id}.`);
    expect(first).toMatchObject({
      ...attempt,
      active: true,
      session: "default",
      iterations: 1,
      history: [],
      notes: [],
    });
    expect(first?.id).toMatch(/^exp-[0-9a-z]{13}$/);

    const updated = await does({ step: "update", hypothesis: "the clock is off", observed: "it is 312" });
    expect(updated.message).toBe(`Attempt 2 begins: ${first?.id}.`);
    expect(updated.experience).toMatchObject({
      id: first?.id,
      hypothesis: "the clock is off",
      iterations: 2,
      history: [{ hypothesis: "the cookie is cut", observed: "it is 312" }],
    });
    await does({ step: "note", text: "  seen on staging only " });

    const resolved = await does({ step: "resolve", status: "falsified", result: "still logged out", ...reasons });
    expect(resolved.message).toBe(`Resolved as falsified (silver): ${first?.id}.`);
    const shown = await does({ step: "show", id: first?.id });
    expect(shown.experience).toEqual(resolved.experience);
    expect(shown.experience).toMatchObject({
      active: false,
      tier: "silver",
      outcome: { status: "falsified", result: "still logged out", autoCaptured: false },
      surprise: reasons.surprise,
      rootCause: { category: "wrong-assumption", description: reasons.rootCauseDescription },
      notes: [{ text: "seen on staging only" }],
    });
    expect(await does({})).toEqual({ message: 'Session "default" has no active experience.', warnings: [] });
  });

  it("is found by id, its beginning, a citation or the id of one of its axes", async () => {
    const does = workspaceCalls();
    const { experience: started } = await does({ step: "record", ...attempt, status: "confirmed" });
    const id = started!.id;
    for (const typed of [
      id,
      id.slice(0, 8),
      id.slice(4),
      `[${id.slice(0, 8)}]`,
      ` ${id}-root_cause `,
      `[${id}-surprise]`,
    ])
      expect((await does({ step: "show", id: typed })).experience?.id).toBe(id);
    for (const typed of ["exp-", "exp-zzzzzzzzzzzzzz", "mem-1", "%", "x' OR 1", "../x"])
      expect((await refusal(does({ step: "show", id: typed }))).code).toBe("not-found");
    expect((await refusal(does({ step: "show", id: "" }))).message).toBe("id is empty; it takes a text.");
  });

  it("asks for more of an id that several have", async () => {
    const path = folder({});
    const workspace = await openWorkspace(path);
    const records = await workspace.records();
    const body = { ...attempt, session: "s", history: [], iterations: 1, notes: [] };
    const ids = ["exp-aaa1", "exp-aaa2", "exp-aaa"];
    await records.write(
      "local",
      ids.map((id) => ({ id, type: "experience" as const, created: 1, changed: 1, body })),
    );
    const show = (id: string) => call(experience, { step: "show", id }, { workspace });
    expect((await show("exp-aaa")).output.experience?.id).toBe("exp-aaa");
    expect((await refusal(show("aa"))).message).toMatch(
      /^"exp-aa" could be any of exp-aaa \(login works again\), exp-aaa1 .*, exp-aaa2 .* Give more/,
    );
    await workspace.close();
  });

  it("may be abandoned in one word", async () => {
    const does = workspaceCalls();
    const { experience: started } = await does({ step: "start", ...attempt });
    const { experience: ended, message } = await does({ step: "abandon", result: "no time" });
    expect(message).toBe(`Resolved as abandoned: ${started?.id}.`);
    expect(ended).toMatchObject({ tier: "abandoned", outcome: { status: "abandoned", result: "no time" } });
  });

  it("may be recorded afterwards, which is bronze and leaves the active one alone", async () => {
    const does = workspaceCalls();
    const { experience: active } = await does({ step: "start", ...attempt });
    const { experience: recorded, message } = await does({
      step: "record",
      ...attempt,
      goal: "earlier",
      status: "confirmed",
      result: "it worked",
      lesson: "a longer cookie",
    });
    expect(message).toBe(`Recorded as confirmed (bronze): ${recorded?.id}.`);
    expect(recorded).toMatchObject({ tier: "bronze", active: false, lesson: { whatWorked: "a longer cookie" } });
    expect((await does({})).experience?.id).toBe(active?.id);
    const { experience: late } = await does({
      step: "resolve",
      status: "confirmed",
      result: "yes",
      afterTheFact: true,
    });
    expect(late?.tier).toBe("bronze");
  });

  it("stays as it was resolved; notes and missing reasons may follow", async () => {
    const does = workspaceCalls();
    const { experience: recorded } = await does({ step: "record", ...attempt, status: "confirmed" });
    const id = recorded!.id;
    for (const change of [
      { step: "resolve", status: "abandoned" },
      { step: "update", action: "x" },
      { step: "abandon" },
    ] as const)
      expect(await refusal(does({ ...change, id }))).toEqual({
        code: "already-resolved",
        message: "This experience is already resolved as confirmed (bronze).",
      });
    await does({ step: "note", id, text: "and again" });
    const { experience: amended } = await does({ step: "amend", id, lesson: "reading", takeaway: "read first" });
    expect(amended).toMatchObject({
      lesson: { whatWorked: "reading", takeaway: "read first" },
      notes: [{ text: "and again" }],
    });
    expect(await refusal(does({ step: "amend", id, lesson: "other" }))).toEqual({
      code: "already-resolved",
      message: "lesson was stated when it was resolved, and stays.",
    });
  });
});

describe("what is written down", () => {
  it("holds no secrets, and says so", async () => {
    const does = workspaceCalls();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { experience: started, warnings } = await does({ step: "start", ...attempt, action: `curl -H ${token}` });
    expect(warnings).toEqual(["What looks like a secret was not written down; a placeholder stands for it."]);
    await does({ step: "note", text: token });
    const { experience: shown } = await does({ step: "show", id: started?.id });
    expect(JSON.stringify(shown)).not.toContain(token);
    expect(shown?.action).toMatch(/^curl -H /);
  });

  it("remembers where the code is that it names, from the first time it names it", async () => {
    const path = folder({ "src/login.ts": "export function openSession(user: string) {\n  return user;\n}\n" });
    const workspace = await openWorkspace(path);
    await call(index, { path }, { workspace });
    const anchorsNow = async () => {
      const { records } = await (await workspace.records()).list("local", { type: "experience", limit: 1 });
      return (records[0]!.body as Experience).anchors ?? [];
    };
    await call(experience, { step: "start", ...attempt, hypothesis: "openSession() is never called" }, { workspace });
    const [first, ...others] = await anchorsNow();
    expect(first).toMatchObject({ name: "openSession", path: "src/login.ts" });
    expect(others).toEqual([]);
    await call(experience, { step: "update", action: "log it in src/login.ts" }, { workspace });
    expect((await anchorsNow()).map(({ name }) => name)).toEqual(["openSession", "src/login.ts"]);
    await workspace.close();
  });
});

describe("the active experience", () => {
  it("is one for each session, side by side", async () => {
    const does = workspaceCalls();
    const { experience: mine } = await does({ step: "start", ...attempt });
    const again = await refusal(does({ step: "start", ...attempt }));
    expect(again.code).toBe("conflict");
    expect(again.message).toBe(
      `${mine?.id} is active in session "default" (login works again); resolve, abandon or update it, or name another session.`,
    );
    const { experience: other } = await does({ step: "start", ...attempt, session: "night" });
    const third = await does({ step: "start", ...attempt }, { session: "from-the-surface" });
    expect(third.experience?.session).toBe("from-the-surface");
    expect((await does({ session: "night" })).experience?.id).toBe(other?.id);
    await does({ step: "abandon", session: "night" });
    expect((await does({})).experience?.id).toBe(mine?.id);
    expect((await does({ step: "start", ...attempt, session: "night" })).experience?.active).toBe(true);
  });

  it("is found without naming its session where it is the only one, and all are told where there are several", async () => {
    const does = workspaceCalls();
    const { experience: night } = await does({ step: "start", ...attempt, session: "night" });
    expect((await does({})).experience?.id).toBe(night?.id);
    const { experience: day } = await does({ step: "start", ...attempt, session: "day" });
    const { code, message } = await refusal(does({ step: "note", text: "x" }));
    expect(code).toBe("no-active-experience");
    expect(message).toContain("2 are active in others: ");
    expect(message).toContain(`${day?.id} in "day"`);
    const { experiences } = await does({ step: "list" });
    expect(experiences?.map(({ session }) => session).sort()).toEqual(["day", "night"]);
  });

  it("is resumed by its id in another session, which then decides it", async () => {
    const does = workspaceCalls();
    const { experience: begun } = await does({ step: "start", ...attempt, session: "night" });
    const resumed = await does({ step: "resume", id: begun!.id, session: "day" });
    expect(resumed.experience).toMatchObject({ id: begun!.id, session: "day", active: true });
    expect((await does({ session: "day" })).experience?.id).toBe(begun!.id);
    expect((await does({ session: "night" })).experience).toBeUndefined();
    await does({ step: "start", ...attempt, session: "night" });
    expect((await refusal(does({ step: "resume", id: begun!.id, session: "night" }))).code).toBe("conflict");
    await does({ step: "abandon", session: "day" });
    expect((await refusal(does({ step: "resume", id: begun!.id, session: "other" }))).message).toContain("has ended");
  });

  it("is needed by every step that names none", async () => {
    const does = workspaceCalls();
    for (const step of [
      { step: "resolve", status: "confirmed" },
      { step: "abandon" },
      { step: "update", action: "x" },
      { step: "note", text: "x" },
      { step: "show" },
    ] as const)
      expect(await refusal(does({ ...step, session: "s" }))).toEqual({
        code: "no-active-experience",
        message: 'Session "s" has no active experience.',
      });
  });

  it("is not another owner's", async () => {
    const does = workspaceCalls();
    const { experience: mine } = await does({ step: "start", ...attempt }, { owner: "ann" });
    expect((await does({}, { owner: "bob" })).experience).toBeUndefined();
    for (const step of [
      { step: "show" },
      { step: "note", text: "x" },
      { step: "abandon" },
      { step: "update", action: "x" },
    ] as const)
      expect((await refusal(does({ ...step, id: mine?.id }, { owner: "bob" }))).code).toBe("not-found");
    expect((await does({ step: "start", ...attempt }, { owner: "bob" })).experience?.id).not.toBe(mine?.id);
    expect((await does({}, { owner: "ann" })).experience).toEqual(mine);
  });

  it("is the only one, and the only one in its slot, whatever is called in whatever order", async () => {
    const step = fc.record({
      step: fc.constantFrom("start", "resolve", "abandon", "update", "record"),
      session: fc.constantFrom("a", "b"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (sequence) => {
        const workspace = await openWorkspace(folder({}));
        try {
          const open = new Set<string>();
          for (const { step, session } of sequence) {
            const accepted = await accepts(workspace, step as SampleExperience["step"], session);
            expect(accepted).toBe(step === "record" || (step === "start") !== open.has(session));
            if (accepted && step === "start") open.add(session);
            if (accepted && (step === "resolve" || step === "abandon")) open.delete(session);
          }
          const records = await workspace.records();
          const { records: all } = await records.list("local", { type: "experience", limit: 100 });
          const active = all.filter(({ slot }) => slot !== undefined);
          expect(active.map(({ slot }) => slot).sort()).toEqual([...open].sort().map((session) => `active:${session}`));
          for (const { slot, body } of all)
            expect(slot === undefined).toBe((body as { tier?: string }).tier !== undefined);
        } finally {
          await workspace.close();
        }
      }),
      { numRuns: 15 },
    );
  });

  async function accepts(workspace: Workspace, step: SampleExperience["step"], session: string): Promise<boolean> {
    const inputs: Record<string, SampleExperience> = {
      start: { step: "start", ...attempt },
      record: { step: "record", ...attempt, status: "confirmed" },
      resolve: { step: "resolve", status: "confirmed" },
      abandon: { step: "abandon" },
      update: { step: "update", action: "x" },
    };
    const { code } = await refusal(call(experience, { ...inputs[step!]!, session }, { workspace }));
    if (code !== "none") expect(["conflict", "no-active-experience"]).toContain(code);
    return code === "none";
  }
});

describe("on a terminal", () => {
  it("shows all of one, and nothing that would steer it", async () => {
    const does = workspaceCalls();
    await does({ step: "start", ...attempt, goal: "\u001b[2Jclear\nthe screen" });
    await does({ step: "update", strategy: "ask-user", observed: "nothing" });
    await does({ step: "note", text: "a remark" });
    const output = await does({
      step: "resolve",
      status: "falsified",
      result: "no",
      ...reasons,
      lesson: "asking",
      takeaway: "ask first",
    });
    const show = { step: "show", path: "." } as Parameters<NonNullable<typeof experience.text>>[1];
    const text = experience.text!(output, show, false);
    expect(text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").split("\n")).toEqual([
      `${output.experience?.id}  debugging | ask-user  falsified (silver)`,
      "Goal: [2Jclear the screen",
      "Attempt 1, until TIME (read-the-error)",
      "  the cookie is cut → log its length → it is 4096",
      "  Observed: nothing",
      "Hypothesis: the cookie is cut",
      "Action: log its length",
      "Prediction: it is 4096",
      "Outcome: falsified - no",
      "Surprise: the clock was right",
      "Root cause: wrong-assumption - two proxies set the cookie",
      "Lesson: asking",
      "Takeaway: ask first",
      "Note, TIME: a remark",
      "session default, started TIME",
    ]);
  });
});
