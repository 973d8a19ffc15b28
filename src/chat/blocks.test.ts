import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageBlock } from "../stores/library.ts";
import { isTooDeep, readBlocks, textOf } from "./blocks.ts";

describe("content of a message", () => {
  it("is a text, or texts", () => {
    expect(readBlocks("Hello")).toEqual([{ type: "text", text: "Hello" }]);
    expect(readBlocks(["Hello", { type: "text", text: "there" }])).toEqual([
      { type: "text", text: "Hello" },
      { type: "text", text: "there" },
    ]);
    for (const nothing of [undefined, null, "", [], [null]]) expect(readBlocks(nothing)).toEqual([]);
  });

  it("is read as OpenAI writes it", () => {
    const parts = [
      { type: "input_text", text: "Look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { type: "refusal", refusal: "I cannot." },
      { type: "function_call", call_id: "c1", name: "search", arguments: '{"query":"x"}' },
      { type: "function_call_output", call_id: "c1", output: "found" },
    ];
    expect(readBlocks(parts)).toEqual([
      { type: "text", text: "Look" },
      { type: "image" },
      { type: "text", text: "I cannot." },
      { type: "tool_call", id: "c1", name: "search", input: { query: "x" } },
      { type: "tool_result", id: "c1", text: "found" },
    ]);
  });

  it("is read as Anthropic writes it, without what was only thought", () => {
    const blocks = [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      { type: "tool_use", id: "t1", name: "read", input: { path: "a.md" } },
      { type: "tool_result", tool_use_id: "t1", is_error: true, content: [{ type: "text", text: "no such file" }] },
      { type: "document", title: "Plan", source: { type: "text", media_type: "text/plain", data: "On Monday" } },
      { type: "web_search_tool_result", tool_use_id: "t2", content: [{ type: "web_search_result", url: "u" }] },
    ];
    expect(readBlocks(blocks)).toEqual([
      { type: "tool_call", id: "t1", name: "read", input: { path: "a.md" } },
      { type: "tool_result", id: "t1", text: "no such file", error: true },
      { type: "text", text: "Plan\nOn Monday" },
      { type: "tool_result", id: "t2", text: '[{"type":"web_search_result","url":"u"}]' },
    ]);
  });

  it("is read as Gemini and ChatGPT's export write it", () => {
    const parts = [
      { text: "Hi" },
      { functionCall: { name: "f", args: { a: 1 } } },
      { functionResponse: { name: "f", response: { b: 2 } } },
    ];
    expect(readBlocks(parts)).toEqual([
      { type: "text", text: "Hi" },
      { type: "tool_call", name: "f", input: { a: 1 } },
      { type: "tool_result", text: '{"b":2}' },
    ]);
    expect(readBlocks({ content_type: "text", parts: ["Hi", "there"] })).toHaveLength(2);
  });

  it("keeps what it does not know, and broken arguments as they are", () => {
    expect(readBlocks([{ type: "hologram", data: 1 }, 7])).toEqual([
      { type: "other", value: { type: "hologram", data: 1 } },
      { type: "other", value: 7 },
    ]);
    expect(readBlocks([{ type: "tool_use", name: "f", input: '{"a":' }])).toEqual([
      { type: "tool_call", name: "f", input: '{"a":' },
    ]);
  });

  it("cannot hide what no JSON can be written of in the arguments of a call", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(readBlocks([{ type: "tool_use", name: "f", input: deep }])).toEqual([
      { type: "tool_call", name: "f", input: deep },
    ]);
  });

  it("has neither NUL nor half a character in its texts", () => {
    expect(readBlocks("a\0b\ud800")).toEqual([{ type: "text", text: "a\ufffdb\ufffd" }]);
  });

  it("is read whatever it is, and the same when read again", () => {
    const types = fc.constantFrom("text", "tool_use", "tool_result", "image", "other", "thinking", "document", "x");
    const part = fc.record(
      {
        type: types,
        text: fc.json(),
        id: fc.string(),
        name: fc.jsonValue(),
        content: fc.jsonValue(),
        input: fc.jsonValue(),
        value: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.array(part)), (content) => {
        const blocks = readBlocks(content);
        expect(typeof textOf(blocks)).toBe("string");
        // Compared as JSON, which is how blocks are stored: there -0 is 0.
        const stored = JSON.stringify(blocks);
        expect(JSON.stringify(readBlocks(JSON.parse(stored)))).toBe(stored);
      }),
      { examples: [[[{ name: [-0] }]]] },
    );
  });
});

it("says a message's text with its calls, results and pictures", () => {
  const blocks: MessageBlock[] = [
    { type: "text", text: "Let me look." },
    { type: "tool_call", name: "read", input: { path: "a.md" } },
    { type: "tool_call", name: "list", input: {} },
    { type: "tool_result", text: "gone", error: true },
    { type: "image", description: "a cat" },
    { type: "image" },
    { type: "other", value: 1 },
  ];
  expect(textOf(blocks)).toBe('Let me look.\nread({"path":"a.md"})\nlist()\nerror: gone\n[image: a cat]');
});

it("knows what is nested too deep, and does not go there itself", () => {
  expect(isTooDeep(JSON.parse("[".repeat(50) + "]".repeat(50)))).toBe(false);
  expect(isTooDeep(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)))).toBe(true);
  expect(isTooDeep(Array(300_000).fill({ a: 1 }))).toBe(false);
});
