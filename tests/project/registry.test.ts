import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as library from "../../src/index.ts";
import { fieldsOf } from "../../src/operations/core/fields.ts";
import { allOperations, isOperationName, operationNames } from "../../src/operations/core/registry.ts";
import { flagsOf } from "../../src/surfaces/cli/command-flags.ts";
import { globalFlags } from "../../src/surfaces/cli/flags.ts";
import { ownCommands } from "../../src/surfaces/cli/route.ts";

const operations = await allOperations();

describe("the registry", () => {
  it("holds every operation under the operation's own name", () => {
    expect(operations.map(({ name }) => name)).toEqual(operationNames);
    for (const name of ["context", "search", "index", "status", "why", "verify", "doctor"])
      expect(operationNames).toContain(name);
  });

  it("does not take a word that objects are born with for a command", () => {
    expect(isOperationName("constructor")).toBe(false);
    expect(isOperationName("__proto__")).toBe(false);
  });

  it("gives the library a function for every operation", () => {
    // Words of the language cannot be names of functions.
    const reserved: Record<string, string> = { export: "exportRecords", import: "importRecords", eval: "evaluate" };
    const camel = (name: string) =>
      reserved[name] ?? name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const functions = library as unknown as Record<string, unknown>;
    const offered = operations.filter(({ onlyOn }) => onlyOn === undefined).map(({ name }) => name);
    expect(offered.filter((name) => typeof functions[camel(name)] !== "function")).toEqual([]);
  });

  it("has no operation that hides one of the command line's own commands", () => {
    expect(operationNames.filter((name) => (ownCommands as readonly string[]).includes(name))).toEqual([]);
  });
});

describe.each(operations)("operation $name", (operation) => {
  const fields = fieldsOf(operation);

  it("says in one sentence what it does", () => {
    expect(operation.summary).toMatch(/^[A-Z][^\n]{10,140}[^.\s]$/);
  });

  it("has a sentence for every input", () => {
    expect(fields.filter(({ description }) => description.length < 8).map(({ key }) => key)).toEqual([]);
  });

  it("has defaults that its own schema accepts", () => {
    const required = fields
      .filter((field) => field.required)
      .map(({ key, type, choices: [value] = ["x"] }) => [key, type === "list" ? [value] : value]);
    const input = operation.input.parse(Object.fromEntries(required));
    expect(operation.input.parse(input)).toEqual(input);
  });

  it("takes a workspace path", () => {
    expect(fields.map(({ key }) => key)).toContain("path");
  });

  it("gives places only to inputs it has", () => {
    const keys = fields.map(({ key }) => key);
    expect((operation.positional ?? []).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it("has flags that do not collide with each other or with the global ones", () => {
    const flags = [...flagsOf(operation), ...globalFlags];
    const spellings = flags.flatMap(({ name, short }) => (short ? [name, `-${short}`] : [name]));
    expect(spellings.filter((spelling, at) => spellings.indexOf(spelling) !== at)).toEqual([]);
    expect(flags.filter(({ name }) => name.startsWith("no-"))).toEqual([]);
  });

  it("shows how to call it, in commands that exist", () => {
    expect(operation.examples?.length).toBeGreaterThan(0);
    for (const { command } of operation.examples!) expect(command).toMatch(/(^|\| )(dossier|npm start --) /);
  });

  it("has an output that can be described as JSON Schema", () => {
    expect(z.toJSONSchema(operation.output)).toHaveProperty("type");
  });
});

it("registers every file that defines an operation", () => {
  const folder = new URL("../../src/operations/", import.meta.url);
  const defining = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && / = operation\(\{/.test(readFileSync(new URL(name, folder), "utf8")),
  );
  expect(defining.length).toBe(operations.length);
});

it("lets nobody but the command line run commands", () => {
  const run = operations.find(({ name }) => name === "run");
  expect(run?.onlyOn).toBe("cli");
  expect(library).not.toHaveProperty("run");
});
