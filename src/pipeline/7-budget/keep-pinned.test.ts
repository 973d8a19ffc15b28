import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidence, requestFor } from "../../../tests/pipeline/evidence.ts";
import { runs } from "../../../tests/seed.ts";
import type { Context } from "../../document.ts";
import { type Enriched, levels } from "../../item.ts";
import { formatNames, layoutNames, type Request } from "../../options.ts";
import { agent } from "../../recipes/agent.ts";
import { code } from "../../recipes/code.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { render } from "../8-result/result.ts";
import { withChoices } from "../item-choices.ts";
import { withEntryBudgets } from "./entry-budgets.ts";
import { fitBudget } from "./fit-budget.ts";

const query = analyseQuery("how are payments processed?");
const run = { confidence: 1, stats: { found: {}, milliseconds: {} }, filesRead: 1, warnings: [] };

function contextOf(items: Enriched[], options: Partial<Request>, recipe: Recipe = code): Context {
  const request = requestFor(options);
  const { chosen, excluded } = withChoices(items, [], request);
  const fitIn = (asked: Request) => fitBudget(chosen, excluded, asked, query, recipe.look);
  return render(withEntryBudgets(fitIn(request), request, fitIn), request, recipe, run);
}

/** Functions in a file each, best first; `lines` of each in turn. */
function functions(lengths: number[]): Enriched[] {
  return lengths.map((length, i) => {
    const statements = Array.from({ length }, (_, line) => `  const value${line} = compute(${line}, "step${i}");`);
    return evidence({
      path: `src/f${i}.ts`,
      name: `step${i}`,
      text: [`function step${i}() {`, ...statements, "}"].join("\n"),
      score: 0.95 - i / 50,
      item: { language: "typescript", signature: `function step${i}()` },
    });
  });
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe("items that whoever asks decides about", () => {
  const items = functions([20, 20, 20, 20, 20, 20, 20, 20, 20, 20]);
  const last = items.at(-1)!.item.id;
  const first = items[0]!.item.id;

  it("are printed when they are pinned, however low they rank", () => {
    expect(idsOf(contextOf(items, { maxTokens: 700 }).items)).not.toContain(last);
    const { items: printed, warnings } = contextOf(items, { maxTokens: 700, pin: [last] });
    expect(printed.find(({ id }) => id === last)).toMatchObject({ pinned: true, level: "full" });
    expect(warnings).toEqual([]);
  });

  it("are known by their citations too", () => {
    const { citation } = items.at(-1)!;
    expect(idsOf(contextOf(items, { maxTokens: 700, pin: [citation.id] }).items)).toContain(last);
  });

  it("are left out when they are excluded, and something else has their room", () => {
    const before = contextOf(items, { maxTokens: 700 });
    const { items: printed, dropped, text } = contextOf(items, { maxTokens: 700, exclude: [first] });
    expect(idsOf(printed)).not.toContain(first);
    expect(dropped.find(({ id }) => id === first)?.reason).toBe("excluded");
    expect(printed.length).toBe(before.items.length);
    expect(text).toContain("1 excluded");
  });

  it.each(levels)("are printed at the level %s that was asked for", (level) => {
    const long = functions([60, 60, 60]);
    const wanted = long[1]!.item.id;
    const { items: printed, warnings } = contextOf(long, { maxTokens: 2500, level: [`${wanted}=${level}`] });
    const has = contextOf(long, { maxTokens: 2500, report: ["levels"] }).items[1]!.levels!.map((each) => each.level);
    if (has.includes(level)) expect(printed.find(({ id }) => id === wanted)?.level).toBe(level);
    else expect(warnings.join()).toContain(`as ${level} it does not exist`);
  });

  it("are told of where they do not fit", () => {
    const huge = functions([3, 3000]);
    const { warnings, tokens } = contextOf(huge, { maxTokens: 400, level: [`${huge[1]!.item.id}=full`] });
    expect(tokens.used).toBeLessThanOrEqual(400);
    expect(warnings.join()).toMatch(/step1 .* as full it does not exist or does not fit/);
  });

  it("never exceed the budget, and are there or warned of", () => {
    const choice = fc.record({
      lengths: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 14 }),
      maxTokens: fc.integer({ min: 64, max: 4000 }),
      format: fc.constantFrom(...formatNames),
      layout: fc.constantFrom(...layoutNames),
      fill: fc.boolean(),
      recipe: fc.constantFrom<Recipe>(code, agent()),
      pinned: fc.array(fc.nat(13), { maxLength: 4 }),
      excluded: fc.array(fc.nat(13), { maxLength: 4 }),
      leveled: fc.array(fc.tuple(fc.nat(13), fc.constantFrom(...levels)), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(choice, ({ lengths, recipe, pinned, excluded, leveled, ...options }) => {
        const all = functions(lengths);
        const idAt = (index: number) => all[index % all.length]!.item.id;
        const pin = pinned.map(idAt);
        const exclude = excluded.map(idAt);
        const level = leveled.map(([index, name]) => `${idAt(index)}=${name}`);
        const context = contextOf(all, { ...options, pin, exclude, level, report: ["parts", "levels"] }, recipe);
        const printed = idsOf(context.items);
        expect(tokenCounter("o200k_base").count(context.text)).toBe(context.tokens.used);
        expect(context.tokens.used).toBeLessThanOrEqual(options.maxTokens);
        expect(printed.filter((id) => exclude.includes(id))).toEqual([]);
        const wanted = [...pin, ...leveled.map(([index]) => idAt(index))].filter((id) => !exclude.includes(id));
        const missing = wanted.filter((id) => !printed.includes(id));
        expect(missing.length === 0 || context.warnings.length > 0).toBe(true);
        expect(context.parts!.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(context.tokens.used);
        expect(context.parts!.reduce((sum, { characters }) => sum + characters, 0)).toBe(context.text.length);
        for (const { id, tokens, content = 0 } of context.items) {
          const own = context.parts!.filter(({ item }) => item === id).reduce((sum, part) => sum + part.tokens, 0);
          expect([own, content <= tokens]).toEqual([tokens, true]);
        }
      }),
      { numRuns: runs(150, 50) },
    );
  });
});

describe("the budget with which a left-out item is printed", () => {
  it("is one with which it is printed, and not much more than needed", () => {
    const items = functions(Array.from({ length: 12 }, (_, i) => 10 + ((i * 7) % 30)));
    const { dropped } = contextOf(items, { maxTokens: 600, fill: true, report: ["budgets"] });
    expect(dropped.length).toBeGreaterThan(4);
    for (const { id, entersAt } of dropped) {
      expect(entersAt).toBeGreaterThan(600);
      expect(idsOf(contextOf(items, { maxTokens: entersAt!, fill: true }).items)).toContain(id);
    }
  });

  it("is not told of what no budget brings in", () => {
    const items = functions([10, 10]);
    const { dropped } = contextOf(items, { maxTokens: 600, exclude: [items[1]!.item.id], report: ["budgets"] });
    expect(dropped).toMatchObject([{ reason: "excluded" }]);
    expect(dropped[0]).not.toHaveProperty("entersAt");
  });
});
