import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operation } from "../../operations/core/operation.ts";
import { contextInput } from "../../options.ts";
import { flagsOf } from "./command-flags.ts";
import { parse } from "./parse.ts";

const ask = operation({
  name: "ask",
  summary: "",
  input: contextInput,
  positional: ["query"],
  output: z.unknown(),
  run: async () => null,
});
const flags = flagsOf(ask);
const values = (...args: string[]) => Object.fromEntries(parse("ask", args, flags).values);

describe("flags", () => {
  it("read numbers, choices, lists and switches", () => {
    expect(values("--max-tokens", "500", "--min-score=.5", "-f", "xml")).toEqual({
      "max-tokens": 500,
      "min-score": 0.5,
      format: "xml",
    });
    expect(values("--types", "function, class", "--types=method")).toEqual({ types: ["function", "class", "method"] });
    expect(values("--no-refresh", "--expand")).toEqual({ refresh: false, expand: true });
    expect(values("--refresh=false")).toEqual({ refresh: false });
    expect(values("--max-tokens", "10_000")).toEqual({ "max-tokens": 10000 });
  });

  it("keep what is no number for the schema to name", () => {
    expect(values("--max-tokens", "many", "--limit", "")).toEqual({ "max-tokens": "many", limit: "" });
    expect(values("--max-tokens", "-5")).toEqual({ "max-tokens": -5 });
  });

  it("are no sentences that begin with a flag, as messages do", () => {
    for (const message of ["-P/--parallel cannot be used with --cache false", "--cache-root cannot be used = false"])
      expect(parse("ask", [message, "--limit", "3"], flags)).toEqual({
        values: new Map([["limit", 3]]),
        words: [message],
      });
    expect(() => parse("ask", ["--zzz=a b"], flags)).toThrow("has no flag --zzz");
  });

  it("leave the other words in order, and everything after --", () => {
    expect(parse("ask", ["how", "--limit", "3", "is", "it", "--", "--done?"], flags).words).toEqual([
      "how",
      "is",
      "it",
      "--done?",
    ]);
  });

  it.each([
    ["--max-token 5", "dossier ask has no flag --max-token. Did you mean --max-tokens?"],
    ["--tokens 4000", "dossier ask has no flag --tokens. Did you mean --max-tokens?"],
    ["--token-budget=4000", "dossier ask has no flag --token-budget. Did you mean --max-tokens?"],
    ["--top-k 5", "dossier ask has no flag --top-k. Did you mean --limit?"],
    ["--no-limit", "dossier ask has no flag --no-limit. Did you mean --limit?"],
    ["--zzzzzzz", "dossier ask has no flag --zzzzzzz."],
    ["-x", "dossier ask has no flag -x."],
    ["--limit", "--limit needs a value after it."],
    ["--refresh=maybe", '--refresh takes true or false, not "maybe".'],
    ["--no-refresh=1", "--no-refresh takes no value."],
  ])("refuse %s", (line, sentence) => {
    expect(() => parse("ask", line.split(" "), flags)).toThrow(sentence);
  });

  it("says how a text that begins with a dash is asked", () => {
    expect(() => parse("context", ["--fail-hook"], flags)).toThrow(
      "dossier context has no flag --fail-hook. What begins with a dash is asked after --.",
    );
  });

  it("are not suggested by another name to a command without them", () => {
    expect(() => parse("ask", ["--tokens", "4000"], [])).toThrow(/has no flag --tokens\.$/);
  });

  it("take no words that objects are born with", () => {
    expect(() => parse("ask", ["--constructor"], flags)).toThrow("has no flag --constructor");
    expect(() => parse("ask", ["--__proto__"], flags)).toThrow("has no flag --__proto__");
  });
});
