import { type HeapProfiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type MemoryHeld = { heapMegabytes: number; residentMegabytes: number };

/** The collector, with or without --expose-gc on the command line. */
const collect: () => void =
  globalThis.gc ??
  (() => {
    setFlagsFromString("--expose-gc");
    return runInNewContext("gc") as () => void;
  })();

/** What is held for good: heap and buffers outside it, and the resident set, after two full collections. */
export function memoryHeld(): MemoryHeld {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMegabytes: (heapUsed + external) / 1e6, residentMegabytes: rss / 1e6 };
}

/**
 * Everything that a piece of work allocates on the heap, collected on the way or not, plus what its buffers outside the
 * heap grow by: no less than it needs at any one time. The resident set would not show it: after some rounds the heap
 * has room that it keeps.
 */
export async function allocated(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  const before = process.memoryUsage().external;
  // One sample for each 8 KB: within some percent for the tens of megabytes in question.
  session.post("HeapProfiler.startSampling", {
    samplingInterval: 8192,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as HeapProfiler.StartSamplingParameterType);
  await work();
  const outside = Math.max(0, process.memoryUsage().external - before);
  let bytes = 0;
  session.post("HeapProfiler.stopSampling", (error, result) => {
    if (error) throw error;
    bytes = sizeOf(result.profile.head);
  });
  session.disconnect();
  return (bytes + outside) / 1e6;
}

function sizeOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}
