import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

describe("the figures of a context", () => {
  const built = {
    totalTokens: 300,
    items: [{}, {}],
    cached: false,
    milliseconds: { resolve: 3, score: 1, budget: 1 },
  };

  it("count the wait for the index as time of assembly, under our name and that of the first design", async () => {
    const metrics = createMetrics();
    metrics.assembled("prime_context", built, 700);
    const text = await metrics.text();
    expect(text).toContain("context_assembly_time_sum 700\n");
    expect(text).toContain('dossier_assembly_seconds_sum{operation="prime_context"} 0.7\n');
    expect(text).toContain('dossier_search_seconds_sum{operation="prime_context"} 0.003\n');
    expect(text).toContain("context_token_usage 300\n");
  });

  it("do not count what came from the cache as assembled", async () => {
    const metrics = createMetrics();
    metrics.assembled("prime_context", { ...built, cached: true }, 2);
    expect(await metrics.text()).toContain("context_assembly_time_count 0\n");
  });
});
