import fc from "fast-check";
import type { RecordWrite } from "../stores/records.ts";
import { axes, domains, experienceStrategies, outcomes, rootCauses, tiers } from "./experience.ts";
import { categories } from "./memory.ts";

/** Arbitrary records as they may be stored: any text, including lone surrogates and line ends. */

const character = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "\n",
      "\r\n",
      "\t",
      "\u0000",
      "\u2028",
      "\ud800",
      "\udfff",
      '"',
      "\\",
      "\ufeff",
      "é",
      "e\u0301",
    ),
  },
);
const text = (longest: number) =>
  fc.array(character, { minLength: 1, maxLength: 30 }).map((all) => `x${all.join("")}`.slice(0, longest));
const milliseconds = fc.integer({ min: -62_198_755_200_000, max: 8_640_000_000_000_000 });
const hash = fc.stringMatching(/^[0-9a-z]{13}$/);
const anchor = fc.record(
  {
    beside: text(20),
    name: text(50),
    sketch: text(20),
    path: text(50),
    hash,
    item: text(20),
  },
  { requiredKeys: ["name", "path", "hash"] },
);
const anchors = fc.array(anchor, { minLength: 1, maxLength: 2 });
const number = fc.double({ min: 0, max: 1, noNaN: true });

const memory = fc.record(
  {
    content: text(10_000),
    category: fc.constantFrom(...categories),
    importance: number,
    tags: fc.array(text(60), { maxLength: 4 }),
    supersedes: hash.map((id) => `mem-${id}`),
    anchors,
    fromTheFuture: fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__")),
  },
  { requiredKeys: ["content", "category", "importance", "tags"] },
);

const attempt = {
  strategy: fc.constantFrom(...experienceStrategies),
  prediction: text(1000),
  action: text(1000),
  hypothesis: text(1000),
};
const experience = fc.record(
  {
    anchors,
    notes: fc.array(fc.record({ text: text(2000), at: milliseconds }), { maxLength: 2 }),
    tier: fc.constantFrom(...tiers),
    lesson: fc.record({ takeaway: text(2000), whatWorked: text(2000) }, { requiredKeys: ["whatWorked"] }),
    rootCause: fc.record({ description: text(2000), category: fc.constantFrom(...rootCauses) }),
    surprise: text(2000),
    outcome: fc.record(
      {
        autoCaptured: fc.boolean(),
        status: fc.constantFrom(...outcomes),
        result: text(2000),
        capturedAt: milliseconds,
        command: text(200),
      },
      { requiredKeys: ["autoCaptured", "status", "capturedAt"] },
    ),
    iterations: fc.integer({ min: 1, max: 9 }),
    history: fc.array(
      fc.record(
        { ...attempt, until: milliseconds, observed: text(2000) },
        { requiredKeys: [...keysOf(attempt), "until"] },
      ),
      { maxLength: 2 },
    ),
    goal: text(1000),
    session: fc.constantFrom("default", "one", "two"),
    domain: fc.constantFrom(...domains),
    ...attempt,
  },
  { requiredKeys: ["notes", "iterations", "history", "goal", "session", "domain", ...keysOf(attempt)] },
);

const value = fc.record({
  state: fc.constantFrom("valid", "moved"),
  text: text(500),
  axis: fc.constantFrom(...axes),
  members: fc.array(
    hash.map((id) => `exp-${id}`),
    { maxLength: 3 },
  ),
  distance: number,
  threshold: number,
  validatedAt: milliseconds,
});

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[];
}

export const anyRecord: fc.Arbitrary<RecordWrite> = fc
  .record({
    created: milliseconds,
    changed: milliseconds,
    hash,
    kind: fc.oneof(
      fc.record({ type: fc.constant("memory" as const), prefix: fc.constant("mem"), body: memory }),
      fc.record({ type: fc.constant("experience" as const), prefix: fc.constant("exp"), body: experience }),
      fc.record({ type: fc.constant("value" as const), prefix: fc.constant("val"), body: value }),
    ),
  })
  .map(({ created, changed, hash, kind: { type, prefix, body } }) => ({
    id: `${prefix}-${hash}`,
    type,
    created,
    changed,
    // The value as JSON stores it: JSON has no minus zero.
    body: JSON.parse(JSON.stringify(body)) as unknown,
  }));
