import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenCounter } from "../tokens/tokens.ts";
import { passagesOf } from "./passages.ts";

const counter = tokenCounter("o200k_base");
const cut = (
  text: string,
  options: { path?: string; maxTokens?: number; enoughTokens?: number; leastTokens?: number } = {},
) => passagesOf(text, { path: "a.md", counter, ...options });
const small = { maxTokens: 100, enoughTokens: 80, leastTokens: 30 };
const sentence = (n: number) => `Sentence number ${n} says something about the matter at hand. `;
const paragraph = (n: number) =>
  `${Array.from({ length: n }, (_, i) => sentence(i))
    .join("")
    .trim()}\n\n`;

const document = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "# One\n",
        "## Two\n\n",
        "### Three ###\n",
        "\n",
        "\r\n",
        "\n\n\n",
        "- item\n",
        "Short. ",
        "Title\n===\n",
        "---\n",
        "***",
      ),
      fc.integer({ min: 1, max: 12 }).map(paragraph),
      fc.constantFrom(
        "```js\nlet a = 1;\n\n# not a heading\n```\n",
        "```\nopen fence\n",
        "| a | b |\n| - | - |\n| 1 | 2 |\n",
        "漢字は長い。とても。",
        "😀😀😀",
        "x".repeat(900),
        "\ud800",
        " ".repeat(300),
      ),
      fc.string({ unit: "grapheme", maxLength: 60 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

describe("passagesOf", () => {
  it("covers the document exactly, in order, and never exceeds the limit", () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 20, max: 200 }),
        fc.constantFrom("a.md", "a.txt", "a.rst", "a.py", "a.adoc", "a.org", "README"),
        (text, maxTokens, path) => {
          const passages = cut(text, {
            path,
            maxTokens,
            enoughTokens: Math.floor(maxTokens * 0.8),
            leastTokens: Math.floor(maxTokens * 0.3),
          });
          expect(passages.map((one) => one.text).join("")).toBe(text);
          let start = 0;
          for (const one of passages) {
            expect(one.start).toBe(start);
            start += one.text.length;
            expect(one.text).not.toBe("");
            expect(one.tokens).toBe(counter.count(one.text));
            expect(one.tokens).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("says which lines each passage is from", () => {
    fc.assert(
      fc.property(document, (text) => {
        let before = "";
        for (const one of cut(text, { maxTokens: 40, enoughTokens: 30, leastTokens: 12 })) {
          expect(one.startLine).toBe(before.split("\n").length);
          before += one.text;
          expect(one.endLine).toBe(before.replace(/\n$/, "").split("\n").length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("makes passages of 400 to 500 tokens of plain prose, the last but one a little less to spare it a scrap", () => {
    for (const count of [40, 41, 43, 47, 60]) {
      const text = Array.from({ length: count }, (_, i) => paragraph((i % 7) + 1)).join("");
      const sizes = cut(text, { path: "a.txt" }).map((one) => one.tokens);
      expect(sizes.length).toBeGreaterThan(3);
      for (const size of sizes.slice(0, -2)) expect(size).toBeGreaterThanOrEqual(380);
      for (const size of sizes.slice(-2)) expect(size).toBeGreaterThanOrEqual(140);
    }
  });

  it("leaves a short document in one passage, whatever it consists of", () => {
    expect(cut("# A\n\none\n\n# B\n\ntwo\n").map((one) => one.text)).toEqual(["# A\n\none\n\n# B\n\ntwo\n"]);
    expect(cut("")).toEqual([]);
  });

  it("ends before the highest heading that is near, and keeps a heading with its text", () => {
    const text = `# First\n\n${paragraph(4)}## Below\n\n${paragraph(3)}# Second\n\n${paragraph(2)}## Deep\n\n${paragraph(9)}`;
    const passages = cut(text, { ...small, maxTokens: 130, enoughTokens: 110 });
    expect(passages[0]!.text.endsWith("hand.\n\n")).toBe(true);
    expect(passages[1]!.text.startsWith("# Second\n\nSentence number 0")).toBe(true);
    expect(passages.map((one) => one.path.join(" > "))).toEqual(["First", "Second", "Second > Deep"]);
    expect(passages[0]!.titles).toEqual(["First", "Below"]);
  });

  it("leaves no scrap of a section to the next one", () => {
    for (let count = 38; count < 60; count++) {
      const text = `# One\n\n${paragraph(count)}# Two\n\n${paragraph(count)}# Three\n\n${paragraph(count)}`;
      const passages = cut(text);
      for (const one of passages) expect(one.tokens).toBeGreaterThanOrEqual(130);
      expect(passages.filter((one) => one.text.startsWith("# ")).length).toBe(3);
    }
  });

  it("does not make passages of scraps between headings", () => {
    const text = Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\n${paragraph(2)}`).join("");
    const sizes = cut(text).map((one) => one.tokens);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(400);
  });

  it("tears no code block and no table that fits", () => {
    const code = `\`\`\`js\n${"let value = compute(1);\n\n".repeat(8)}\`\`\`\n`;
    const table = `| name | value |\n| --- | --- |\n${"| some row | with text |\n".repeat(8)}\n`;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }).map(paragraph), fc.constantFrom(code, table, "## H\n")), {
          maxLength: 14,
        }),
        (parts) => {
          const passages = cut(parts.join("\n"), small);
          for (const whole of [code, table.trim()]) {
            const expected = parts.filter((part) => part.trim() === whole.trim()).length;
            const count = passages.reduce((sum, one) => sum + one.text.split(whole.trim()).length - 1, 0);
            expect(count).toBe(expected);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("cuts a paragraph at sentences, also where they have no spaces", () => {
    for (const one of cut(paragraph(60), small).slice(0, -1)) expect(one.text.trimEnd().endsWith(".")).toBe(true);
    for (const one of cut("これは長い文章です。まだ続きます。".repeat(60), small))
      expect(one.text.endsWith("。")).toBe(true);
  });

  it("takes neither comments in code nor front matter for headings", () => {
    expect(
      cut(`# Real\n\n\`\`\`sh\n# comment\n\`\`\`\n\n${paragraph(30)}`, small).every(
        (one) => one.path.join() === "Real",
      ),
    ).toBe(true);
    expect(
      cut(`# note\nx = 1\n\n${paragraph(30)}`, { ...small, path: "a.py" }).every((one) => one.path.length === 0),
    ).toBe(true);
    expect(cut("---\ntitle: x\n---\n\n# Real\n").flatMap((one) => one.titles)).toEqual(["Real"]);
  });

  it("reads the headings of other ways of writing", () => {
    const titles = (text: string, path: string) => cut(text, { path }).flatMap((one) => one.titles);
    expect(titles("Title\n=====\n\ntext\n\nPart\n----\n\ntext\n", "a.rst")).toEqual(["Title", "Part"]);
    expect(titles("Title\n=====\n\ntext\n\nPart\n----\n\n- item\n---\n", "a.md")).toEqual(["Title", "Part"]);
    expect(titles("= Title\n\n== Part\n", "a.adoc")).toEqual(["Title", "Part"]);
    expect(titles("* Title\n** Part\n", "a.org")).toEqual(["Title", "Part"]);
    expect(titles("<h1>Title</h1>\n<p>x</p>\n", "a.html")).toEqual(["Title"]);
  });

  it("takes time in proportion to the length, whatever the text is like", () => {
    const hostile = [
      "x",
      "word ",
      "漢字",
      "。",
      ". ",
      "\n",
      "# a\n",
      "```\n",
      "| a |\n",
      "a\n---\n",
      " ",
      "\ud83d\ude00",
      "A1",
    ];
    for (const part of hostile) {
      // Characters counted for each character of the text: the measure of work, which no slow machine changes.
      const work = (length: number) => {
        let counted = 0;
        const text = part.repeat(Math.ceil(length / part.length));
        const count = (one: string) => {
          counted += one.length;
          return counter.count(one);
        };
        const measured = { ...counter, count };
        const passages = passagesOf(text, { path: "a.md", counter: measured });
        expect(passages.map((one) => one.text).join("") === text).toBe(true);
        expect(passages.every((one) => one.tokens <= 500)).toBe(true);
        return counted / text.length;
      };
      expect(work(60_000)).toBeLessThan(Math.max(12, 2 * work(6_000)));
    }
  });

  it("makes progress where even one character is too long", () => {
    const passages = passagesOf("𒀀𒀀𒀀", { path: "a", maxTokens: 1, counter });
    expect(passages.map((one) => one.text)).toEqual(["𒀀", "𒀀", "𒀀"]);
  });
});
