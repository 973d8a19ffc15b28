import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { context, openWorkspace } from "../../src/index.ts";
import { rowsOf } from "../quality/data/rows.ts";
import { printedLines } from "../quality/measures/printed-lines.ts";
import { structureOf, type Tear, tears, tornBy } from "./torn-spans.ts";

/**
 * How many printed parts of files are torn: a comment without its end, a bracket without the other, a line without the
 * head of its scope. Asks the questions of `leads`, and the largest files by their path and by their name, of trees
 * that `bench:quality --cache` has made.
 */
const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    budgets: { type: "string", default: "500,1000,2000,4000" },
    only: { type: "string" },
    show: { type: "string" },
    most: { type: "string", default: "20" },
  },
});

const questions = rowsOf<{ repo: string; query: string }>(
  new URL("../quality/leads/questions.jsonl", import.meta.url).pathname,
);
const source = /\.(?:rb|exs?|java|kt|c|cc|cpp|h|hpp|cs|php|rs|go|tsx?|jsx?|py)$/;
const largestFiles = 6;
const marked = /(?:\.\.\.|…) \d+ lines?/;
const budgets = values.budgets!.split(",").map(Number);
const counts = new Map<string, Record<string, number>>();
let shownExamples = 0;

function add(group: string, key: string, by = 1): void {
  const row = counts.get(group) ?? {};
  row[key] = (row[key] ?? 0) + by;
  counts.set(group, row);
}

function filesIn(folder: string, below = ""): { path: string; size: number }[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory())
      return /^\.|test|spec|vendor|third_party|node_modules|example|docs?$/i.test(entry.name)
        ? []
        : filesIn(folder, path);
    return entry.isFile() && source.test(entry.name) && !/test|spec|\.min\./i.test(entry.name)
      ? [{ path, size: statSync(join(folder, path)).size }]
      : [];
  });
}

for (const tree of readdirSync(values.cache!).sort()) {
  const repo = tree
    .replace(/^tree-/, "")
    .replace(/-[0-9a-f]+$/, "")
    .replace("+", "/");
  if (values.only && !values.only.split(",").some((name) => repo.endsWith(`/${name}`))) continue;
  const folder = join(values.cache!, tree);
  const largest = filesIn(folder)
    .sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1))
    .slice(0, largestFiles);
  const queries = [
    ...questions.filter((each) => each.repo === repo).map(({ query }) => query),
    ...largest.flatMap(({ path }) => [path, path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "")]),
  ];
  const workspace = await openWorkspace(folder);
  const structures = new Map<string, Awaited<ReturnType<typeof structureOf>>>();
  for (const query of queries) {
    for (const maxTokens of budgets) {
      const { items } = await context({ path: folder, query, maxTokens, refresh: false }, { workspace });
      for (const item of items) {
        if (item.source !== "code" || item.level === "pointer" || item.level === "signature") continue;
        const content = readFileSync(join(folder, item.path), "utf8");
        if (!structures.has(item.path)) structures.set(item.path, await structureOf(item.path, content));
        const structure = structures.get(item.path);
        if (!structure) continue;
        const lines = content.split(/\r?\n/);
        const numbers = printedLines(item, lines);
        const shown = new Set(numbers.map((number) => number - 1));
        const torn = tornBy(structure, shown, item.startLine - 1, item.endLine - 1);
        const onDisk = new Set(lines.map((line) => line.trimEnd()));
        const invented = item.text.split("\n").filter((line) => !onDisk.has(line.trimEnd()) && !marked.test(line));
        for (const group of ["all", String(maxTokens), repo]) {
          add(group, "parts");
          if (item.level !== "full") add(group, "folded");
          if (torn.length > 0 || invented.length > 0) add(group, "torn");
          if (invented.length > 0) add(group, "invented");
          for (const tear of tears) if (torn.some((each) => each.tear === tear)) add(group, tear);
        }
        const wanted =
          values.show === "invented" ? invented.length > 0 : torn.some((each) => each.tear === values.show);
        if (wanted && shownExamples++ < Number(values.most)) {
          console.log(
            `\n=== ${repo} ${maxTokens} "${query}" ${item.path}:${item.startLine}-${item.endLine} ${item.level} ${item.kind}`,
          );
          console.log(
            invented.slice(0, 3),
            torn
              .filter(({ tear }) => tear === values.show)
              .slice(0, 3)
              .map(({ line }) => `${line + 1}: ${lines[line]}`),
          );
          console.log(item.text.split("\n").slice(0, 60).join("\n"));
        }
      }
    }
  }
  await workspace.close();
}

const columns = ["parts", "folded", "torn", ...tears, "invented"] as (Tear | string)[];
console.log("".padEnd(24), columns.map((name) => name.padStart(9)).join(" "));
for (const [group, row] of counts)
  console.log(group.padEnd(24), columns.map((name) => String(row[name] ?? 0).padStart(9)).join(" "));
