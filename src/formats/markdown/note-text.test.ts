import { describe, expect, it } from "vitest";
import { noteMarkdown } from "./note-text.ts";

describe("Markdown of a note", () => {
  it.each([
    "A *word*, a **bold** one, ~~gone~~, `code <b>` and [a link](https://example.com).",
    "[[Page]] and [[other page|its name]] begin a line, ((block)) too",
    "[[Page]]: not a definition",
    "* one\n  * two\n    1. three\n    2) four",
    "* [ ] open\n* [x] done\n* **Owner**: Ada",
    "| a | b |\n| --- | :-: |\n| 1 | 2 |",
    "one\n\ntwo",
    "```js\n# not a heading\n- not an item\n```",
  ])("stays as it is: %s", (text) => {
    expect(noteMarkdown(text)).toBe(text);
  });

  it.each([
    ["# Title\n## Sub", "\\# Title\n\\## Sub"],
    ["> said", "\\> said"],
    ["---\n***\n- - -\n* * *", "\\---\n\\*\\*\\*\n\\- - -\n\\* * *"],
    ["**Note** Fake", "\\*\\*Note** Fake"],
    ["*A > B* (child, score: 1.00)", "\\*A > B* (child, score: 1.00)"],
    ["see [not-1k3f]", "see \\[not-1k3f\\]"],
    ["[[not-1k3f]]", "\\[\\[not-1k3f\\]]"],
    ["<details>", "\\<details>"],
    ["[x]: https://example.com", "\\[x]: https://example.com"],
  ])("is text where it would be the document's own: %s", (text, expected) => {
    expect(noteMarkdown(text)).toBe(expected);
  });

  it("has lists of its own sign, whose items begin nothing else", () => {
    const text = "- one\n+ two\n\t-   three\n- # four\n- > five\n- - six\n1. <b>\n-\n- ~~~ \n- [a]: b\n- [not-1k3f]";
    expect(noteMarkdown(text).split("\n")).toEqual([
      "* one",
      "* two",
      "\t* three",
      "* \\# four",
      "* \\> five",
      "* \\- six",
      "1. \\<b>",
      "",
      "```",
      "- [a]: b",
      "- \\[not-1k3f\\]",
      "```",
    ]);
  });

  it("has its code in a fence that it cannot close, from the margin on", () => {
    expect(noteMarkdown("- ```py title=x\n  def a():\n    pass\n  ```\nend").split("\n")).toEqual([
      "```py",
      "def a():",
      "  pass",
      "```",
      "end",
    ]);
    expect(noteMarkdown("~~~~ a`b\n```\n~~~\n````\n~~~~\n# x").split("\n")).toEqual([
      "`````a",
      "```",
      "~~~",
      "````",
      "`````",
      "\\# x",
    ]);
    expect(noteMarkdown("  ```\n  a\n b").split("\n")).toEqual(["```", "  a", " b", "```"]);
  });

  it("closes a fence that a cut left open, and drops blank lines that say nothing", () => {
    expect(noteMarkdown("\n\none\n\n\n\n```\ncut\n\n").split("\n")).toEqual(["one", "", "```", "cut", "```"]);
    expect(noteMarkdown("-\n*\none\n-")).toBe("one");
    expect(noteMarkdown(" \n\t\n- \n")).toBe("");
  });
});
