import { type Recipe, withoutMeaning } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace.ts";
import { ask } from "./ask.ts";
import { type Estimate, estimate, pairedDifference } from "./bootstrap.ts";
import { type Case, type CaseKind, caseKinds } from "./case.ts";
import type { EvaluationOptions } from "./evaluate.ts";
import { type Measured, type MeasureName, measure, measureNames } from "./measures.ts";

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
  const judged: { kind: CaseKind; ours: Measured; theirs: Measured }[] = [];
  for (const each of cases) {
    signal?.throwIfAborted();
    progress?.({ stage: "asking without the model", done: judged.length, total: cases.length });
    const ours = measure(each, await ask(each, maxTokens, recipe, workspace));
    const theirs = measure(each, await ask(each, maxTokens, plain, workspace));
    judged.push({ kind: each.kind, ours, theirs });
  }
  return caseKinds.flatMap((kind) =>
    measureNames.flatMap((name): ModelFigure[] => {
      const of = judged.filter((each) => each.kind === kind && each.ours[name] !== undefined);
      if (of.length === 0) return [];
      const ours = of.map((each) => each.ours[name]!);
      const theirs = of.map((each) => each.theirs[name]!);
      return [
        {
          kind,
          measure: name,
          with: estimate(ours, seed),
          without: estimate(theirs, seed),
          difference: pairedDifference(ours, theirs, seed),
        },
      ];
    }),
  );
}
