import type { Recipe } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { ask, type RankedPlaces } from "./ask.ts";
import { baseline } from "./baseline.ts";
import { type Estimate, mean } from "./bootstrap.ts";
import { type Case, type CaseKind, caseKinds } from "./case.ts";
import { type CaseAnswer, type CaseMeasures, type MeasureName, measure, rankOf } from "./measures.ts";
import { pairedFigures } from "./paired-figures.ts";

/** One measure of one kind of cases: the product, plain BM25 on the same cases, and what lies between them. */
type Figure = {
  kind: CaseKind;
  measure: MeasureName;
  dossier: Estimate;
  bm25: Estimate;
  difference: Estimate;
};

export type Miss = {
  case: Case;
  /** Rank of the best expected place; absent if none was found. */
  rank?: number;
  baselineRank?: number;
  /** The best places in the answer. */
  instead: string[];
};

export type Evaluation = {
  figures: Figure[];
  /** Mean number of tokens of the documents, by kind. */
  tokens: { kind: CaseKind; dossier: number; bm25: number }[];
  misses: Miss[];
};

export type EvaluationOptions = {
  maxTokens: number;
  misses: number;
  seed: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

type Judged = {
  case: Case;
  ours: CaseMeasures;
  theirs: CaseMeasures;
  tokens: [ours: number, theirs: number];
  miss: Miss;
};

/** Evaluates every case with the product and with plain BM25. Only numbers are kept of an answer. */
export async function evaluate(
  workspace: Workspace,
  cases: readonly Case[],
  recipe: Recipe,
  options: EvaluationOptions,
): Promise<Evaluation> {
  const { maxTokens, signal, progress } = options;
  const { withoutOrigins = [] } = recipe.noteFilter ?? {};
  const plain = await baseline(workspace, cases, { withoutOrigins, signal });
  const judged: Judged[] = [];
  for (const each of cases) {
    signal?.throwIfAborted();
    progress?.({ stage: "asking", done: judged.length, total: cases.length });
    const answer = await ask(each, maxTokens, recipe, workspace);
    judged.push(judge(each, answer, await plain.ask(each, maxTokens)));
  }
  const kinds = caseKinds.filter((kind) => judged.some((each) => each.case.kind === kind));
  return {
    figures: kinds.flatMap((kind) => figuresOf(kind, judged, options.seed)),
    tokens: kinds.map((kind) => {
      const of = judged.filter((each) => each.case.kind === kind);
      return { kind, dossier: mean(of.map(({ tokens }) => tokens[0])), bm25: mean(of.map(({ tokens }) => tokens[1])) };
    }),
    misses: worst(judged).slice(0, options.misses),
  };
}

function judge(each: Case, answer: CaseAnswer & RankedPlaces, plain: CaseAnswer): Judged {
  const [rank, baselineRank] = [rankOf(each, answer), rankOf(each, plain)];
  return {
    case: each,
    ours: measure(each, answer),
    theirs: measure(each, plain),
    tokens: [answer.tokens, plain.tokens],
    miss: {
      case: each,
      ...(rank === undefined ? {} : { rank }),
      ...(baselineRank === undefined ? {} : { baselineRank }),
      instead: answer.first,
    },
  };
}

function figuresOf(kind: CaseKind, judged: readonly Judged[], seed: number): Figure[] {
  const pairs = judged.filter((each) => each.case.kind === kind);
  return pairedFigures(pairs, seed).map(({ ours: dossier, theirs: bm25, ...figure }) => ({
    kind,
    ...figure,
    dossier,
    bm25,
  }));
}

/** A later rank counts as a miss. */
const acceptable = 5;

/**
 * Cases that were found late or never. Those that plain BM25 found early come first: there the product makes it worse.
 */
function worst(judged: readonly Judged[]): Miss[] {
  const late = (rank: number | undefined) => Math.min(rank ?? 1000, 1000);
  return judged
    .map(({ miss }) => miss)
    .filter(({ rank }) => late(rank) > acceptable)
    .sort(
      (a, b) =>
        Number(late(b.baselineRank) <= acceptable) - Number(late(a.baselineRank) <= acceptable) ||
        late(b.rank) - late(a.rank) ||
        (a.case.id < b.case.id ? -1 : 1),
    );
}
