import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../../operations/core/fields.ts";
import { allOperations } from "../../../operations/core/registry.ts";
import { tokenCounter } from "../../../text/tokens/tokens.ts";
import { instructions } from "../instructions.ts";
import { offeredTo } from "./allowed-tools.ts";
import { listingOf, withheld } from "./listing.ts";
import { camelCase, snakeCase } from "./snake-case.ts";

const { count } = tokenCounter("o200k_base");
const operations = await allOperations();
const listed = listingOf(operations);

describe("the tools", () => {
  it("are nine unless all are asked for, and cost at most 1,500 tokens to list", () => {
    expect(listed.default.map(({ name }) => name)).toEqual([
      "context_query",
      "assemble_context",
      "open",
      "get_premortem_context",
      "tana_context",
      "remember",
      "experience",
      "feedback",
      "why",
    ]);
    expect(count(JSON.stringify({ tools: listed.default }))).toBeLessThanOrEqual(1500);
  });

  it("show all that a memory can be, and how an earlier attempt is gone on with", () => {
    const inputsOf = (name: string) =>
      Object.keys(listed.default.find((tool) => tool.name === name)!.inputSchema.properties);
    expect(inputsOf("remember")).toEqual(expect.arrayContaining(["supersedes", "pin", "scope", "until"]));
    expect(inputsOf("experience")).toEqual(expect.arrayContaining(["id", "text"]));
  });

  it("are every operation that is not for the command line alone, when all are asked for", () => {
    const offered = operations.filter(({ onlyOn }) => onlyOn === undefined).map(({ name }) => name);
    expect(listed.all.map(({ name }) => name)).toEqual(offered);
    expect(listed.all.map(({ name }) => name)).not.toContain("serve");
  });

  it("show inputs in snake case, that are the operation's own again in camel case, and never a path", () => {
    for (const { name, inputSchema } of [...listed.default, ...listed.all]) {
      const operation = operations.find((each) => each.name === name)!;
      const keys = fieldsOf(operation).map(({ key }) => key);
      for (const input of Object.keys(inputSchema.properties)) {
        if (["project", "cursor", "format"].includes(input)) continue;
        expect(keys, `${name} ${input}`).toContain(camelCase(input));
        expect(withheld).not.toContain(input);
        expect(snakeCase(camelCase(input))).toBe(input);
      }
      expect(inputSchema.required ?? []).toEqual(
        fieldsOf(operation)
          .filter(({ required }) => required)
          .map(({ key }) => snakeCase(key)),
      );
      expect(keys).not.toContain("cursor");
      expect(keys).not.toContain("project");
    }
  });

  it("declare no schema of an answer: clients that see one give the model data instead of the document", () => {
    for (const tool of [...listed.default, ...listed.all]) expect(tool, tool.name).not.toHaveProperty("outputSchema");
  });

  it("say when to use which of the two that assemble", () => {
    const descriptionOf = (name: string) => listed.default.find((tool) => tool.name === name)!.description;
    expect(descriptionOf("context_query")).toContain("assemble_context");
    expect(descriptionOf("assemble_context")).toContain("context_query");
  });

  it("say all four of what a client must know before it allows a call", () => {
    const hints = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];
    for (const { name, annotations } of [...listed.default, ...listed.all]) {
      expect(Object.keys(annotations).sort(), name).toEqual(hints);
      if (annotations.readOnlyHint) expect(annotations, name).toMatchObject({ destructiveHint: false });
    }
    const of = (name: string) => listed.all.find((tool) => tool.name === name)!.annotations;
    expect(of("open")).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(of("forget")).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(of("remember")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(of("tana_context")).toMatchObject({ readOnlyHint: true, openWorldHint: true });
  });

  it("take data as a format, each of them", () => {
    for (const { name, inputSchema } of listed.all) {
      expect((inputSchema.properties.format as { enum?: string[] }).enum, name).toContain("json");
    }
  });

  it("are offered from afar by the scope of the key, without a choice of project", () => {
    const to = (scope: "read" | "write" | "admin") =>
      offeredTo({ from: "remote", caller: { owner: "ada", scope } }, listed.all, listed.access);
    const names = (scope: "read" | "write" | "admin") => to(scope).map(({ name }) => name);
    expect(names("read")).toContain("context_query");
    expect(names("read")).not.toContain("remember");
    expect(names("write")).toContain("remember");
    expect(names("write")).not.toContain("index");
    expect(names("admin")).toEqual(listed.all.map(({ name }) => name));
    expect(to("admin").some(({ inputSchema }) => "project" in inputSchema.properties)).toBe(false);
  });
});

describe("the instructions", () => {
  it("cost at most 400 tokens, and name only tools that are offered", () => {
    expect(count(instructions)).toBeLessThanOrEqual(400);
    const names = operations.map(({ name }) => name).filter((name) => name.includes("_"));
    const mentioned = names.filter((name) => instructions.includes(name));
    expect(mentioned.length).toBeGreaterThan(2);
    for (const name of mentioned) expect(listed.default.map((tool) => tool.name)).toContain(name);
  });
});
