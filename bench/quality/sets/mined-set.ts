import { context } from "../../../src/index.ts";
import { inRevision, isChosen, isReachable, shortName } from "../data/repositories.ts";
import { sampleOf } from "../data/rows.ts";
import { type Answer, answerOf, type Lines, linesIn } from "../measures/answer.ts";
import { plainWindows, type WindowFiles } from "../measures/windows.ts";
import { type SourceFile, sourceFiles } from "../mining/files.ts";
import { type MinedRevision, minedRevisions } from "../mining/revisions.ts";
import type { Asked, QualitySet, Scores } from "../set.ts";
import { isPartial } from "./questions.ts";

/** A question; `hints`: what is passed with it as an agent's guesses. */
type MinedCase = { query: string; hints?: string };

/** What is mined from a tree: a question, and what its answer is worth. */
export type MinedSet<Case extends MinedCase> = {
  name: string;
  about: string;
  /** What BM25 beside it searches; code alone without it. */
  baseline?: WindowFiles;
  /** The same in every run. `repo` is owner/name. */
  mine(files: readonly SourceFile[], repo: string): Case[];
  idOf(mined: Case): string;
  /** Reported apart; without it by repository. */
  groupOf?(mined: Case): string;
  scoresOf(answer: Answer, mined: Case, lines: Lines): Scores;
  /** Asked a second time with another budget, in tokens. */
  also?: { budget: number; scoresOf(answer: Answer, mined: Case): Scores };
};

const budget = 4000;

export function minedSet<Case extends MinedCase>(
  set: MinedSet<Case>,
  revisions: readonly MinedRevision[] = minedRevisions,
): QualitySet {
  return {
    name: set.name,
    about: set.about,
    lacks: (run) =>
      revisions.some((each) => isReachable(run, each)) ? undefined : "no --repos with these repositories are given",
    async measure(run) {
      const reachable = revisions.filter((each) => isChosen(run, each.repo, each.part) && isReachable(run, each));
      const asked: Asked[] = [];
      const milliseconds: number[] = [];
      let texts = 0;
      for (const { part, ...revision } of reachable) {
        run.tell?.(`${set.name}: ${revision.repo}`);
        await inRevision(run, revision, async (folder, workspace) => {
          const cases = sampleOf(set.mine(sourceFiles(folder), revision.repo), run.sample);
          const windows = await plainWindows(workspace, set.baseline);
          texts += windows.files;
          const lines = linesIn(folder);
          const { minScore } = run;
          const options = {
            path: folder,
            maxTokens: budget,
            refresh: false,
            ...(minScore !== undefined && { minScore }),
          };
          for (const mined of cases) {
            const start = performance.now();
            const result = await context({ ...options, ...askedOf(mined) }, { workspace });
            milliseconds.push(performance.now() - start);
            const answer = answerOf(result, lines);
            const plain = windows.ask(`${mined.query} ${mined.hints ?? ""}`);
            const dossier = { ...set.scoresOf(answer, mined, lines), refused: Number(answer.spans.length === 0) };
            const bm25 = set.scoresOf(plain(budget), mined, lines);
            if (set.also) {
              const maxTokens = set.also.budget;
              const second = await context({ ...options, maxTokens, ...askedOf(mined) }, { workspace });
              Object.assign(dossier, set.also.scoresOf(answerOf(second, lines), mined));
              Object.assign(bm25, set.also.scoresOf(plain(maxTokens), mined));
            }
            const group = set.groupOf?.(mined) ?? shortName(revision.repo);
            asked.push({ id: `${shortName(revision.repo)}: ${set.idOf(mined)}`, part, group, dossier, bm25 });
          }
        });
      }
      const partial = isPartial(run) || reachable.length < revisions.length;
      return { set: set.name, texts, asked, milliseconds, partial };
    },
  };
}

function askedOf({ query, hints }: MinedCase): MinedCase {
  return hints === undefined ? { query } : { query, hints };
}
