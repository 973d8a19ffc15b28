import type { TermStatistics } from "./store.ts";

/** What is known of all files of a workspace while only some are indexed: those are the ones that have a question's words. */
export type WholeStatistics = {
  files: number;
  bytes: number;
  /** Bytes of the files that are indexed. */
  indexedBytes: number;
  /** Files that have each of the question's terms. */
  frequencies: ReadonlyMap<string, number>;
};

/**
 * The statistics that the whole index would have, as far as they can be told. Among the few files chosen for a question nearly every one has
 * its words, so that no word would count as rare.
 */
export function asOfWhole(
  { units, files }: { units: TermStatistics; files: TermStatistics },
  whole: WholeStatistics,
): { units: TermStatistics; files: TermStatistics } {
  if (files.count === 0 || whole.indexedBytes === 0) return { units, files };
  const growth = Math.max(1, whole.bytes / whole.indexedBytes);
  const inFiles = (term: string, known: number) => Math.max(known, whole.frequencies.get(term) ?? known * growth);
  return {
    units: {
      ...units,
      count: Math.round(units.count * growth),
      frequencies: new Map(
        [...units.frequencies].map(([term, known]) => {
          const ofFiles = Math.max(1, files.frequencies.get(term) ?? 1);
          return [term, Math.max(1, Math.round((known / ofFiles) * inFiles(term, ofFiles)))];
        }),
      ),
    },
    files: {
      ...files,
      count: Math.max(files.count, whole.files),
      frequencies: new Map([...files.frequencies].map(([term, known]) => [term, Math.round(inFiles(term, known))])),
    },
  };
}
