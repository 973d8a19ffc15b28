import { describe, expect, it } from "vitest";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { contextInput } from "../../options.ts";
import { allowed, fieldsOf } from "./fields.ts";
import { readInput } from "./input.ts";
import { operation } from "./operation.ts";

const ask = operation({ name: "ask", summary: "", input: contextInput, output: z.unknown(), run: async () => null });
const byKey = new Map(fieldsOf(ask).map((field) => [field.key, field]));

function refusal(rawInput: Record<string, unknown>): { code: string; message: string } {
  try {
    readInput(ask, rawInput, (key) => `--${key}`);
  } catch (error) {
    if (error instanceof DossierError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("fields", () => {
  it("come from the schema with type, default, range, choices and sentence", () => {
    expect(byKey.get("maxTokens")).toMatchObject({ type: "integer", default: 4000, minimum: 64, maximum: 1_000_000 });
    expect(byKey.get("minScore")).toMatchObject({ type: "number", minimum: 0, maximum: 1 });
    expect(byKey.get("types")).toMatchObject({ type: "list", required: false, default: undefined });
    expect(byKey.get("types")?.choices).toContain("function");
    expect(byKey.get("query")).toMatchObject({ type: "string", required: false, default: "" });
    expect(byKey.get("field")).toMatchObject({ type: "list", whole: true });
    expect(byKey.get("tag")).toMatchObject({ type: "list", whole: false });
    expect(byKey.get("overflowFrom")?.maximum).toBeUndefined();
  });

  it("say what they take", () => {
    expect(allowed(byKey.get("maxTokens")!)).toBe("a whole number from 64 to 1000000");
    expect(allowed(byKey.get("format")!)).toBe("one of markdown, xml, plain, json");
    expect(allowed(byKey.get("overflowFrom")!)).toBe("a whole number of 0 or more");
    expect(allowed(byKey.get("paths")!)).toBe("one or more values");
  });
});

describe("input", () => {
  it("gets its defaults", () => {
    expect(readInput(ask, { query: "login" })).toMatchObject({
      query: "login",
      path: ".",
      maxTokens: 4000,
      refresh: true,
    });
  });

  it("names an empty or missing query", () => {
    for (const query of [undefined, "", "  \n\t"]) expect(refusal({ query }).code).toBe("empty-query");
  });

  it("needs no query where notes are asked for by what they are", () => {
    expect(readInput(ask, { tag: ["task"] })).toMatchObject({ query: "", tag: ["task"] });
    expect(readInput(ask, { field: ["Due<2026-12-01"], query: "" })).toMatchObject({ query: "" });
  });

  it("names the known languages where one is not", () => {
    const { code, message } = refusal({ query: "x", languages: ["python", "klingon"] });
    expect(code).toBe("bad-input");
    expect(message).toMatch(
      /^--languages knows no "klingon"\. Known are .*\bcpp, .*\bmarkdown, .*\bpython, .*\byaml, zig\.$/,
    );
    expect(refusal({ query: "x", languages: ["Pyton"] }).message).toContain("Did you mean python?");
    expect(readInput(ask, { query: "x", languages: ["go", "markdown"] })).toMatchObject({
      languages: ["go", "markdown"],
    });
  });

  it("names a budget below the smallest one", () => {
    expect(refusal({ query: "x", maxTokens: 12 })).toEqual({
      code: "budget-too-small",
      message: "A budget of 12 tokens is below the smallest possible, 64.",
    });
  });

  it("names the input, what it takes and what it was given", () => {
    expect(refusal({ query: "x", maxTokens: "many" }).message).toBe(
      '--maxTokens takes a whole number from 64 to 1000000, not "many".',
    );
    expect(refusal({ query: "x", maxTokens: 100.5 }).message).toBe(
      "--maxTokens takes a whole number from 64 to 1000000, not 100.5.",
    );
    expect(refusal({ query: "x", format: "markdwon" }).message).toBe(
      '--format takes one of markdown, xml, plain, json, not "markdwon". Did you mean markdown?',
    );
    expect(refusal({ query: "x", budget: "4000" }).message).toBe(
      '--budget takes one of hard, soft, not "4000". Did you mean --maxTokens 4000?',
    );
    expect(refusal({ query: "x", types: ["function", "clas"] }).message).toMatch(/not "clas"\. Did you mean class\?$/);
    expect(refusal({ query: "x", strategies: [] }).message).toMatch(/^--strategies takes one or more of text, /);
  });

  it("says of a list what is wrong with it: too many values, or an empty one among them", () => {
    const many = { query: "x", tag: Array.from({ length: 10_000 }, () => "a") };
    expect(refusal(many).message).toMatch(/^--tag takes at most \d+ values, not 10,000\.$/);
    expect(refusal({ query: "x", paths: ["src", ""] }).message).toBe("--paths has an empty value among its others.");
  });

  it("names an input that does not exist", () => {
    expect(refusal({ query: "x", maxToken: 100 }).message).toBe("ask takes no --maxToken. Did you mean --maxTokens?");
  });

  it("shows a huge wrong value only in part", () => {
    expect(refusal({ query: "x", format: "y".repeat(1e6) }).message.length).toBeLessThan(250);
  });
});
