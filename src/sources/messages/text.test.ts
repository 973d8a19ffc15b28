import { describe, expect, it } from "vitest";
import type { MessageBlock } from "../../stores/library.ts";
import { asksSomething, isQuestion, linesOf, nameOf, saidIn, shownIn, speakerOf } from "./text.ts";

const says = (...blocks: MessageBlock[]) => ({ role: "user" as const, blocks });
const text = (text: string): MessageBlock => ({ type: "text", text });

describe("the text of a message", () => {
  it("begins with who says it", () => {
    expect(linesOf({ ...says(text("Hello\nthere")), speaker: "Ann" })).toEqual(["Ann: Hello", "there"]);
    expect(linesOf(says(text("Hello")))).toEqual(["user: Hello"]);
    expect(speakerOf({ role: "assistant", speaker: " \n " })).toBe("assistant");
  });

  it("has a call on one line with its arguments shortened, results and pictures after it", () => {
    const lines = linesOf(
      says(
        {
          type: "tool_call",
          name: "read_file",
          input: { path: "a.ts", note: `x${"\n".repeat(5)}y`, long: "z".repeat(900) },
        },
        { type: "tool_result", text: "line 1\nline 2", error: true },
        { type: "image", description: "a dog\nin a park" },
        { type: "other", value: { any: 1 } },
      ),
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^user: read_file\("path":"a\.ts",.*…\)$/);
    expect(lines[0]!.length).toBeLessThan(240);
    expect(lines.slice(1)).toEqual(["error: line 1", "line 2", "[image: a dog in a park]"]);
  });

  it("is searched by what was said and called; pictures apart", () => {
    const message = says(
      text("look"),
      { type: "image", description: "a dog" },
      { type: "tool_call", name: "find", input: "x" },
    );
    expect(saidIn(message)).toBe("look\nfind(x)");
    expect(shownIn(message)).toBe("a dog");
  });

  it("has a name of at most 80 characters on one line that halves no character", () => {
    for (const long of ["word ".repeat(100), "😀".repeat(100), "x", ""]) {
      const name = nameOf(says(text(long)));
      expect(name.length).toBeLessThanOrEqual(80);
      expect(name).not.toMatch(/\n|[\ud800-\udbff](?![\udc00-\udfff])/);
      expect(name.startsWith("user:")).toBe(true);
    }
  });

  it("tells a question from a text that has one", () => {
    expect(isQuestion(says(text("Really? 😀")))).toBe(true);
    expect(isQuestion(says(text('She asked "why?"')))).toBe(true);
    expect(isQuestion(says(text("Why? Because.")))).toBe(false);
    expect(asksSomething(says(text("Why? Because.")))).toBe(true);
    expect(isQuestion(says({ type: "image" }))).toBe(false);
    expect(isQuestion(says(text("本当ですか？")))).toBe(true);
  });
});
