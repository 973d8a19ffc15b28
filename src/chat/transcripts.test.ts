import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "./blocks.ts";
import { identified, isSameConversation } from "./message-identity.ts";
import { readTimestamp } from "./timestamps.ts";
import { titleOf } from "./titles.ts";
import { readTranscript, type Transcript } from "./transcripts.ts";

const lines = (...values: unknown[]) => values.map((each) => JSON.stringify(each)).join("\n");

/** Role, speaker if any, and text of each message by conversation. */
function textsOf({ conversations }: Transcript): string[][] {
  return conversations.map(({ messages }) =>
    messages.map(({ role, speaker, blocks }) => `${role}${speaker ? ` ${speaker}` : ""}: ${textOf(blocks)}`),
  );
}

describe("a transcript", () => {
  it("may be OpenAI's messages, with calls of tools and their results", () => {
    const read = readTranscript(
      lines(
        { role: "developer", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Weather?" }], name: "ann" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "sunny" },
        { role: "assistant", function_call: { name: "old", arguments: "{}" } },
        { type: "function_call", call_id: "c2", name: "new", arguments: "{}" },
        { type: "function_call_output", call_id: "c2", output: "done" },
      ),
    );
    expect(read.bad).toEqual([]);
    expect(textsOf(read)).toEqual([
      [
        "system: Be brief.",
        "user ann: Weather?",
        'assistant: weather({"city":"Rome"})',
        "tool: sunny",
        "assistant: old()",
        "assistant: new()",
        "tool: done",
      ],
    ]);
    expect(read.conversations[0]!.messages[3]!.blocks).toEqual([{ type: "tool_result", id: "c1", text: "sunny" }]);
  });

  it("may be Anthropic's, in one object", () => {
    const read = readTranscript(
      JSON.stringify({
        model: "m",
        messages: [
          { role: "user", content: "Read it" },
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "read", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "text" }] },
        ],
      }),
    );
    expect(textsOf(read)).toEqual([["user: Read it", "assistant: read()", "user: text"]]);
  });

  it("may have speakers and times", () => {
    const read = readTranscript(
      lines(
        { speaker: "Ann", text: "Hi", timestamp: "2026-01-31T10:00:00Z", dia_id: "D1:1" },
        { author: "Bob", message: "Hello", timestamp: 1769853660, session: 2 },
        { user: "Cleo", text: "Hey", ts: "1769853720.000100" },
        { from: "human", value: "And I" },
      ),
    );
    expect(textsOf(read)).toEqual([["user Ann: Hi", "user Bob: Hello", "user Cleo: Hey", "user: And I"]]);
    const messages = read.conversations[0]!.messages;
    expect(messages.map(({ at }) => at)).toEqual([1769853600000, 1769853660000, 1769853720000, undefined]);
    expect(messages[0]).toMatchObject({ id: "D1:1" });
    expect(messages[1]).toMatchObject({ session: "2" });
  });

  it("may be an export of ChatGPT: the way to the current leaf of a tree", () => {
    const node = (id: string, parent: string | null, role: string, text: string, children: string[] = []) => ({
      id,
      parent,
      children,
      message: { id, author: { role }, create_time: 1769853600.5, content: { content_type: "text", parts: [text] } },
    });
    const mapping = {
      root: { id: "root", parent: null, children: ["s"], message: null },
      s: node("s", "root", "system", "", ["u"]),
      u: node("u", "s", "user", "Question", ["old", "new"]),
      old: node("old", "u", "assistant", "Rejected"),
      new: node("new", "u", "assistant", "Answer"),
    };
    const read = readTranscript(JSON.stringify([{ title: "My chat", id: "c-1", current_node: "new", mapping }]));
    expect(textsOf(read)).toEqual([["user: Question", "assistant: Answer"]]);
    expect(read.conversations[0]).toMatchObject({ key: "c-1", title: "My chat" });
    const circle = { a: { ...node("a", "b", "user", "A") }, b: { ...node("b", "a", "user", "B") } };
    expect(textsOf(readTranscript(JSON.stringify({ current_node: "a", mapping: circle })))).toEqual([
      ["user: B", "user: A"],
    ]);
  });

  it("may be an export of Claude, or what Claude Code writes", () => {
    const exported = [
      {
        uuid: "u-1",
        name: "Plan",
        chat_messages: [{ uuid: "m-1", sender: "human", text: "Hi", created_at: "2026-01-31T10:00:00.123456Z" }],
      },
    ];
    expect(readTranscript(JSON.stringify(exported)).conversations).toMatchObject([{ key: "u-1", title: "Plan" }]);
    const code = lines(
      { type: "summary", summary: "A plan", leafUuid: "x" },
      {
        type: "user",
        message: { role: "user", content: "Fix it" },
        uuid: "a",
        timestamp: "2026-01-31T10:00:00Z",
        sessionId: "s",
      },
      {
        type: "assistant",
        message: { id: "msg_1", role: "assistant", content: [{ type: "text", text: "Done" }] },
        uuid: "b",
      },
    );
    const read = readTranscript(code);
    expect(textsOf(read)).toEqual([["user: Fix it", "assistant: Done"]]);
    expect(read.bad).toEqual([]);
    expect(read.conversations[0]!.messages[0]).toMatchObject({ id: "a", at: 1769853600000, session: "s" });
  });

  it("may hold several conversations, told apart by their ids or by being apart", () => {
    const mixed = lines(
      { thread_id: "a", role: "user", content: "A1" },
      { conversation_id: "b", role: "user", content: "B1" },
      { thread_id: "a", role: "assistant", content: "A2" },
    );
    expect(textsOf(readTranscript(mixed))).toEqual([["user: A1", "assistant: A2"], ["user: B1"]]);
    const tuned = lines(
      { messages: [{ role: "user", content: "one" }] },
      {
        conversations: [
          { from: "human", value: "two" },
          { from: "gpt", value: "three" },
        ],
      },
      [{ role: "user", content: "four" }],
    );
    expect(textsOf(readTranscript(tuned))).toEqual([["user: one"], ["user: two", "assistant: three"], ["user: four"]]);
  });

  it("loses no good line for a bad one, and says where the bad ones are", () => {
    const text = `{"role":"user","content":"one"}\n\nnot json\r\n{"role":"user"}\n42\n{"content":"whose?"}\n{"role":"user","content":"two"}\n{"role":"user","content":""}`;
    const read = readTranscript(`\ufeff${text}`);
    expect(textsOf(read)).toEqual([["user: one", "user: two"]]);
    expect(read.bad.map(({ where }) => where)).toEqual(["line 3", "line 4", "line 5", "line 6", "line 8"]);
    expect(read.messages).toBe(7);
    const list = readTranscript(JSON.stringify([{ role: "user", content: "one" }, 5, { messages: [7, {}] }]));
    expect(list.bad.map(({ where }) => where)).toEqual([
      "conversation 2",
      "conversation 3, message 1",
      "conversation 3, message 2",
    ]);
  });

  it("is read whatever it is", () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.record(
        {
          role: fc.jsonValue(),
          content: fc.jsonValue(),
          messages: fc.jsonValue(),
          mapping: fc.jsonValue(),
          message: fc.jsonValue(),
          tool_calls: fc.jsonValue(),
          function_call: fc.jsonValue(),
          author: fc.jsonValue(),
          timestamp: fc.jsonValue(),
          id: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(value), fc.boolean(), (values, asLines) => {
        const read = readTranscript(asLines ? lines(...values) : JSON.stringify(values));
        for (const { messages } of read.conversations) {
          expect(messages.length).toBeGreaterThan(0);
          for (const { blocks } of messages) expect(blocks.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string(), (text) => void readTranscript(text)));
  });

  it("does not fall into what is nested deep", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(readTranscript(`{"role":"user","content":${deep}}`).bad).toEqual([
      { where: "the file", reason: "it is nested too deep" },
    ]);
    expect(readTranscript(deep).conversations).toEqual([]);
  });
});

describe("a message that is read again", () => {
  const conversation = (...texts: string[]) => ({
    messages: texts.map((text) => ({ role: "user" as const, blocks: [{ type: "text" as const, text }] })),
  });
  const ids = (...texts: string[]) => identified(conversation(...texts), true).map(({ given }) => given);

  it("has the same id, also when the file has grown", () => {
    expect(ids("a", "b", "c").slice(0, 2)).toEqual(ids("a", "b"));
  });

  it("has an id of its own when the same is said twice", () => {
    expect(new Set(ids("yes", "yes", "yes")).size).toBe(3);
  });

  it("does not lose itself when a file gives an id twice", () => {
    const twice = { messages: conversation("a", "b").messages.map((message) => ({ ...message, id: "1" })) };
    expect(new Set(identified(twice, true).map(({ given }) => given)).size).toBe(2);
  });

  it("belongs to a conversation that begins alike, not to one that goes on otherwise", () => {
    const [a, b] = [identified(conversation("hi", "a"), true), identified(conversation("hi", "b"), true)];
    expect(isSameConversation(a.slice(0, 1), a)).toBe(true);
    expect(isSameConversation(a, a.slice(0, 1))).toBe(true);
    expect(isSameConversation(a, b)).toBe(false);
    expect(isSameConversation([], a)).toBe(false);
  });
});

it("reads moments of any scale, and nothing else", () => {
  const moment = Date.UTC(2026, 0, 31, 10);
  for (const each of [
    moment,
    moment / 1000,
    moment * 1000,
    "2026-01-31T10:00:00Z",
    "2026-01-31 10:00",
    "2026-01-31T12:00:00+0200",
    "Sat, 31 Jan 2026 10:00:00 GMT",
    String(moment / 1000),
  ]) {
    expect(readTimestamp(each)).toBe(moment);
  }
  for (const each of ["yesterday", "2026-02-31", "5", -1, Number.NaN, Number.POSITIVE_INFINITY, {}, true, 1e30, ""]) {
    expect(readTimestamp(each)).toBeUndefined();
  }
});

it("calls a thread by what was first asked in it", () => {
  const message = (role: string, text: string) => ({ role, blocks: [{ type: "text" as const, text }] });
  expect(titleOf([message("system", "Be brief"), message("user", "When do\nwe deploy?")])).toBe("When do we deploy?");
  expect(titleOf([message("user", "x".repeat(100))])).toBe(`${"x".repeat(60)}…`);
  expect(titleOf([])).toBe("Untitled");
});
