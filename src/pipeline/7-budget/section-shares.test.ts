import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidence, recorded, requestFor } from "../../../tests/pipeline/evidence.ts";
import { runs } from "../../../tests/seed.ts";
import type { Context } from "../../document.ts";
import type { Enriched } from "../../item.ts";
import { formatNames, type Request } from "../../options.ts";
import { agent } from "../../recipes/agent.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { dedupe } from "../6-dedupe/dedupe.ts";
import { render } from "../8-result/result.ts";
import { fitBudget } from "./fit-budget.ts";

const recipe = agent();
const query = analyseQuery("retry the payment client");
const run = { confidence: 1, stats: { found: {}, milliseconds: {} }, filesRead: 1, warnings: [] };

function briefing(items: Enriched[], options: Partial<Request> = {}, confidence = 1): Context {
  const request = requestFor({ maxTokens: 2000, recipe: "agent", includeSources: false, ...options });
  const { unique, duplicates } = dedupe(items);
  const assurance = { confidence, nearMisses: [] };
  return render(fitBudget(unique, duplicates, request, query, recipe.look, assurance), request, recipe, run);
}

/** Prose that no two calls make alike. */
function prose(words: number, seed: number): string {
  return Array.from({ length: words }, (_, i) => `w${seed}x${(i * 7919 + seed) % 9973}`).join(" ");
}

function memory(index: number, words = 30): Enriched {
  const facts = { id: `mem-${index}`, category: "fact", importance: 0.5 };
  return recorded({ source: "memory", id: `mem-${index}`, text: prose(words, index), score: 0.9 - index / 200, facts });
}

function experience(index: number, words = 60): Enriched {
  const text = `Goal: ${prose(words / 2, 1000 + index)}\nOutcome: ${prose(words / 2, 2000 + index)}`;
  const facts = { id: `exp-${index}`, domain: "debugging", strategy: "read-the-error" };
  return recorded({ source: "experience", id: `exp-${index}`, text, score: 0.8 - index / 200, facts });
}

/** An experience with all its fields. */
function tried(index: number): Enriched {
  const text = [
    `Goal: ${prose(6, 5000 + index)} goal${index}`,
    `Hypothesis: hypothesis${index} ${prose(12, 6000 + index)}`,
    `Action: ${prose(12, 7000 + index)}`,
    `Outcome: falsified - result${index}`,
    `Surprise: surprise${index}`,
    `Lesson: lesson${index}`,
  ].join("\n");
  const facts = { id: `exp-${index}`, domain: "debugging", strategy: "read-the-error" };
  return recorded({ source: "experience", id: `exp-${index}`, text, score: 0.8 - index / 200, facts });
}

function commit(index: number, words = 40): Enriched {
  const facts = {
    sha: `${index}abcdef012345`,
    author: "Ada",
    timestamp: "2026-03-01T00:00:00.000Z",
    files_changed: [`f${index}`],
  };
  return recorded({
    source: "commit",
    id: `com-${index}abcdef`,
    text: prose(words, 3000 + index),
    score: 0.7 - index / 200,
    facts,
  });
}

function code(index: number, lines = 12): Enriched {
  const body = Array.from({ length: lines - 2 }, (_, i) => `  const a${i} = ${prose(2, 4000 + index * 50 + i)};`);
  return evidence({
    path: `src/f${index}.ts`,
    name: `step${index}`,
    text: [`function step${index}() {`, ...body, "}"].join("\n"),
    score: 0.85 - index / 200,
    item: { language: "typescript", signature: `function step${index}()` },
  });
}

const many = (make: (index: number) => Enriched, count = 20) => Array.from({ length: count }, (_, i) => make(i));
const byRelevance = (items: Enriched[]) => items.sort((a, b) => b.score - a.score);

function tokensBySource({ items }: Context): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { source, tokens } of items) sums[source] = (sums[source] ?? 0) + tokens;
  return sums;
}

describe("sharing the budget", () => {
  it("gives every section its share by weight when all have more than enough", () => {
    const context = briefing(
      byRelevance([...many(memory), ...many(experience), ...many(commit), ...many((i) => code(i, 40))]),
    );
    const used = tokensBySource(context);
    // Weights 5 for the most relevant, then 2, 2, 3 and 2: values are missing, so fourteen shares. The best five are
    // memories here.
    const share = (source: string) => (used[source] ?? 0) / context.tokens.used;
    expect(share("experience")).toBeGreaterThan(share("commit") * 1.3);
    expect(share("commit")).toBeGreaterThan(0.12);
    expect(context.tokens.fill).toBeGreaterThan(0.9);
  });

  it.each(formatNames)(
    "prints the best item whole where only its share is too small for it, not the budget: %s",
    (format) => {
      const short = [memory(0, 3), memory(1, 3), experience(0, 8), commit(0, 4), code(0, 3)];
      const { items, warnings } = briefing(byRelevance(short), { format, maxTokens: 300 });
      expect(warnings).toEqual([]);
      expect(items.filter(({ level }) => level === "full").map(({ id }) => id)).toContain("mem-0");
    },
  );

  it("prints the best five records whole and the others in short where not all fit whole, so that more of them fit", () => {
    const { items, text, tokens } = briefing(byRelevance([...many(memory), ...many(tried)]), { maxTokens: 6000 });
    const first = items.slice(0, 5);
    const short = items.filter(({ level }) => level === "signature");
    expect(first.map(({ level }) => level)).toEqual(Array(5).fill("full"));
    expect(short.length).toBeGreaterThan(10);
    expect(tokens.used).toBeLessThanOrEqual(6000);
    const whole = briefing(byRelevance([...many(memory), ...many(tried)]), { maxTokens: 60_000 });
    expect(whole.items.every(({ level }) => level === "full")).toBe(true);
    // What was wanted, what came of it, what was unexpected and what to do: not how it was tried.
    const shortOnes = short.filter(({ source }) => source === "experience");
    expect(shortOnes.length).toBeGreaterThan(0);
    for (const { id } of shortOnes) {
      const index = Number(id.slice("exp-".length));
      expect(text).toContain(
        `goal${index}; falsified - result${index}; Surprise: surprise${index}; Lesson: lesson${index}`,
      );
      expect(text).not.toContain(`hypothesis${index} `);
    }
  });

  it("never shortens text of several lines, which would lose its layout", () => {
    const list = (index: number) => {
      const facts = { id: `mem-${index}`, category: "fact", importance: 0.5 };
      const text = `${prose(10, index)}:\n- ${prose(20, 700 + index)}\n- ${prose(20, 800 + index)}`;
      return recorded({ source: "memory", id: `mem-${index}`, text, score: 0.9 - index / 200, facts });
    };
    const { items } = briefing(many(list), { maxTokens: 3000 });
    expect(items.some(({ level }) => level === "full")).toBe(true);
    expect(items.filter(({ level }) => level === "signature")).toEqual([]);
  });

  it.each(formatNames)("prints what is pinned in a small document, too: %s", (format) => {
    const pinned = { ...memory(9, 2), section: "Pinned", score: 1 };
    const { items, tokens } = briefing([pinned, memory(0, 3), commit(0, 4), code(0, 3)], { format, maxTokens: 200 });
    expect(items[0]?.id).toBe("mem-9");
    expect(tokens.used).toBeLessThanOrEqual(200);
  });

  it("gives what a section does not need to the others", () => {
    const alone = briefing(byRelevance([...many(memory), experience(0)]));
    expect(tokensBySource(alone).memory).toBeGreaterThan(1000);
    expect(alone.tokens.fill).toBeGreaterThan(0.9);
  });

  it("lets no item take more than a quarter of its section's share, note included", () => {
    const context = briefing(byRelevance([memory(0, 2000), memory(1, 1500), memory(2, 30), ...many(experience)]));
    const long = context.items.filter(({ id }) => id === "mem-0" || id === "mem-1");
    expect(long).toHaveLength(2);
    const section = tokensBySource(context).memory!;
    for (const item of long) {
      expect(item.level).toBe("elided");
      expect(item.block).toContain("(truncated");
      // The section holds two long ones, a short one, and nothing else: a quarter of its share each.
      expect(item.tokens).toBeLessThanOrEqual(Math.max(48, section * 0.5));
      expect(item.tokens).toBeLessThan(500);
    }
  });

  it("says where the rest of a cut piece is", () => {
    const context = briefing(byRelevance([experience(0, 900), ...many((i) => experience(i + 1, 900), 8)]));
    expect(context.text).toContain("*(truncated, full experience ID: exp-0)*");
  });

  it("prints the best code whole, and the rest by as much as there is room for", () => {
    const { items } = briefing(byRelevance(many(code)));
    const whole = items.filter(({ level }) => level === "full");
    expect(whole.length).toBeGreaterThan(8);
    expect(items.slice(0, whole.length)).toEqual(whole);
  });

  it("prints only a few of many records that match by chance and alike, however much room there is", () => {
    const alike = (items: Enriched[]) => items.map((item, index) => ({ ...item, score: 0.7 - index / 1000 }));
    const records = alike([...many((i) => memory(i, 10)), ...many((i) => experience(i, 10))]);
    const counts = [0, 0.1, 0.2, 1 / 3, 1].map(
      (confidence) => briefing(records, { maxTokens: 8000 }, confidence).items.length,
    );
    expect(counts[0]).toBeLessThan(15);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.slice(-2)).toEqual([40, 40]);
  });

  it("judges records by what their own source is worth, not by what the code has", () => {
    const records = many((i) => ({ ...memory(i, 10), score: 0.7 - i / 1000 }));
    const doubted = records.map((record) => ({ ...record, confidence: 0 }));
    expect(briefing(records, { maxTokens: 8000 }, 1).items).toHaveLength(20);
    expect(briefing(doubted, { maxTokens: 8000 }, 1).items.length).toBeLessThan(15);
  });

  it("leaves out what is much weaker than the best of its section, however much room there is", () => {
    const weak = { ...memory(1), score: 0.3 };
    const value = { ...experience(0), score: 0.3 };
    const context = briefing(byRelevance([memory(0), weak, value]));
    expect(context.items.map(({ id }) => id)).toEqual(["mem-0", "exp-0"]);
    expect(context.dropped).toMatchObject([{ id: "mem-1", reason: "below-score" }]);
    expect(briefing(byRelevance([memory(0), weak, value]), { fill: true }).items).toHaveLength(3);
  });

  it("prints the five best records first, whatever their kind, where there are more than five", () => {
    const items = byRelevance([...many(memory, 4), ...many((i) => ({ ...experience(i), score: 0.885 - i / 100 }), 4)]);
    const { text, items: printed } = briefing(items);
    expect([...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual(["Most Relevant", "Experiences"]);
    expect(printed.slice(0, 5).map(({ id }) => id)).toEqual(items.slice(0, 5).map(({ item }) => item.id));
    expect(briefing(items.slice(0, 5)).text).not.toContain("Most Relevant");
  });

  it("leaves out more where it is not sure of itself", () => {
    const items = () => byRelevance([memory(0), { ...memory(1), score: 0.5 }]);
    expect(briefing(items()).items).toHaveLength(2);
    expect(briefing(items(), {}, 0).items).toHaveLength(1);
  });

  it("orders the sections as the design says and leaves empty ones out", () => {
    const { text } = briefing(byRelevance([memory(0), commit(0), experience(0), code(0)]));
    expect([...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      "Memories",
      "Code",
      "Experiences",
      "Commits",
    ]);
    expect(text.startsWith("# Context\n")).toBe(true);
    expect(text.trimEnd().endsWith("*4 items from 4 sources*")).toBe(true);
  });

  it("never exceeds the budget, whatever there is and whatever the format", () => {
    const piece = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 800 }));
    const count = tokenCounter("o200k_base");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.integer({ min: 64, max: 4000 }),
        fc.constantFrom("markdown" as const, "xml" as const, "plain" as const, "json" as const),
        (pieces, maxTokens, format) => {
          const items = pieces.map(([kind, words], index) => {
            if (kind === 0) return memory(index, words);
            if (kind === 1) return experience(index, words);
            return kind === 2 ? commit(index, words) : code(index, 3 + (words % 60));
          });
          const context = briefing(byRelevance(items), { maxTokens, format });
          const used = count.count(context.text);
          expect(used).toBe(context.tokens.used);
          expect(used).toBeLessThanOrEqual(maxTokens);
          expect(context.items.length + context.dropped.length).toBeGreaterThanOrEqual(items.length);
        },
      ),
      { numRuns: runs(300, 100) },
    );
  });
});
