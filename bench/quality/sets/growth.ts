import { context } from "../../../src/index.ts";
import { inRevision, isChosen, isReachable, shortName } from "../data/repositories.ts";
import { answerOf, linesIn } from "../measures/answer.ts";
import type { Asked, QualitySet } from "../set.ts";
import { leadCases, leadRevisions } from "./leads.ts";
import { isPartial } from "./questions.ts";

const budgets = [500, 750, 1000, 1500, 2000, 2500, 3000, 4000, 6000, 8000];
/** Every fourth question. */
const step = 4;

/**
 * A larger budget must not take away what a smaller one has. Measures of each pair of neighbouring budgets:
 * - `first kept`, `three kept`: all lines of the smaller answer's first item, of its three best ranked, are in the larger.
 * - `lines kept`: share of all its lines that are.
 */
export const growth: QualitySet = {
  name: "growth",
  about: "whether an answer within more tokens has what one within fewer has",
  lacks: (run) => (leadRevisions.some((each) => isReachable(run, each)) ? undefined : "no --repos are given"),
  async measure(run) {
    const reachable = leadRevisions.filter((each) => isChosen(run, each.repo, each.part) && isReachable(run, each));
    const chosen = leadCases.filter((_, index) => index % step === 0);
    const asked: Asked[] = [];
    const milliseconds: number[] = [];
    for (const { part, ...revision } of reachable) {
      run.tell?.(`growth: ${revision.repo}`);
      await inRevision(run, revision, async (folder, workspace) => {
        const lines = linesIn(folder);
        for (const { query } of chosen.filter(({ repo }) => repo === revision.repo)) {
          let before: Map<number, string[]> | undefined;
          for (const maxTokens of run.budgets ?? budgets) {
            const start = performance.now();
            const result = await context({ path: folder, query, maxTokens, refresh: false }, { workspace });
            milliseconds.push(performance.now() - start);
            const now = new Map(
              result.items.map((item) => {
                const [span] = answerOf({ items: [item], tokens: result.tokens }, lines).spans;
                return [item.rank, (span?.lines ?? []).map((line) => `${item.path}:${line}`)];
              }),
            );
            if (before) {
              const dossier = { ...keptOf(before, now), "tokens used": result.tokens.used };
              asked.push({
                id: `${shortName(revision.repo)}: ${query}`,
                part,
                group: `${maxTokens} tokens`,
                dossier,
                bm25: {},
              });
            }
            before = now;
          }
        }
      });
    }
    return { set: "growth", texts: 0, asked, milliseconds, partial: isPartial(run) };
  },
};

function keptOf(before: Map<number, string[]>, now: Map<number, string[]>): Record<string, number | undefined> {
  const shown = new Set([...now.values()].flat());
  const isKept = (ranks: number) => {
    const lines = [...before].filter(([rank]) => rank <= ranks).flatMap(([, lines]) => lines);
    return lines.length === 0 ? undefined : Number(lines.every((line) => shown.has(line)));
  };
  const all = [...before.values()].flat();
  const kept = all.filter((line) => shown.has(line)).length;
  return {
    "first kept": isKept(1),
    "three kept": isKept(3),
    "lines kept": all.length === 0 ? undefined : kept / all.length,
  };
}
