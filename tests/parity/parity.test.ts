import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../src/operations/core/operation.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { isDocument } from "../../src/surfaces/mcp/tools/document.ts";
import { calls, commandLineOnly, type Earlier, mistakes } from "./calls.ts";
import { type Neutral, neutralFor, sentenceOf } from "./differences.ts";
import { type Fixture, makeFixture } from "./fixture.ts";
import { openAgent, openCommandLine, openLibrary, openService, type Surface, type SurfaceAnswer } from "./surfaces.ts";

/** Every operation through library, command line, MCP and HTTP, each in its own copy of one workspace. */

const operations = new Map((await allOperations()).map((operation) => [operation.name, operation]));
const operationOf = ({ operation }: { operation: string }): Operation => operations.get(operation)!;

const opening = { library: openLibrary, "command line": openCommandLine, MCP: openAgent, HTTP: openService };
type Name = keyof typeof opening;
const others = ["command line", "MCP", "HTTP"] as const;

const atOnce = 4;

/**
 * `neutral` numbers what is drawn by lot as it comes; `besideAgent` for what is compared with an agent, who is not
 * given all of it.
 */
type Run = { answers: SurfaceAnswer[]; failures: SurfaceAnswer[]; neutral: Neutral; besideAgent: Neutral };

let fixture: Fixture;
const runs = {} as Record<Name, Run>;

beforeAll(async () => {
  fixture = await makeFixture();
  const began = Date.now();
  const run = async (name: Name, library?: Named) => {
    const place = fixture.place(name.replace(" ", "-"));
    const surface = await opening[name](place);
    try {
      const answers = await answersOf(surface, library);
      const neutral = () => neutralFor(place, fixture.ids, began);
      runs[name] = { ...answers, failures: await failuresOf(surface), neutral: neutral(), besideAgent: neutral() };
      return answers.named;
    } finally {
      await surface.close();
    }
  };
  // First by itself: the command line runs in this process, too, and both have their home from its environment.
  const named = await run("library");
  await Promise.all(others.map((name) => run(name, named)));
}, 600_000);
afterAll(() => fixture?.remove());

type Named = Record<string, unknown>;

/** One after the other. Some are about answers of the library: all surfaces must be given the same. */
async function answersOf(surface: Surface, library?: Named): Promise<{ answers: SurfaceAnswer[]; named: Named }> {
  const named: Named = {};
  const answers: SurfaceAnswer[] = [];
  for (const { operation, input, as } of calls) {
    const resolvedInput =
      typeof input === "function" ? input({ own: named, library: library ?? named } as Earlier) : input;
    const answer = await surface.call(operations.get(operation)!, resolvedInput);
    if (as !== undefined) named[as] = answer.data;
    answers.push(answer);
  }
  return { answers, named };
}

/** These change nothing, so that several may be tried at once. */
async function failuresOf(surface: Surface): Promise<SurfaceAnswer[]> {
  const failures: SurfaceAnswer[] = [];
  for (let at = 0; at < mistakes.length; at += atOnce) {
    const tried = mistakes.slice(at, at + atOnce);
    failures.push(...(await Promise.all(tried.map((each) => surface.call(operationOf(each), each.input)))));
  }
  return failures;
}

it("is tried with every operation, or says why only the command line has it", () => {
  const offered = [...operations.values()].filter(({ onlyOn }) => onlyOn === undefined).map(({ name }) => name);
  const tried = new Set<string>(calls.map(({ operation }) => operation));
  expect(offered.filter((name) => !tried.has(name))).toEqual([]);
  const kept = [...operations.values()].filter(({ onlyOn }) => onlyOn === "cli").map(({ name }) => name);
  expect(Object.keys(commandLineOnly).sort()).toEqual(kept.sort());
});

const titled = calls.map((call, at) => ({
  ...call,
  at,
  title: `${call.operation} ${typeof call.input === "function" ? "of an earlier answer" : JSON.stringify(call.input)}`,
}));

describe.each(titled)("$title", ({ operation, at }) => {
  const dataOf = (name: Name, by: "neutral" | "besideAgent" = "neutral") => {
    const { answers, [by]: neutral } = runs[name];
    expect(answers[at]!.failure).toBeUndefined();
    return neutral.data(answers[at]!.data);
  };

  it.each(["command line", "HTTP"] as const)("gives on the %s what the library gives", (name) => {
    expect(dataOf(name)).toEqual(dataOf("library"));
  });

  it("gives an agent the same, and the same to read", () => {
    // Of a document agents are given the text alone, and of what writes the data alone.
    expect(runs.MCP.answers[at]!.failure).toBeUndefined();
    if (!isDocument({ name: operation }))
      expect(dataOf("MCP", "besideAgent")).toEqual(dataOf("library", "besideAgent"));
    if (runs.MCP.answers[at]!.text === undefined) return;
    const [said, read] = [runs.library, runs.MCP].map(({ answers, besideAgent }) =>
      besideAgent.text(answers[at]!.text!),
    );
    expect(read!.slice(0, said!.length)).toBe(said);
    const added = read!
      .slice(said!.length)
      .split("\n")
      .filter((line) => line !== "");
    expect(added.filter((line) => !/^(?:Warning|bundle): /.test(line))).toEqual([]);
  });
});

describe("what is wrong", () => {
  it.each(mistakes.map((mistake, at) => ({ ...mistake, at })))("$operation $code $input", (mistake) => {
    const operation = operationOf(mistake);
    const [expected, ...told] = (["library", ...others] as Name[]).map((name) => {
      const { code, message } = runs[name].failures[mistake.at]!.failure ?? { code: "none", message: "" };
      const sentence = sentenceOf(operation, runs[name].neutral.text(message));
      return { code, sentence: mistake.ownSentence ? "" : sentence };
    });
    expect(expected!.code).toBe(mistake.code);
    expect(told).toEqual([expected, expected, expected]);
  });
});
