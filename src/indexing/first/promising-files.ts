import { isTestPath } from "../../sources/code/tests.ts";
import { pathMatcher } from "../../stores/globs.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { DescribeJob } from "../files/describe.ts";
import type { Scan } from "./scan.ts";

/** One file as the scan saw it. */
export type Scanned = { job: DescribeJob; counts: Uint16Array; defines: boolean };

export type PromisingOptions = {
  /** Globs that limit what is asked for. */
  paths?: string[];
  mostFiles: number;
  mostBytes: number;
};

/** Saturation of repeated terms and the share of a file's length, as in BM25; measured in bytes, since nobody has counted the words. */
const saturation = 1.2;
const lengthShare = 0.5;
/** A term in a path says more than one in a text, and a definition of what is asked for more than anything. */
const inPath = 1.5;
const defined = 4;
/** Tests say the same words as what they test; documents more of them. */
const ofTest = 0.5;

/** How many files have each term, by the places of the scan's terms. */
export function documentFrequencies(files: readonly Scanned[], { terms }: Scan): number[] {
  return terms.map((_, place) => files.reduce((sum, { counts }) => sum + (counts[place]! > 0 ? 1 : 0), 0));
}

/** The files that a question most likely is answered from, best first, by their words and names alone. */
export function promisingFiles(files: readonly Scanned[], scan: Scan, options: PromisingOptions): DescribeJob[] {
  const { terms, query } = scan;
  const documents = documentFrequencies(files, scan);
  const worth = terms.map(({ weight }, place) => weight * rarity(documents[place]!, files.length));
  const averageSize = files.reduce((sum, { job }) => sum + job.size, 0) / Math.max(1, files.length);
  const isWanted = options.paths ? pathMatcher(options.paths) : () => true;
  const asked = query.paths.map(({ path }) => path);

  const rated = files
    .filter(({ job }) => isWanted(job.path))
    .map(({ job, counts, defines }) => {
      const length = 1 - lengthShare + lengthShare * (job.size / averageSize);
      const named = new Set(analyse(job.path));
      let score = 0;
      for (let place = 0; place < terms.length; place++) {
        const count = counts[place]!;
        if (count > 0) score += (worth[place]! * (count * (saturation + 1))) / (count + saturation * length);
        if (named.has(terms[place]!.term)) score += worth[place]! * inPath;
      }
      if (!query.wantsTests && isTestPath(job.path)) score *= ofTest;
      if (defines) score += defined * Math.max(0, ...worth);
      const isNamed = asked.some(
        (path) => job.path === path || job.path.endsWith(`/${path}`) || path.endsWith(`/${job.path}`),
      );
      return { job, score: isNamed ? Number.POSITIVE_INFINITY : score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.job.path < b.job.path ? -1 : 1));

  const chosen: DescribeJob[] = [];
  let bytes = 0;
  for (const { job } of rated) {
    if (chosen.length >= options.mostFiles) break;
    if (bytes + job.size > options.mostBytes && chosen.length > 0) continue;
    chosen.push(job);
    bytes += job.size;
  }
  return chosen;
}

function rarity(documents: number, files: number): number {
  return Math.log(1 + (files - documents + 0.5) / (documents + 0.5));
}
