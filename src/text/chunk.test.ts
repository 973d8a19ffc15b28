import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunk } from "./chunk.ts";
import { tokenCounter } from "./tokens.ts";

const counter = tokenCounter("o200k_base");
const sentence = (n: number) => `Sentence number ${n} says something about the matter at hand. `;
const paragraph = (n: number) =>
  `${Array.from({ length: n }, (_, i) => sentence(i))
    .join("")
    .trim()}\n\n`;

const document = fc
  .array(
    fc.oneof(
      fc.constantFrom("# One\n", "## Two\n\n", "### Three ###\n", "\n", "\r\n", "\n\n\n", "- item\n", "Short. "),
      fc.integer({ min: 1, max: 12 }).map(paragraph),
      fc.constantFrom(
        "```js\nlet a = 1;\n\n# not a heading\n```\n",
        "```\nopen fence\n",
        "漢字は長い。とても。",
        "😀😀😀",
        "x".repeat(900),
      ),
      fc.string({ unit: "grapheme", maxLength: 60 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

describe("chunk", () => {
  it("covers the text exactly, in order, and never exceeds the limit", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 20, max: 200 }), (text, maxTokens) => {
        const chunks = chunk(text, { minTokens: Math.floor(maxTokens * 0.8), maxTokens, counter });
        expect(chunks.map((one) => one.text).join("")).toBe(text);
        for (const one of chunks) {
          expect(one.text).not.toBe("");
          expect(counter.count(one.text)).toBeLessThanOrEqual(maxTokens);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("says which lines each chunk is from", () => {
    fc.assert(
      fc.property(document, (text) => {
        let before = "";
        for (const one of chunk(text, { minTokens: 30, maxTokens: 40, counter })) {
          expect(one.startLine).toBe(before.split("\n").length);
          before += one.text;
          expect(one.endLine).toBe(before.replace(/\n$/, "").split("\n").length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("fills chunks to at least the lower limit, but for the last", () => {
    const text = Array.from({ length: 40 }, (_, i) => paragraph((i % 7) + 1)).join("");
    const sizes = chunk(text, { counter }).map((one) => counter.count(one.text));
    expect(sizes.length).toBeGreaterThan(3);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(380);
  });

  it("begins a chunk at a heading once the one before is long enough, and keeps the heading with its text", () => {
    const text = `# First\n\n${paragraph(9)}## Second\n\n${paragraph(9)}## Third\n\n${paragraph(9)}`;
    const chunks = chunk(text, { minTokens: 60, maxTokens: 200, counter });
    expect(chunks.map((one) => one.heading)).toEqual(["First", "Second", "Third"]);
    expect(chunks[1]!.text.startsWith("## Second\n\nSentence number 0")).toBe(true);
  });

  it("does not take a comment in a fenced block for a heading", () => {
    const text = `# Real\n\n\`\`\`sh\n# comment\n\`\`\`\n\n${paragraph(30)}`;
    expect(chunk(text, { minTokens: 40, maxTokens: 60, counter }).every((one) => one.heading === "Real")).toBe(true);
  });

  it("cuts a paragraph at sentences", () => {
    for (const one of chunk(paragraph(60), { minTokens: 50, maxTokens: 80, counter }).slice(0, -1)) {
      expect(one.text.trimEnd().endsWith(".")).toBe(true);
    }
  });

  it("gives nothing for nothing, and makes progress where even a character is too long", () => {
    expect(chunk("", { counter })).toEqual([]);
    expect(chunk("𒀀𒀀𒀀", { maxTokens: 1, counter }).map((one) => one.text)).toEqual(["𒀀", "𒀀", "𒀀"]);
  });

  it("cuts a long run without spaces", () => {
    const text = "x".repeat(200_000);
    const chunks = chunk(text, { counter });
    expect(chunks.map((one) => one.text).join("") === text).toBe(true);
    expect(chunks.every((one) => counter.count(one.text) <= 500)).toBe(true);
  });
});
