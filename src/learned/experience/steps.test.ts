import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DossierError } from "../../errors.ts";
import { domains, type Experience, experienceStrategies, isActive, outcomes, rootCauses } from "../experience.ts";
import { addNote, amend, begin, capture, mostEntries, resolve, revise } from "./steps.ts";

const started = begin({
  session: "default",
  domain: "testing",
  strategy: "check-assumptions",
  goal: "a green build",
  hypothesis: "the cache is stale",
  action: "clear it",
  prediction: "npm test passes",
});
const passed = { status: "confirmed", command: "npm test", result: "npm test passed" } as const;
const failed = { status: "falsified", command: "npm test", result: "npm test failed with exit status 1" } as const;
const reasons = {
  surprise: "the cache was fresh",
  rootCause: { category: "wrong-assumption", description: "nobody had looked" },
} as const;

describe("an update", () => {
  it("keeps the former attempt with what was seen of it", () => {
    const next = revise(started, { hypothesis: "the clock is off", observed: "still red" }, 7);
    expect(next).toMatchObject({ hypothesis: "the clock is off", action: "clear it", iterations: 2 });
    expect(next.history).toEqual([
      {
        hypothesis: "the cache is stale",
        action: "clear it",
        prediction: "npm test passes",
        strategy: "check-assumptions",
        until: 7,
        observed: "still red",
      },
    ]);
  });

  it("makes an observation of a captured failure", () => {
    const next = revise(capture(started, failed, 5), { action: "pin the clock", observed: "one test of 40" }, 7);
    expect(next.outcome).toBeUndefined();
    expect(next.history[0]?.observed).toBe("npm test failed with exit status 1; one test of 40");
  });
});

describe("the tier", () => {
  it("is gold when a command decided", () => {
    expect(capture(started, passed, 1)).toMatchObject({
      tier: "gold",
      outcome: {
        status: "confirmed",
        autoCaptured: true,
        capturedAt: 1,
        command: "npm test",
        result: "npm test passed",
      },
    });
  });

  it("is gold for a captured failure, once it is explained", () => {
    const waiting = capture(started, failed, 1);
    expect(isActive(waiting)).toBe(true);
    expect(resolve(waiting, reasons, 9)).toMatchObject({
      tier: "gold",
      outcome: { status: "falsified", autoCaptured: true, capturedAt: 1, result: failed.result },
      ...reasons,
    });
  });

  it.each([
    [{ status: "confirmed", result: "green" }, "silver"],
    [{ status: "confirmed" }, "bronze"],
    [{ status: "confirmed", result: "green", afterTheFact: true }, "bronze"],
    [{ status: "falsified", result: "red", ...reasons }, "silver"],
    [{ status: "falsified", ...reasons }, "bronze"],
    [{ status: "abandoned", result: "out of time" }, "abandoned"],
    [{ status: "abandoned", afterTheFact: true }, "abandoned"],
  ] as const)("of %j is %s", (resolution, tier) => {
    expect(resolve(started, resolution, 1).tier).toBe(tier);
  });

  it("is not gold when a person overrules the command, whose word is kept", () => {
    const overruled = resolve(capture(started, failed, 1), { status: "confirmed", result: "it was flaky" }, 2);
    expect(overruled).toMatchObject({ tier: "silver", outcome: { autoCaptured: false, result: "it was flaky" } });
    expect(overruled.outcome).not.toHaveProperty("command");
    expect(overruled.notes).toEqual([{ at: 2, text: failed.result }]);
  });
});

describe("a captured failure", () => {
  it("is not undone by a later success of the same attempt", () => {
    const after = capture(capture(started, failed, 1), passed, 2);
    expect(after).toMatchObject({ outcome: { status: "falsified" }, notes: [{ at: 2, text: "npm test passed" }] });
    expect(isActive(after)).toBe(true);
  });

  it("gives way to the success of the next attempt", () => {
    const next = revise(capture(started, failed, 1), { action: "pin the clock" }, 2);
    expect(capture(next, passed, 3)).toMatchObject({ tier: "gold", outcome: { status: "confirmed" }, iterations: 2 });
  });
});

describe("what is missing is named", () => {
  const nameOf = (key: string) => `--${key}`;
  const categories = rootCauses.join(", ");

  it.each([
    [{}, "--status is missing; it takes one of confirmed, falsified, abandoned."],
    [
      { status: "falsified" },
      `A falsified experience says what surprised and why: --surprise, --rootCause (one of ${categories}) and --rootCauseDescription are missing.`,
    ],
    [
      { status: "falsified", surprise: "x", rootCause: { category: "oversight" } },
      "A falsified experience says what surprised and why: --rootCauseDescription is missing.",
    ],
    [
      { status: "falsified", rootCause: { description: "x" } },
      `A falsified experience says what surprised and why: --surprise and --rootCause (one of ${categories}) are missing.`,
    ],
    [
      { status: "confirmed", rootCause: { category: "oversight" } },
      "A root cause has a category and a description: --rootCauseDescription is missing.",
    ],
    [{ status: "confirmed", lesson: { takeaway: "x" } }, "--lesson is missing; --takeaway adds to it."],
  ] as const)("in %j", (resolution, sentence) => {
    expect(() => resolve(started, resolution, 1, nameOf)).toThrow(
      expect.objectContaining({ code: "bad-input", message: sentence }),
    );
  });
});

describe("a resolved experience", () => {
  const confirmed = capture(started, passed, 1);

  it("is not changed", () => {
    const steps: ((experience: Experience) => Experience)[] = [
      (body) => revise(body, { action: "x" }, 2),
      (body) => resolve(body, { status: "abandoned" }, 2),
      (body) => capture(body, failed, 2),
    ];
    for (const step of steps) {
      expect(() => step(confirmed)).toThrow(
        expect.objectContaining({
          code: "already-resolved",
          message: "This experience is already resolved as confirmed (gold).",
        }),
      );
    }
  });

  it("gets the reasons that it lacks, once each", () => {
    const lesson = amend(confirmed, { lesson: { whatWorked: "clearing it" } });
    const whole = amend(lesson, { lesson: { takeaway: "clear it first" }, ...reasons });
    expect(whole).toEqual({
      ...confirmed,
      ...reasons,
      lesson: { whatWorked: "clearing it", takeaway: "clear it first" },
    });
    for (const again of [{ lesson: { whatWorked: "x" } }, { lesson: { takeaway: "x" } }, reasons])
      expect(() => amend(whole, again)).toThrow(expect.objectContaining({ code: "already-resolved" }));
  });

  it("is the only kind that is amended", () => {
    expect(() => amend(started, reasons)).toThrow(expect.objectContaining({ code: "conflict" }));
  });

  it("takes notes", () => {
    expect(addNote(confirmed, "seen again", 3).notes).toEqual([{ at: 3, text: "seen again" }]);
  });
});

it("keeps so many notes and attempts, and refuses more", () => {
  let body = started;
  for (let at = 0; at < mostEntries; at++) body = addNote(revise(body, { action: "again" }, at), "again", at);
  expect(() => addNote(body, "x", 1)).toThrow(expect.objectContaining({ code: "too-long" }));
  expect(() => revise(body, { action: "x" }, 1)).toThrow(expect.objectContaining({ code: "too-long" }));
  const overruled = resolve(capture(body, failed, 1), { status: "abandoned" }, 2);
  expect(overruled.tier).toBe("abandoned");
});

describe("any sequence of steps", () => {
  const text = fc.string({ minLength: 1, maxLength: 20 });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const some = fc.record({
    surprise: maybe(text),
    rootCause: maybe(fc.record({ category: maybe(fc.constantFrom(...rootCauses)), description: maybe(text) })),
    lesson: maybe(fc.record({ whatWorked: maybe(text), takeaway: maybe(text) })),
  });
  const step: fc.Arbitrary<(body: Experience, now: number) => Experience> = fc.oneof(
    fc
      .record({
        hypothesis: maybe(text),
        action: maybe(text),
        strategy: maybe(fc.constantFrom(...experienceStrategies)),
        observed: maybe(text),
      })
      .map((revision) => (body: Experience, now: number) => revise(body, revision, now)),
    fc
      .tuple(
        some,
        fc.record({
          status: maybe(fc.constantFrom(...outcomes)),
          result: maybe(text),
          afterTheFact: maybe(fc.boolean()),
        }),
      )
      .map(
        ([explained, stated]) =>
          (body: Experience, now: number) =>
            resolve(body, { ...explained, ...stated }, now),
      ),
    some.map((explained) => (body: Experience) => amend(body, explained)),
    text.map((note) => (body: Experience, now: number) => addNote(body, note, now)),
    fc.constantFrom(passed, failed).map((verdict) => (body: Experience, now: number) => capture(body, verdict, now)),
  );
  const beginning = fc.record({
    session: text,
    domain: fc.constantFrom(...domains),
    strategy: fc.constantFrom(...experienceStrategies),
    goal: text,
    hypothesis: text,
    action: text,
    prediction: text,
  });

  it("keeps the invariants, and what is refused changes nothing", () => {
    let resolved = 0;
    fc.assert(
      fc.property(beginning, fc.array(step, { maxLength: 12 }), (from, steps) => {
        let body = begin(from);
        for (const [now, take] of steps.entries()) {
          const before = JSON.stringify(body);
          const next = tryStep(() => take(body, now)) ?? body;
          expect(JSON.stringify(body)).toBe(before);
          holds(next);
          if (!isActive(body)) expect(core(next)).toEqual(core(body));
          expect(next.notes.slice(0, body.notes.length)).toEqual(body.notes);
          expect(next.history.slice(0, body.history.length)).toEqual(body.history);
          body = next;
        }
        if (!isActive(body)) resolved++;
      }),
      { numRuns: 500 },
    );
    expect(resolved).toBeGreaterThan(50);
  });

  /** Undefined when the step was refused; anything but a named refusal is a fault. */
  function tryStep(step: () => Experience): Experience | undefined {
    try {
      return step();
    } catch (error) {
      if (error instanceof DossierError) return undefined;
      throw error;
    }
  }

  function holds(body: Experience): void {
    expect(body.iterations).toBe(body.history.length + 1);
    expect(body).toEqual(JSON.parse(JSON.stringify(body)));
    const { outcome, tier, surprise, rootCause, lesson } = body;
    if (tier === undefined) {
      // Only a captured failure waits, and nothing is explained before the end.
      if (outcome) expect(outcome).toMatchObject({ status: "falsified", autoCaptured: true });
      expect([surprise, rootCause, lesson]).toEqual([undefined, undefined, undefined]);
      return;
    }
    if (outcome?.status === "falsified") expect([typeof surprise, typeof rootCause]).toEqual(["string", "object"]);
    expect(tier === "abandoned").toBe(outcome?.status === "abandoned");
    if (tier === "gold") expect(outcome).toMatchObject({ autoCaptured: true, command: "npm test" });
    if (tier === "silver") expect(outcome).toMatchObject({ autoCaptured: false, result: expect.any(String) });
    if (rootCause) expect(Object.keys(rootCause)).toEqual(["category", "description"]);
    if (lesson) expect(lesson.whatWorked).toBeTypeOf("string");
  }

  /** What never changes again. */
  function core({ notes: _notes, surprise: _surprise, rootCause: _rootCause, lesson: _lesson, ...rest }: Experience) {
    return rest;
  }
});
