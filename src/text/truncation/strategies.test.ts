import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodingNames, truncationNames } from "../../options.ts";
import { tokenCounter } from "../tokens/tokens.ts";
import { truncateBookend, truncateHead, truncateSignatureFirst, truncationStrategies } from "./strategies.ts";

const lines = Array.from({ length: 40 }, (_, i) => `  steps.push(order.step(${i}));`);
const code = [
  "/** Runs an order. */",
  "export function run(order: Order): Step[] {",
  ...lines,
  "  return steps;",
  "}",
].join("\n");
const typescript = { language: "typescript" };

describe("the truncation strategies", () => {
  it("are those of the option, under their names", () => {
    expect(Object.keys(truncationStrategies)).toEqual([...truncationNames]);
    for (const [name, strategy] of Object.entries(truncationStrategies)) expect(strategy.name).toBe(name);
  });

  it("keep what each promises", () => {
    expect(truncateSignatureFirst(code, 60, typescript)).toMatch(
      /^\/\*\* Runs an order\. \*\/\nexport function run\(order: Order\): Step\[\] \{\n.*\/\/ \.\.\. \d+ lines\n\}$/s,
    );
    expect(truncateBookend(code, 60, typescript)).toMatch(/^\/\*\* Runs.*\n {2}\/\/ \.\.\. \d+ lines\n.*\}$/s);
    expect(truncateBookend(code, 60, typescript)).toContain("return steps;");
    expect(truncateHead(code, 60, typescript)).not.toContain("return steps;");
  });

  it("give back what fits, and nothing where not even a mark does", () => {
    for (const { truncate } of Object.values(truncationStrategies)) {
      expect(truncate(code, 10_000)).toBe(code);
      expect(truncate(code, 0)).toBe("");
      expect(truncate("", 0)).toBe("");
    }
  });

  it("refuse a budget that is none", () => {
    expect(() => truncateHead(code, Number.NaN)).toThrow("maxTokens takes a number from 0 on, not NaN.");
    expect(() => truncateHead(code, -1)).toThrow("not -1");
  });

  it("never exceed the budget, in any encoding, whatever the text", () => {
    const strategies = Object.values(truncationStrategies);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.double({ min: 0, max: 80, noNaN: true }),
        fc.constantFrom(...strategies),
        fc.constantFrom(...encodingNames),
        fc.constantFrom("python", "typescript", "rust", "no such language", undefined),
        (text, maxTokens, { truncate }, encoding, language) => {
          const cut = truncate(text, maxTokens, { encoding, language });
          expect(tokenCounter(encoding).count(cut)).toBeLessThanOrEqual(maxTokens);
          expect(truncate(text, maxTokens, { encoding, language })).toBe(cut);
        },
      ),
    );
  });
});
