import type { TermStatistics } from "./store.ts";

/** Statistics of all files of a workspace while only some are indexed: those with a question's words. */
export type WholeStatistics = {
  files: number;
  bytes: number;
  /** Bytes of the files that are indexed. */
  indexedBytes: number;
  /** Number of files with each of the question's terms. */
  frequencies: ReadonlyMap<string, number>;
};

/**
 * Estimates the statistics of the complete index. Nearly every one of the few files chosen for a question has its
 * words, so no word would count as rare.
 */
export function asOfWhole(
  { units, files }: { units: TermStatistics; files: TermStatistics },
  whole: WholeStatistics,
): { units: TermStatistics; files: TermStatistics } {
  if (files.count === 0 || whole.indexedBytes === 0) return { units, files };
  const growth = Math.max(1, whole.bytes / whole.indexedBytes);
  const inFiles = (term: string, count: number) => Math.max(count, whole.frequencies.get(term) ?? count * growth);
  return {
    units: {
      ...units,
      count: Math.round(units.count * growth),
      frequencies: new Map(
        [...units.frequencies].map(([term, frequency]) => {
          const ofFiles = Math.max(1, files.frequencies.get(term) ?? 1);
          return [term, Math.max(1, Math.round((frequency / ofFiles) * inFiles(term, ofFiles)))];
        }),
      ),
    },
    files: {
      ...files,
      count: Math.max(files.count, whole.files),
      frequencies: new Map(
        [...files.frequencies].map(([term, frequency]) => [term, Math.round(inFiles(term, frequency))]),
      ),
    },
  };
}
