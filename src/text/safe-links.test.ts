import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRunning, withoutRunningLinks } from "./safe-links.ts";

describe("links that run something", () => {
  it("lose where they lead to and keep what they are called", () => {
    expect(withoutRunningLinks("See [press](javascript:alert(1)) now")).toBe("See press now");
    expect(withoutRunningLinks("![shot](javascript:alert('x')) and [a](vbscript:x)")).toBe("shot and a");
    expect(withoutRunningLinks("[press](<javascript:alert(1)>)")).toBe("press");
    expect(withoutRunningLinks('[press](JavaScript:alert(1) "title")')).toBe("press");
    expect(withoutRunningLinks("[[a] b](javascript:x)")).toBe("[a] b");
    expect(withoutRunningLinks("[page](data:text/html;base64,AAAA)")).toBe("page");
    expect(withoutRunningLinks("one <javascript:alert(1)> two")).toBe("one javascript:alert(1) two");
    expect(withoutRunningLinks("[x][1]\n\n[1]: javascript:alert(1)")).toBe("[x][1]\n\n[1]:");
    expect(withoutRunningLinks('<a href="javascript:alert(1)">press</a>')).toBe("<a>press</a>");
    expect(withoutRunningLinks("<img alt=x src='data:text/html,1'>")).toBe("<img alt=x>");
  });

  it("are seen through blanks, control characters and character references", () => {
    for (const address of [
      " javascript:x",
      "java\tscript:x",
      "java&#10;script:x",
      "&#106;avascript:x",
      "&#x6A;avascript&colon;x",
      "\u0001javascript:x",
      "JAVASCRIPT:x",
    ]) {
      expect(isRunning(address), JSON.stringify(address)).toBe(true);
    }
    expect(withoutRunningLinks("[press](java&#10;script:alert(1))")).toBe("press");
  });

  it("are no links in code, and other links stay as they are", () => {
    for (const text of [
      "[a](https://x.example/javascript:1) [b](notes/javascript.md)",
      "Write `[a](javascript:x)` to try it",
      "```md\n[a](javascript:x)\n```",
      "~~~\n[a](javascript:x)",
      "The word javascript: stands here, and data: too",
      "[[javascript]] and [data](data.csv)",
    ]) {
      expect(withoutRunningLinks(text)).toBe(text);
    }
    expect(withoutRunningLinks("```\na\n```\n[b](javascript:x)\n```\n[c](javascript:x)\n```")).toBe(
      "```\na\n```\nb\n```\n[c](javascript:x)\n```",
    );
  });

  it("never make a text longer, whatever stands around them", () => {
    const part = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "](",
      "javascript:",
      "data:",
      "x",
      " ",
      "<",
      ">",
      "\n",
      "`",
      "!",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const once = withoutRunningLinks(parts.join(""));
        expect(once.length).toBeLessThanOrEqual(parts.join("").length);
      }),
    );
  });

  it("cost what the text costs", () => {
    for (const text of [
      "[".repeat(200_000),
      "](javascript:".repeat(30_000),
      "[a](javascript:".repeat(30_000),
      "<a ".repeat(100_000),
    ]) {
      expect(typeof withoutRunningLinks(`${text}script`)).toBe("string");
    }
  });
});
