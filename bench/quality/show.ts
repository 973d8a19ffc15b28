import { percentile } from "../shared/figures.ts";
import { type Summary, summaryOf } from "./measures/summary.ts";
import { tableOf } from "./measures/table.ts";
import type { Measured, QualitySet, Run } from "./set.ts";

/** Measures a set and prints its table. Times go where progress goes: they differ from run to run. */
export async function show(set: QualitySet, run: Run): Promise<{ measured: Measured; summary: Summary }> {
  const measured = await set.measure(run);
  const summary = summaryOf(measured, run.sample);
  console.log(tableOf(summary));
  const at = (share: number) => `${percentile(measured.milliseconds, share).toFixed(1)} ms`;
  run.tell?.(`a query: p50 ${at(0.5)}, p95 ${at(0.95)}`);
  return { measured, summary };
}
