import { gramSimilarities } from "../embed/grams.ts";
import { passageSignals } from "../recipes/passages.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Field } from "../text/terms.ts";
import type { Finding } from "./1-resolve.ts";
import { fieldCosines, inverseFrequency, weighQuery } from "./bm25.ts";
import { measureTexts } from "./measure-texts.ts";
import { type Measured, shareOfBest } from "./signals.ts";
import { type Part, scoreWholes } from "./wholes.ts";

export type Passages = {
  /** One for each candidate. */
  parts: readonly Part[];
  /** Parts of the same wholes that are no candidates. */
  others?: readonly Part[];
  /** The field that says what a passage stands under. */
  heading: Field;
};

/**
 * The signals of passages, which are read as parts of something longer: what the whole says counts more than the few words of one of its
 * parts.
 */
export function measurePassages(finding: Finding, recipe: Recipe, { parts, others = [], heading }: Passages): Measured {
  const { query, candidates, evidence } = finding;
  const { columns, certainty } = measureTexts(finding, recipe);
  // A chat has five signals of its own, and asks here for the text alone.
  if (recipe.chat) return { columns, certainty };
  const terms = weighQuery(query.terms, evidence.units, query.also);
  const wholes = scoreWholes([...parts, ...others], terms, recipe.question);
  const weights = { ...passageSignals, asked: recipe.records.signals.asked };
  const rare = inverseFrequency(0, evidence.units.count) / 2;
  const called = candidates.map(({ item }) => item.name);
  return {
    columns: {
      ...columns,
      whole: shareOfBest(parts.map(({ whole }) => wholes.get(whole)!)),
      name: shareOfBest(
        fieldCosines(
          parts.map((part) => part.terms),
          terms,
          heading,
          rare,
        ),
      ),
      spelling: shareOfBest(spellings(query.text, called, columns.text!)),
    },
    certainty,
    weightsOf: () => weights,
  };
}

/** How many of the best by text are compared by spelling: it costs more than the other signals together. */
const spelled = 150;

function spellings(query: string, names: string[], texts: number[]): number[] {
  const best = names
    .map((_, i) => i)
    .sort((a, b) => texts[b]! - texts[a]! || a - b)
    .slice(0, spelled);
  const column = names.map(() => 0);
  const alike = gramSimilarities(
    query,
    best.map((i) => names[i]!),
  );
  for (const [at, i] of best.entries()) column[i] = alike[at]!;
  return column;
}
