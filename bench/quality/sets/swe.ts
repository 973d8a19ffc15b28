import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, openWorkspace, search, type Workspace } from "../../../src/index.ts";
import { lacking, rowsOf, sampleOf } from "../data/rows.ts";
import { allWithin, recall } from "../measures/metrics.ts";
import { printedLines } from "../measures/printed-lines.ts";
import type { Asked, QualitySet, Run, Scores } from "../set.ts";
import { type Plain, plainCode } from "./swe-baseline.ts";
import { type Issue, inOrder, prepareTree, reachable } from "./swe-trees.ts";

/**
 * Issues, and where the change that closed them was made: every file, every function, and the lines that were changed
 * or deleted.
 */
const fileRanks = [1, 3, 5, 10];
const oneFileRank = 5;
const functionRanks = [5, 10];
const budgets = [4000, 8000, 16_000];
const most = 50;

export const swe: QualitySet = {
  name: "swe",
  about: "issues of Python repositories, and the files, functions and lines that were changed to close them",
  lacks: (run) => lacking(run.data, "swe", "dev.jsonl") ?? unreachable(run),
  async measure(run) {
    const all = rowsOf<Issue>(join(run.data, "swe", "dev.jsonl"));
    const issues = inOrder(sampleOf(reachable(all, run), run.sample));
    const milliseconds: number[] = [];
    const asked: Asked[] = [];
    const plain = plainCode();
    let texts = 0;
    await eachTree(issues, run, async (issue, folder) => {
      const workspace = await openWorkspace(folder);
      try {
        const answer = await ask(issue, folder, workspace);
        milliseconds.push(answer.milliseconds);
        const baseline = await plain(workspace, issue.query);
        texts += baseline.texts;
        asked.push({
          id: issue.id,
          group: issue.repo.slice(issue.repo.indexOf("/") + 1),
          dossier: scoresOf(answer, issue),
          bm25: scoresOf(baseline, issue),
        });
      } finally {
        await workspace.close();
      }
    });
    const left = all.length - reachable(all, run).length;
    const remarks =
      left > 0 ? [`${left} of ${all.length} issues are not prepared; --repos says where their mirrors are.`] : [];
    return { set: "swe", texts, asked, milliseconds, remarks, partial: left > 0 };
  },
};

function unreachable(run: Run): string | undefined {
  const issues = rowsOf<Issue>(join(run.data, "swe", "dev.jsonl"));
  return reachable(issues, run).length > 0 ? undefined : "no --repos are given, and the --cache has no prepared issue";
}

async function eachTree(
  issues: Issue[],
  run: Run,
  work: (issue: Issue, folder: string) => Promise<void>,
): Promise<void> {
  const temporary = run.cache === undefined ? mkdtempSync(join(tmpdir(), "dossier-swe-")) : undefined;
  const cache = run.cache ?? temporary!;
  let before: { repo: string; folder: string } | undefined;
  try {
    for (const [i, issue] of issues.entries()) {
      run.tell?.(`swe: ${i + 1} of ${issues.length}, ${issue.id}`);
      const sameRepo = before?.repo === issue.repo ? before.folder : undefined;
      const folder = await prepareTree(issue, sameRepo, {
        cache,
        ...(run.repos !== undefined && { repos: run.repos }),
      });
      if (temporary !== undefined && before) rmSync(before.folder, { recursive: true, force: true });
      before = { repo: issue.repo, folder };
      await work(issue, folder);
    }
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

type Found = Plain & { milliseconds: number };

async function ask({ query }: Issue, path: string, workspace: Workspace): Promise<Found> {
  const asked = { query, path, limit: most, minScore: 0 };
  const files = await search({ ...asked, types: ["file"] }, { workspace });
  const start = performance.now();
  const functions = await search({ ...asked, types: ["function", "method", "class"], refresh: false }, { workspace });
  const milliseconds = performance.now() - start;
  const shown = new Map<number, Set<string>>();
  for (const budget of budgets) shown.set(budget, await linesOf(query, path, budget, workspace));
  return {
    files: [...new Set(files.results.map((result) => result.path))],
    functions: [...new Set(functions.results.map(({ qualifiedName }) => qualifiedName))],
    lines: (budget) => shown.get(budget)!,
    milliseconds,
  };
}

/** `path:line` of every line of a file that the document shows. */
async function linesOf(query: string, path: string, maxTokens: number, workspace: Workspace): Promise<Set<string>> {
  const { items } = await context({ query, path, maxTokens, minScore: 0, refresh: false }, { workspace });
  const shown = new Set<string>();
  for (const item of items) {
    if (item.level === "pointer" || (item.source !== "code" && item.source !== "file")) continue;
    const lines = readFileSync(join(path, item.path), "utf8").split("\n");
    for (const line of printedLines(item, lines)) shown.add(`${item.path}:${line}`);
  }
  return shown;
}

function scoresOf(found: Plain, { gold_files, gold_functions, gold_lines }: Issue): Scores {
  const functions = gold_functions.map(({ file, name }) => `${file}::${name}`);
  const lines = gold_lines.flatMap(({ file, deleted_or_changed }) =>
    deleted_or_changed.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `${file}:${first + i}`),
    ),
  );
  return {
    ...Object.fromEntries(fileRanks.map((rank) => [`file Acc@${rank}`, allWithin(found.files, gold_files, rank)])),
    ...(gold_files.length === 1 && {
      [`one file Acc@${oneFileRank}`]: allWithin(found.files, gold_files, oneFileRank),
    }),
    ...(functions.length > 0 &&
      Object.fromEntries(
        functionRanks.map((rank) => [`function Acc@${rank}`, allWithin(found.functions, functions, rank)]),
      )),
    ...(lines.length > 0 &&
      Object.fromEntries(
        budgets.map((budget) => [`lines within ${budget / 1000}k`, recall(found.lines(budget), lines)]),
      )),
  };
}
