import { type Recipe, withoutMeaning } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { ask } from "./ask.ts";
import type { Estimate } from "./bootstrap.ts";
import { type Case, type CaseKind, caseKinds } from "./case.ts";
import type { EvaluationOptions } from "./evaluate.ts";
import { type MeasureName, measure } from "./measures.ts";
import { type Pair, pairedFigures } from "./paired-figures.ts";

/** One measure of one kind of cases, asked with the workspace's language model and without it. */
export type ModelFigure = {
  kind: CaseKind;
  measure: MeasureName;
  with: Estimate;
  without: Estimate;
  difference: Estimate;
};

/** Asks every case twice. */
export async function compareWithout(
  workspace: Workspace,
  cases: readonly Case[],
  recipe: Recipe,
  { maxTokens, seed, signal, progress }: EvaluationOptions,
): Promise<ModelFigure[]> {
  const plain = withoutMeaning(recipe);
  const judged: (Pair & { kind: CaseKind })[] = [];
  for (const each of cases) {
    signal?.throwIfAborted();
    progress?.({ stage: "asking without the model", done: judged.length, total: cases.length });
    const ours = measure(each, await ask(each, maxTokens, recipe, workspace));
    const theirs = measure(each, await ask(each, maxTokens, plain, workspace));
    judged.push({ kind: each.kind, ours, theirs });
  }
  return caseKinds.flatMap((kind) => {
    const pairs = judged.filter((each) => each.kind === kind);
    return pairedFigures(pairs, seed).map(({ ours, theirs, ...figure }) => ({
      kind,
      ...figure,
      with: ours,
      without: theirs,
    }));
  });
}
