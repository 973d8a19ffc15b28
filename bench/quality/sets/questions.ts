import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { context, type Workspace } from "../../../src/index.ts";
import { inRevision, isChosen, isReachable, shortName } from "../data/repositories.ts";
import { rowsOf, sampleOf } from "../data/rows.ts";
import { type Answer, answerOf, linesIn, sharesOf } from "../measures/answer.ts";
import { recall } from "../measures/metrics.ts";
import { plainWindows } from "../measures/windows.ts";
import type { Asked, Part, QualitySet, Run, Scores } from "../set.ts";

/**
 * Questions of people about how a repository works, and the files and lines that the reference answers cite. Gold was
 * read by pattern, so a few entries are loose: means count, not single questions.
 */
type Question = {
  id: string;
  repo: string;
  base_commit: string;
  query: string;
  gold_files: string[];
  gold_lines: [file: string, first: number, last: number][];
};

/** Weights are chosen on the others; these are only looked at. */
const heldAside = new Set(["pylint-dev/pylint", "sphinx-doc/sphinx"]);
const budgets = [500, 1000, 2000, 4000, 8000];
const usualBudget = 4000;
const fewLines = 6;

export const questions: QualitySet = {
  name: "questions",
  about: "questions about how a repository works, and the files and lines that answer them",
  lacks: (run) => {
    const all = questionsIn(run.data);
    if (all.length === 0) return "the data has no sweqa";
    return all.some((each) => isReachable(run, revisionOf(each))) ? undefined : "no --repos are given";
  },
  async measure(run) {
    const all = questionsIn(run.data);
    const reachable = all.filter(
      (each) => isChosen(run, each.repo, partOf(each.repo)) && isReachable(run, revisionOf(each)),
    );
    const chosen = sampleOf(reachable, run.sample);
    const asked: Asked[] = [];
    const milliseconds: number[] = [];
    let texts = 0;
    for (const repo of [...new Set(chosen.map((each) => each.repo))]) {
      const own = chosen.filter((each) => each.repo === repo);
      run.tell?.(`questions: ${repo}, ${own.length}`);
      await inRevision(run, revisionOf(own[0]!), async (folder, workspace) => {
        const windows = await plainWindows(workspace);
        texts += windows.files;
        const ask = asker(folder, workspace, run);
        for (const question of own) {
          const plain = windows.ask(question.query);
          for (const budget of budgetsOf(run)) {
            const { scores, took } = await ask(question, budget);
            const isUsual = budget === usualBudgetOf(run);
            if (isUsual) milliseconds.push(took);
            asked.push({
              id: question.id,
              part: partOf(repo),
              group: shortName(repo),
              ...(!isUsual && { way: `${budget} tokens` }),
              dossier: scores,
              bm25: scoresOf(plain(budget), question),
            });
          }
        }
      });
    }
    return { set: "questions", texts, asked, milliseconds, partial: isPartial(run) || reachable.length < all.length };
  },
};

function questionsIn(data: string): Question[] {
  const folder = join(data, "sweqa");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) => rowsOf<Question>(join(folder, name)));
}

function revisionOf({ repo, base_commit }: Question) {
  return { repo, commit: base_commit };
}

function partOf(repo: string): Part {
  return heldAside.has(repo) ? "held" : "tuning";
}

/** A run of a part of the questions or with other options than the usual ones is not kept. */
export function isPartial({ only, budgets, minScore }: Run): boolean {
  return only !== undefined || budgets !== undefined || minScore !== undefined;
}

function budgetsOf(run: Run): number[] {
  return run.budgets ?? budgets;
}

/** The budget whose figures are reported by repository and part as well. */
function usualBudgetOf(run: Run): number {
  const chosen = budgetsOf(run);
  return chosen.includes(usualBudget) ? usualBudget : chosen[0]!;
}

function asker(folder: string, workspace: Workspace, { minScore }: Run) {
  const lines = linesIn(folder);
  const options = { path: folder, refresh: false, ...(minScore !== undefined && { minScore }) };
  return async (question: Question, maxTokens: number): Promise<{ scores: Scores; took: number }> => {
    const start = performance.now();
    const result = await context({ ...options, query: question.query, maxTokens }, { workspace });
    const took = performance.now() - start;
    const answer = answerOf(result, lines);
    const printed = result.items.filter(({ level }) => level !== "pointer");
    const short = answer.spans.filter((span) => span.lines.length <= fewLines).length;
    return {
      took,
      scores: {
        ...scoresOf(answer, question),
        refused: Number(printed.length === 0),
        ...(answer.spans.length > 0 && { "short items": short / answer.spans.length, ...sharesOf(result, lines) }),
      },
    };
  };
}

function scoresOf({ spans, used }: Answer, { gold_files, gold_lines }: Question): Scores {
  const gold = new Set(gold_files);
  const wanted = gold_lines.flatMap(([file, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => `${file}:${first + i}`),
  );
  const shown = new Set(spans.flatMap(({ path, lines }) => lines.map((line) => `${path}:${line}`)));
  const files = recall(
    spans.map(({ path }) => path),
    gold_files,
  );
  const lines = wanted.length === 0 ? undefined : recall(shown, [...new Set(wanted)]);
  const inGold = spans.filter(({ path }) => gold.has(path)).reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    files,
    lines,
    "mean of both": lines === undefined ? undefined : (files + lines) / 2,
    "first file": Number(spans[0] !== undefined && gold.has(spans[0].path)),
    "in gold files": used === 0 ? 0 : inGold / used,
    tokens: used,
  };
}
