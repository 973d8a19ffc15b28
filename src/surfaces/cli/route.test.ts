import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandsOf, nouns } from "../../operations/core/commands.ts";
import { route, wantsHelp } from "./route.ts";
import { typoWarning } from "./typo.ts";

const follow = (line: string) => route(line === "" ? [] : line.split(" "));

/** `memory add: x y`, or `asks: memory leaks`. */
function read(line: string): string {
  const to = follow(line);
  if (to.to !== "operation") return to.to === "noun" ? `page of ${to.noun}` : to.to;
  return `${to.isNamed ? to.called.words : "asks"}: ${to.args.join(" ")}`;
}

describe("the route", () => {
  it.each([
    ["", { to: "overview" }],
    ["--help", { to: "overview" }],
    ["--version", { to: "version" }],
    ["-C somewhere --version", { to: "version" }],
    ["help index", { to: "help", args: ["index"] }],
    ["completion zsh", { to: "completion", args: ["zsh"] }],
    ["memory --help", { to: "noun", noun: "memory" }],
    ["--json item", { to: "noun", noun: "item" }],
  ])("of %j", (line, expected) => {
    expect(follow(line)).toEqual(expected);
  });

  it.each([
    ["--json -C there search login", "search: --json -C there login"],
    ["memory add fact", "memory add: fact"],
    ["-C there memory --json add fact", "memory add: -C there --json fact"],
    ["thread --title Plan new", "thread new: --title Plan"],
    ["remember fact", "memory add: fact"],
    ["memory add --help", "memory add: --help"],
    ["memory", "memory list: "],
    ["memory --limit 3", "memory list: --limit 3"],
    ["experience", "experience active: "],
    ["model", "model status: "],
    ["key", "key list: "],
  ])("takes %j for a command", (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  it.each([
    ["put_document a b", "doc put: a b"],
    ["thread create Plan", "thread new: Plan"],
    ["keys", "keys: "],
    ["keys create app", "key create: app"],
    ["thread --json --title=Plan -- create", "thread new: --json --title=Plan --"],
    ["references add thr-1 notes/", "thread attach: thr-1 notes/"],
    ["assemble_context task", "brief: task"],
    ["notes Ada", "notes list: Ada"],
    ["item cod-1k3f", "item show: cod-1k3f"],
  ])("understands %j, as it was called", (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  it.each([
    "how is it",
    "--max-tokens 5 login",
    "constructor",
    "-",
    "memory leaks in the parser",
    "thread pool size",
    "key rotation",
    "doc comments of the scanner",
    "value of the default budget",
    "-- memory add",
    "-- search login",
  ])("takes %j for a question", (line) => {
    expect(read(line)).toBe(`asks: ${line}`);
  });

  it("takes whatever is in quotes for a question", () => {
    expect(route(["memory add"])).toMatchObject({ called: { operation: "context" }, isNamed: false });
    expect(route(["context", "memory", "add"])).toMatchObject({ called: { operation: "context" }, isNamed: true });
  });

  it("takes a noun for a command exactly when one of its verbs follows, or nothing", () => {
    const noun = fc.constantFrom(...Object.keys(nouns).filter((each) => each !== "notes" && each !== "item"));
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 3 });
    fc.assert(
      fc.property(noun, words, (first, others) => {
        const isVerb = commandsOf(first).some(({ words, operation, step }) => {
          const names = [words, ...(operation === first ? [`${operation} ${step}`] : [])];
          return names.includes(`${first} ${others[0]}`);
        });
        expect(route([first, ...others])).toMatchObject({ isNamed: others.length === 0 || isVerb });
      }),
    );
  });

  it("sees a wish for help anywhere before --", () => {
    expect(wantsHelp(["x", "-h"])).toBe(true);
    expect(wantsHelp(["x", "--", "-h"])).toBe(false);
  });
});

describe("a typo", () => {
  it.each([
    ["serach", "search"],
    ["memroy", "memory"],
    ["memroy list", "memory list"],
    ["memory lst", "memory list"],
    ["memory fogret", "memory forget"],
    ["thraed show", "thread show"],
    ["experince satrt", "experience start"],
    ["remembr", "remember"],
  ])("%j is refused, and the command named", (line, meant) => {
    expect(() => typoWarning(line.split(" "))).toThrow(
      `There is no command "${line}". Did you mean ${meant}? To ask about`,
    );
  });

  it.each([
    ["indexs of sessions", "index"],
    ["memory lits of things", "memory list"],
    ["memroy add something", "memory add"],
  ])("%j is answered as a question that has more words, with a doubt", (line, meant) => {
    expect(typoWarning(line.split(" "))).toBe(`Taken as a question; the command is spelled ${meant}.`);
  });

  it.each(["memory leaks", "memroy leaks in the parser", "thread pool size", "docs", "who calls it", "note taking"])(
    "%j is none",
    (line) => {
      expect(typoWarning(line.split(" "))).toBeUndefined();
    },
  );
});
