import { tokenCounter, type Workspace } from "../../../src/index.ts";
import { type Answer, spanOf } from "./answer.ts";
import { type Bag, bagOf, bm25, type Vocabulary } from "./bm25.ts";
import { packed } from "./metrics.ts";

/**
 * The baseline of questions about code: plain BM25 over windows of 40 lines, best first until the budget is full. Files
 * are those that the product has indexed as code and takes for no tests: with documentation and tests among them it
 * finds far less. Where documentation is asked for, it is searched too.
 */
const windowLines = 40;
/** Windows that are tried for a budget. */
const mostTried = 200;

const isWhole: ReadonlySet<string> = new Set(["file", "document", "config"]);

type Window = { path: string; first: number; lines: string[]; bag: Bag };

export type Windows = { files: number; ask(query: string): (budget: number) => Answer };

/** Code alone, or documentation and configuration too. */
export type WindowFiles = "code" | "all";

export async function plainWindows({ store, owner }: Workspace, searched: WindowFiles = "code"): Promise<Windows> {
  const vocabulary: Vocabulary = new Map();
  const windows: Window[] = [];
  let files = 0;
  const paths = (await store.files(owner)).map(({ path }) => path).sort();
  for (const path of paths) {
    const file = (await store.itemsOf(owner, path)).find(({ kind }) =>
      searched === "all" ? isWhole.has(kind) : kind === "file",
    );
    if (!file || file.test) continue;
    files++;
    const lines = ((await store.file(owner, path))?.text ?? "").split("\n");
    for (let start = 0; start < lines.length; start += windowLines) {
      const own = lines.slice(start, start + windowLines);
      windows.push({ path, first: start + 1, lines: own, bag: bagOf(own.join("\n"), vocabulary) });
    }
  }
  const rank = bm25(
    windows.map(({ bag }) => bag),
    vocabulary,
  );
  const counter = tokenCounter("o200k_base");
  const costs = new Map<Window, number>();
  const costOf = (window: Window): number => {
    let cost = costs.get(window);
    if (cost === undefined) {
      costs.set(window, (cost = counter.count(`${window.path}:${window.first}\n${window.lines.join("\n")}\n`)));
    }
    return cost;
  };
  return {
    files,
    ask(query) {
      const best = rank(query)
        .slice(0, mostTried)
        .map(({ place }) => windows[place]!);
      return (budget) => {
        const chosen = packed(best, costOf, budget);
        const spans = chosen.map(({ path, first, lines }) =>
          spanOf(
            path,
            lines.map((_, i) => first + i),
            lines,
          ),
        );
        return { spans, used: chosen.reduce((sum, window) => sum + costOf(window), 0) };
      };
    },
  };
}
