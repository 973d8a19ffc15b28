import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openedWorkspaces } from "../../../operations/core/workspace-pool.ts";
import { tokenCounter } from "../../../text/tokens/tokens.ts";
import { folder } from "../../../tree/folder.cases.ts";
import { localTarget } from "../local-agent.ts";
import { callTool, errorKey } from "./call-tool.ts";
import { createCursors } from "./cursors.ts";

const { count } = tokenCounter("o200k_base");
const workspaces = openedWorkspaces();
const target = localTarget(workspaces, "test");
const cursors = createCursors();
const tools = ["context", "context_query", "assemble_context", "get_premortem_context", "open", "remember", "memories"];
let root: string;

const lines = (name: string, many: number) =>
  Array.from({ length: many }, (_, line) => `  const ${name}${line} = "größe ${"x".repeat(line % 40)} 数量 ${line}";`);

beforeAll(() => {
  root = folder({
    "README.md": "# Ledger\n\nBooks amounts in cents.\n\n```sh\nledger book\n```\n",
    "src/ledger.ts": `/** Books an amount. */\nexport function bookAmount(amount: number): number {\n  return Math.round(amount * 100);\n}\n`,
    "src/many.ts": Array.from(
      { length: 30 },
      (_, at) => `export function bookEntry${at}() {\n${lines(`entry${at}`, 12).join("\n")}\n}\n`,
    ).join("\n"),
    "src/close.ts": `import { bookAmount } from "./ledger";\n\nexport function close(day: string): boolean {\n  return bookAmount(1) > 2;\n}\n`,
  });
});
afterAll(() => workspaces.close());

const call = async (name: string, args: Record<string, unknown>) => {
  const request = { folders: [root], signal: new AbortController().signal };
  const answer = await callTool(name, args, request, { target, cursors, tools });
  expect(answer).not.toHaveProperty("structuredContent");
  expect(answer.content).toHaveLength(1);
  const { text } = answer.content[0] as { text: string };
  return { text, isError: answer.isError === true, error: answer._meta?.[errorKey] as { code: string } | undefined };
};

describe("a tool that gives a document", () => {
  it("says once that nothing is known, in every format", async () => {
    for (const format of ["markdown", "json", "xml", "plain"]) {
      const { text } = await call("get_premortem_context", { domain: "debugging", format });
      expect(text.split("Nothing that went wrong in debugging is written down yet.")).toHaveLength(2);
      const question = await call("context_query", { query: "bookAmuont", format });
      expect(question.text.split("Nothing here matches").length).toBeLessThanOrEqual(2);
    }
  });

  it("costs what it says: the whole text, bundle and warnings too, is within max_tokens", async () => {
    const calls = fc.record({
      name: fc.constantFrom("context", "context_query", "assemble_context", "open"),
      query: fc.constantFrom("how is an amount booked?", "bookEntry7", "src/many.ts", "close on friday", "größe 数量"),
      max_tokens: fc.integer({ min: 64, max: 2500 }),
      format: fc.constantFrom("markdown", "json", "xml", "plain"),
      line_numbers: fc.boolean(),
      since: fc.constantFrom(undefined, "start", "bun-unknown1"),
    });
    await fc.assert(
      fc.asyncProperty(calls, async ({ name, query, max_tokens, format, line_numbers, since }) => {
        const isOpen = name === "open";
        const args = isOpen
          ? {
              targets: ["src/many.ts", "bookAmount", "nothing such", "README.md"],
              format: format === "json" ? format : "markdown",
            }
          : { query, min_score: 0, format, ...(since && { since }) };
        const { text, isError } = await call(name, { max_tokens, line_numbers, ...args });
        expect(isError, text).toBe(false);
        expect(count(text)).toBeLessThanOrEqual(max_tokens);
        if (format === "json") expect(JSON.parse(text)).toBeTypeOf("object");
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  it("is JSON as a whole when that is asked for, with the bundle and the warnings in it", async () => {
    const { text } = await call("context_query", { query: "book an amount", format: "json", since: "bun-unknown1" });
    const document = JSON.parse(text);
    expect(document.items[0].spans[0]).toMatchObject({ start: expect.any(Number), end: expect.any(Number) });
    expect(document).toMatchObject({
      bundle: expect.stringMatching(/^bun-/),
      warnings: [expect.stringContaining("not known any more")],
    });
    const answer = await call("open", { targets: ["bookAmount"], format: "json" });
    expect(JSON.parse(answer.text)).toMatchObject({ items: [{ path: "src/ledger.ts", start: 1, end: 4 }] });
  });

  it("prints every span with its lines on disk, and numbers each line when asked", async () => {
    const { text } = await call("context_query", { query: "bookAmount", since: "start" });
    expect(text).toMatch(/(?:^@@|:)1-4 \[cod-\w+\]/m);
    const numbered = await call("context_query", { query: "bookAmount", line_numbers: true, since: "start" });
    expect(numbered.text).toContain("3   return Math.round(amount * 100);");
    const brief = await call("assemble_context", { query: "bookAmount", line_numbers: "true", since: "start" });
    expect(brief.text).toContain("3   return Math.round(amount * 100);");
  });
});

describe("any other tool", () => {
  it("gives data on request, as a text that parses, page by page where it is long", async () => {
    const { text } = await call("remember", { content: "Amounts are kept in cents.", format: "json" });
    expect(JSON.parse(text)).toMatchObject({ stored: true, memory: { content: "Amounts are kept in cents." } });
    const words = (at: number) => `${at} ${"abcdefghij"[at % 10]}`.repeat(700);
    for (let at = 0; at < 14; at++) await call("remember", { content: `Rule ${words(at)}`, force: true });
    let page = JSON.parse((await call("memories", { limit: 50, full: true, format: "json" })).text);
    const ids: string[] = [];
    for (;;) {
      expect(count(JSON.stringify(page))).toBeLessThanOrEqual(20_000);
      for (const { id } of page.memories as { id: string }[]) if (ids.at(-1) !== id) ids.push(id);
      if (page.cursor === undefined) break;
      page = JSON.parse((await call("memories", { cursor: page.cursor })).text);
    }
    expect(ids.length).toBe(15);
  });
});

describe("wrong arguments", () => {
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ["context_query", {}, /query is empty/],
    ["context_query", { query: "x", max_tokens: 1 }, /smallest possible, 64/],
    ["context_query", { query: "x", max_tokens: "many" }, /max_tokens takes a whole number from 64 to 19500/],
    ["context_query", { query: "x", tokens: 5 }, /takes no tokens\. Did you mean max_tokens\? It takes query, /],
    ["context_query", { query: "x", max_token: 5 }, /takes no max_token\. Did you mean max_tokens\?/],
    ["context_query", { query: "x", path: "/etc" }, /takes no path; project/],
    ["context_query", { query: "x", project: 7 }, /project takes/],
    ["context_query", { cursor: "cur-unknown" }, /no such cursor/],
    ["get_premortem_context", { domain: "cooking" }, /domain takes one of debugging/],
    ["memories", { format: "yaml" }, /format takes one of text, json/],
    ["open", { targets: [] }, /targets/],
    ["context_qery", { query: "x" }, /no tool "context_qery"\. Did you mean context_query\? The tools are context, /],
    ["serve", {}, /no tool "serve"/],
    ["constructor", {}, /no tool/],
  ];
  it.each(wrong)("%s %o are an answer that says what to do", async (name, args, message) => {
    const { text, isError, error } = await call(name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(error?.code).toMatch(/^(?:bad-input|empty-query|budget-too-small)$/);
  });

  it("are none where a text says a number, a truth value or a list", async () => {
    const args = { query: "bookAmount", max_tokens: "300", min_score: "0.1", line_numbers: "false" };
    const { text, isError } = await call("context_query", args);
    expect(isError, text).toBe(false);
    expect(count(text)).toBeLessThanOrEqual(300);
    expect((await call("assemble_context", { query: "cents", context_types: "memories, code" })).isError).toBe(false);
    const listed = await call("context_query", { query: "what happens here", hints: ["book", "amount"], since: "start" });
    const said = await call("context_query", { query: "what happens here", hints: "book amount", since: "start" });
    expect(listed.isError, listed.text).toBe(false);
    expect(listed.text).toBe(said.text);
    expect((await call("open", { targets: '["bookAmount", "src/close.ts:3-5"]' })).text).toContain("### src/close.ts");
    expect((await call("open", { targets: "bookAmount" })).text).toContain("### src/ledger.ts");
  });
});
