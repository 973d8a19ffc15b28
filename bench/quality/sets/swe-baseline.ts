import { tokenCounter, type Workspace } from "../../../src/index.ts";
import { type Bag, bagOf, bm25, type Vocabulary } from "../measures/bm25.ts";
import { packed } from "../measures/metrics.ts";

/** A function, method or class as the index found it. */
type Unit = {
  path: string;
  qualifiedName: string;
  isFunction: boolean;
  first: number;
  last: number;
  text: string;
  bag: Bag;
};
type Source = { path: string; bag: Bag; units: Unit[] };

export type Plain = {
  files: string[];
  functions: string[];
  /** `path:line` of what functions in rank order print within a budget of tokens. */
  lines(budget: number): Set<string>;
};

/** Functions that are tried for a budget. */
const mostPrinted = 500;

/**
 * Plain BM25 over the files of code that the product has indexed, tests and all, and over their functions and classes.
 * Issues of one repository share most of their files, so what was read of a file is kept as long as it is the same.
 */
export function plainCode(): (workspace: Workspace, query: string) => Promise<Plain & { texts: number }> {
  const vocabulary: Vocabulary = new Map();
  let sourceByPath = new Map<string, Source | undefined>();
  const counter = tokenCounter("o200k_base");
  return async (workspace, query) => {
    const now: typeof sourceByPath = new Map();
    for (const { path, hash } of await workspace.store.files(workspace.owner)) {
      const key = `${hash} ${path}`;
      now.set(key, sourceByPath.has(key) ? sourceByPath.get(key) : await read(workspace, path, vocabulary));
    }
    sourceByPath = now;
    const sources = [...now.values()]
      .filter((source) => source !== undefined)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const units = sources.flatMap((source) => source.units);
    const ranked = <T extends { bag: Bag }>(list: T[]): T[] =>
      bm25(
        list.map(({ bag }) => bag),
        vocabulary,
      )(query).map(({ place }) => list[place]!);
    const byRank = ranked(units);
    const printable = byRank.filter(({ isFunction }) => isFunction).slice(0, mostPrinted);
    const costs = new Map(printable.map((unit) => [unit, counter.count(`${unit.path}\n${unit.text}\n`)]));
    return {
      texts: sources.length,
      files: ranked(sources).map(({ path }) => path),
      functions: byRank.map(({ qualifiedName }) => qualifiedName),
      lines(budget) {
        const shown = new Set<string>();
        for (const { path, first, last } of packed(printable, (unit) => costs.get(unit)!, budget)) {
          for (let line = first; line <= last; line++) shown.add(`${path}:${line}`);
        }
        return shown;
      },
    };
  };
}

/** Undefined for what is no code. */
async function read({ store, owner }: Workspace, path: string, vocabulary: Vocabulary): Promise<Source | undefined> {
  const items = await store.itemsOf(owner, path);
  const file = items.some(({ kind }) => kind === "file") ? await store.file(owner, path) : undefined;
  if (!file) return undefined;
  const lines = file.text.split("\n");
  const units = items
    .filter(({ kind }) => kind === "function" || kind === "method" || kind === "class")
    .map(({ qualifiedName, kind, startLine, endLine }): Unit => {
      const text = lines.slice(startLine - 1, endLine).join("\n");
      const isFunction = kind !== "class";
      return { path, qualifiedName, isFunction, first: startLine, last: endLine, text, bag: bagOf(text, vocabulary) };
    });
  return { path, bag: bagOf(`${path}\n${file.text}`, vocabulary), units };
}
