import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidence, requestFor } from "../../../tests/pipeline/evidence.ts";
import type { Enriched } from "../../item.ts";
import { code } from "../../recipes/code.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { dedupe } from "../6-dedupe/dedupe.ts";
import { hasText } from "./absorbed.ts";
import { fitBudget } from "./fit-budget.ts";

const query = analyseQuery("how are payments processed?");

function statements(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, i) => `    const ${name}${i} = compute(${i}, "${name}");`);
}

/**
 * A class, its method after `before` lines, and other functions; the class and the method are merged where they are
 * alike in size.
 */
function family(before: number, inside: number, scores: { class: number; method: number; others: number[] }) {
  const method = ["  process() {", ...statements(inside, "step"), "  }"];
  const whole = ["class Payment {", ...statements(before, "field"), ...method, "}"];
  const item = { language: "typescript" };
  const cls = evidence({
    path: "a.ts",
    name: "Payment",
    kind: "class",
    text: whole.join("\n"),
    score: scores.class,
    item,
  });
  const part = evidence({
    path: "a.ts",
    name: "process",
    kind: "method",
    line: before + 2,
    text: method.join("\n"),
    score: scores.method,
    item,
  });
  const others = scores.others.map((score, i) =>
    evidence({ path: `f${i}.ts`, name: `other${i}`, text: statements(8, `other${i}x`).join("\n"), score, item }),
  );
  return { cls, part, others };
}

function printed(items: Enriched[], maxTokens: number): Set<string> {
  const ranked = [...items].sort((a, b) => b.score - a.score);
  const { unique, duplicates } = dedupe(ranked);
  const { kept } = fitBudget(unique, duplicates, requestFor({ maxTokens }), query, code.look);
  return new Set(kept.filter(({ printLevel }) => hasText(printLevel.level)).map(({ unique }) => unique.item.name));
}

describe("what was merged into another item", () => {
  it("is never lost because of it: any sizes, scores and budgets", () => {
    const score = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ before: fc.integer({ min: 0, max: 30 }), inside: fc.integer({ min: 2, max: 60 }) }),
        fc.record({ class: score, method: score, others: fc.array(score, { maxLength: 10 }) }),
        fc.integer({ min: 100, max: 4000 }),
        ({ before, inside }, scores, maxTokens) => {
          const { cls, part, others } = family(before, inside, scores);
          if (!printed([part, ...others], maxTokens).has("process")) return;
          const merged = printed([cls, part, ...others], maxTokens);
          // Above its method, the class is the better evidence, and may cost the method its place.
          if (scores.class <= scores.method) expect(merged.has("process") || merged.has("Payment")).toBe(true);
        },
      ),
      {
        numRuns: 150,
        examples: [[{ before: 0, inside: 18 }, { class: 0.05, method: 0.05, others: [0.05000000000000001] }, 368]],
      },
    );
  });
});
