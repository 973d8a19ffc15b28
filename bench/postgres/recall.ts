import { postgresStore, sharing } from "../../src/stores/postgres/engine/open.ts";
import type { PostgresSession } from "../../src/stores/postgres/engine/session/session.ts";
import {
  clusteredVectors,
  recallOf,
  writeClustered,
} from "../../src/stores/postgres/search/clustered-vectors.samples.ts";
import { percentile, row } from "../shared/figures.ts";

const dimensions = 384;
const model = "clustered";
const target = 0.97;

/**
 * Recall of the server's vector index for the twenty nearest: for an owner with too many vectors to compare each,
 * beside others in the same index, and for one of the others.
 */
export async function measureRecall(session: PostgresSession): Promise<Record<string, number>> {
  const store = postgresStore(sharing(session, "recall"));
  const vectors = clusteredVectors(1, { dimensions, clusters: 300 });
  const owners = [12_000, ...Array.from({ length: 12 }, () => 1000)];
  const began = performance.now();
  const written = [];
  for (const [number, count] of owners.entries()) {
    written.push(await writeClustered(store, `owner-${number}`, { model, count, vectors }));
  }
  const perSecond = owners.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1000);
  const [many, few] = [
    await recallOf(store, "owner-0", { model, written: written[0]!, vectors, queries: 100, limit: 20 }),
    await recallOf(store, "owner-1", { model, written: written[1]!, vectors, queries: 100, limit: 20 }),
  ];
  for (const [name, { recall, milliseconds }] of [
    ["12000", many],
    ["1000", few],
  ] as const) {
    const remark = `20 nearest of ${name} vectors of ${dimensions}, target ${target}; p50 ${percentile(milliseconds, 0.5).toFixed(0)} ms`;
    row("recall", recall.toFixed(3), remark);
  }
  row("vectors written", `${perSecond.toFixed(0)}/s`, "with their items, index included");
  return { recall: many.recall, recallFew: few.recall, vectorsWritten: perSecond };
}
