import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureLocomo } from "../bench/locomo.ts";

/** Public data, where the folder named by DOSSIER_DATA has it; it is not part of the product. */
const data = process.env.DOSSIER_DATA ?? "";

describe.runIf(existsSync(join(data, "locomo", "turns.jsonl")))("long conversations (LoCoMo)", () => {
  it("finds the turns that answer, most of them among the first ten and within a thousand tokens", async () => {
    const { questions, recall, baseline, categories } = await measureLocomo(data);
    expect(questions).toBe(495);
    expect(recall["@10"]).toBeGreaterThan(0.82);
    expect(recall["within 1000"]).toBeGreaterThan(0.88);
    expect(recall["@10"]! - baseline["@10"]!).toBeGreaterThan(0.15);
    // Questions that name the wrong person are answered by what the other one said.
    expect(categories.adversarial!["@10"]).toBeGreaterThan(0.9);
  }, 120_000);
});
