import type { GeneratedDocs } from "../../tree/generated-docs.ts";
import type { Skipped, SkipReason } from "../../tree/reasons.ts";

/** What a run did, for people and for `--json`. */
export type IndexReport = {
  files: {
    /** Described and written in this run. */
    indexed: number;
    unchanged: number;
    /** Touched on disk, with the same content. */
    touched: number;
    removed: number;
    skipped: Partial<Record<SkipReason, { count: number; examples: string[] }>>;
    /** Folders whose pages were skipped because a tool wrote them. */
    generatedDocs: GeneratedDocs[];
  };
  /** Items written in this run. */
  items: number;
  /** What the index holds now. */
  total: { files: number; items: number };
  /** Bytes of the files that were written. */
  bytes: number;
  milliseconds: number;
  warnings: string[];
};

const shownExamples = 5;

/** Counts by reason, with the first few paths in alphabetical order. */
export function countSkipped(skipped: Skipped[]): IndexReport["files"]["skipped"] {
  const paths = new Map<SkipReason, string[]>();
  for (const { path, reason } of skipped) {
    const list = paths.get(reason);
    if (list) list.push(path);
    else paths.set(reason, [path]);
  }
  const entries = [...paths].map(([reason, list]) => {
    return [reason, { count: list.length, examples: list.sort().slice(0, shownExamples) }] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
