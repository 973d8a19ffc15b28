import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { figureOf, summaryOf } from "../bench/quality/measures/summary.ts";
import { locomo } from "../bench/quality/sets/locomo.ts";

/** Public data, where the folder named by DOSSIER_DATA has it; it is not part of the product. */
const data = process.env.DOSSIER_DATA ?? "";

describe.runIf(existsSync(join(data, "locomo", "turns.jsonl")))("long conversations (LoCoMo)", () => {
  it("finds the turns that answer, most of them among the first ten and within a thousand tokens", async () => {
    // Documents of one size only: what is claimed here is of the ranking.
    const summary = summaryOf(await locomo.measure({ data, budgets: [1000] }));
    expect(summary.questions).toBe(495);
    const first = figureOf(summary, "@10");
    expect(first.dossier.value).toBeGreaterThan(0.82);
    expect(first.gain!.value).toBeGreaterThan(0.15);
    expect(figureOf(summary, "turns within 1000").dossier.value).toBeGreaterThan(0.88);
    // Questions that name the wrong person are answered by what the other one said.
    expect(figureOf(summary, "@10", "adversarial").dossier.value).toBeGreaterThan(0.9);
  }, 240_000);
});
