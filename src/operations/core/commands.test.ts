import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTablePage } from "../../../scripts/command-table.ts";
import { flagsOf, placeKeys } from "../../surfaces/cli/command-flags.ts";
import { ownCommands } from "../../surfaces/cli/route.ts";
import { commandCalled, commands, commandsOf, isNoun, nouns, verbs } from "./commands.ts";
import { fieldsOf } from "./fields.ts";
import { groups } from "./operation.ts";
import { allOperations, operationNames } from "./registry.ts";

const operations = await allOperations();
const stepsOf = (operation: (typeof operations)[number]) =>
  fieldsOf(operation).find(({ key }) => key === "step")?.choices ?? [];

/** What people typed before commands had nouns; scripts of theirs go on working. */
const formerNames =
  "context search index status why item open verify diff eval model tana_context prime_context context_stats context_query assemble_context get_premortem_context notes connect disconnect lenses remember memories edit memory capture forget restore export import documents put_document put_documents get_document move_document delete_document restore_document threads thread say import_thread references mentions feedback cited experience experiences clusters value values run history authors churn workspaces name_workspace unname_workspace doctor serve mcp hook keys".split(
    " ",
  );

const formerSteps: Record<string, string[]> = {
  thread: ["create", "show", "rename", "branch", "delete", "restore"],
  references: ["list", "add", "remove"],
  experience: "start update note resolve abandon record amend show active list resume".split(" "),
  value: ["propose", "check", "add", "show", "revalidate", "forget"],
  model: ["status", "add", "use", "remove"],
  memory: ["drafts", "accept", "drop"],
  keys: ["list", "create", "revoke"],
};

describe("the commands", () => {
  it("are in the table as the operations state them (npm run docs rewrites)", async () => {
    expect(readFileSync("src/operations/core/command-table.ts", "utf8")).toBe(await commandTablePage());
  });

  it.each(operations)("have $name, in a group", (operation) => {
    const own = commands.filter((entry) => entry.operation === operation.name);
    expect(own.map(({ step }) => step)).toEqual(stepsOf(operation).length > 0 ? stepsOf(operation) : [undefined]);
    expect(groups).toContain(operation.group);
  });

  it("are one verb, or a noun with a verb, without underscores", () => {
    for (const { words, shortForm = "none" } of commands) {
      expect(words).toMatch(/^[a-z]+( [a-z]+)?$/);
      expect(shortForm).toMatch(/^[a-z]+$/);
      if (words.includes(" ")) expect(Object.keys(nouns)).toContain(words.split(" ")[0]);
    }
    for (const noun of Object.keys(nouns)) expect(commandsOf(noun).length).toBeGreaterThan(0);
  });

  it("mean one thing each", () => {
    const all = [...commands.flatMap(({ words, shortForm = [] }) => [words, shortForm].flat()), ...ownCommands];
    expect(all.filter((words, at) => all.indexOf(words) !== at)).toEqual([]);
    expect(verbs.filter(({ words }) => isNoun(words))).toEqual([]);
    for (const { words, operation, step } of commands)
      expect(commandCalled(words.split(" "))).toEqual({ words, operation, step, used: words.split(" ").length });
  });

  it("stand for a noun alone where it says so", () => {
    for (const [noun, { alone }] of Object.entries(nouns)) expect(commandCalled([noun])?.words).toBe(alone);
  });

  it("are not words that objects are born with", () => {
    expect(commandCalled(["constructor"])).toBeUndefined();
    expect(commandCalled(["memory", "constructor"])).toBeUndefined();
    expect(isNoun("__proto__")).toBe(false);
  });
});

describe("former names", () => {
  it("are names of operations", () => {
    expect(formerNames.filter((name) => !operationNames.includes(name as never))).toEqual([]);
  });

  it.each(formerNames.filter((name) => !isNoun(name)))("%s is understood", (name) => {
    expect(commandCalled([name])).toMatchObject({ operation: name, used: 1 });
    const others = formerSteps[name] ? [] : [name, "other"];
    if (others.length > 0) expect(commandCalled(others)).toMatchObject({ operation: name, used: 1 });
  });

  it.each(Object.entries(formerSteps).flatMap(([name, steps]) => steps.map((step) => [name, step] as const)))(
    "%s %s is understood",
    (operation, step) => {
      expect(commandCalled([operation, step, "more"])).toMatchObject({ operation, step, used: 2 });
    },
  );

  it("take the words that nouns take now", () => {
    expect(commandCalled(["notes", "Ada"])).toMatchObject({ operation: "notes", used: 1 });
    expect(commandCalled(["item", "cod-1k3f"])).toMatchObject({ operation: "item", used: 1 });
  });
});

describe.each(operations.filter((operation) => stepsOf(operation).length > 0))("the steps of $name", (operation) => {
  const everywhere = ["step", "path", "workspace"];
  const takes = operation.takes ?? {};
  const stepInputs = Object.values(takes).flatMap(({ needs, may }) => [...needs, ...may]);
  const keys = fieldsOf(operation).map(({ key }) => key);

  it("say which inputs they take, and leave out none", () => {
    expect(Object.keys(takes)).toEqual(stepsOf(operation));
    expect(stepInputs.filter((key) => !keys.includes(key))).toEqual([]);
    expect(keys.filter((key) => !stepInputs.includes(key) && !everywhere.includes(key))).toEqual([]);
  });

  it("have a place or a flag for every input they take", () => {
    for (const [step, { needs, may }] of Object.entries(takes)) {
      const offered = [...placeKeys(operation, step), ...flagsOf(operation, step).map(({ field }) => field!.key)];
      expect([...needs, ...may].filter((key) => !offered.includes(key))).toEqual([]);
      expect(offered).not.toContain("step");
    }
  });
});

describe("sentences", () => {
  /** `dossier <words>` in what people read: not where a value or a flag follows, nor in the names of files. */
  const commandsIn = (text: string) =>
    [...text.matchAll(/(?<![\w/."-])dossier ((?:[a-z_]+)(?: [a-z]+)?)(?![\w.])/g)].map(([, words]) => words!);
  /** Where the program itself is spoken of. */
  const prose = ["and", "less", "printed"];
  const isShown = (words: string) => {
    const [first = "", second] = words.split(" ");
    const shown = [...commands.flatMap(({ words, shortForm = [] }) => [words, shortForm].flat()), ...ownCommands];
    if (isNoun(first)) return second === undefined || shown.includes(words) || first === "notes" || first === "item";
    return shown.includes(first) || prose.includes(first);
  };

  it("of operations show commands by the names that are offered", () => {
    const lines = operations.flatMap(({ examples = [], summary }) => [
      summary,
      ...examples.map(({ command }) => command),
    ]);
    expect(lines.flatMap(commandsIn).filter((words) => !isShown(words))).toEqual([]);
  });

  it("anywhere in the sources do, too", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) =>
      /(?<!\.test)\.ts$/.test(path),
    );
    const wrong = files.flatMap((path) =>
      readFileSync(join("src", path), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
        .flatMap(commandsIn)
        .filter((words) => !isShown(words))
        .map((words) => `${path}: ${words}`),
    );
    expect(wrong).toEqual([]);
  });
});
