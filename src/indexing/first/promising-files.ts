import { isTestPath } from "../../sources/code/test-paths.ts";
import { pathMatcher } from "../../stores/globs.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { DescribeJob } from "../files/describe.ts";
import type { Scan } from "./scan.ts";

/** The result of scanning one file. */
export type Scanned = { job: DescribeJob; counts: Uint16Array; defines: boolean };

export type PromisingOptions = {
  /** Globs that restrict the question. */
  paths?: string[];
  mostFiles: number;
  mostBytes: number;
};

/**
 * Saturation of repeated terms and length normalisation, as in BM25. Lengths are in bytes, since words are not counted.
 */
const saturation = 1.2;
const lengthShare = 0.5;
/** A term in a path weighs more than one in the text, and a definition of a name in the question weighs most. */
const inPath = 1.5;
const defined = 4;
/** Tests repeat the words of the code they test; documents repeat them even more, so both weigh less. */
const ofTest = 0.5;

/** Document frequency of each of the scan's terms. */
export function documentFrequencies(files: readonly Scanned[], { terms }: Scan): number[] {
  return terms.map((_, place) => files.reduce((sum, { counts }) => sum + (counts[place]! > 0 ? 1 : 0), 0));
}

/** The files that most likely contain the answer, best first, by words and names alone. */
export function promisingFiles(files: readonly Scanned[], scan: Scan, options: PromisingOptions): DescribeJob[] {
  const { terms, query } = scan;
  const documents = documentFrequencies(files, scan);
  const worth = terms.map(({ weight }, index) => weight * rarity(documents[index]!, files.length));
  const averageSize = files.reduce((sum, { job }) => sum + job.size, 0) / Math.max(1, files.length);
  const isIncluded = options.paths ? pathMatcher(options.paths) : () => true;
  const namedPaths = query.paths.map(({ path }) => path);

  const rated = files
    .filter(({ job }) => isIncluded(job.path))
    .map(({ job, counts, defines }) => {
      const length = 1 - lengthShare + lengthShare * (job.size / averageSize);
      const pathTerms = new Set(analyse(job.path));
      let score = 0;
      for (let index = 0; index < terms.length; index++) {
        const count = counts[index]!;
        if (count > 0) score += (worth[index]! * (count * (saturation + 1))) / (count + saturation * length);
        if (pathTerms.has(terms[index]!.term)) score += worth[index]! * inPath;
      }
      if (!query.wantsTests && isTestPath(job.path)) score *= ofTest;
      if (defines) score += defined * Math.max(0, ...worth);
      const isNamed = namedPaths.some(
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
