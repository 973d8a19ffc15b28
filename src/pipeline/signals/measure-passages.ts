import { passageSignals, wholeModel } from "../../recipes/passages.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import type { TermField } from "../../text/analysis/terms.ts";
import type { Finding } from "../finding.ts";

import { fieldCosines, inverseFrequency, weighQuery } from "./bm25.ts";
import { type SignalColumns, shareOfBest } from "./columns.ts";
import { measureTexts } from "./measure-texts.ts";
import { spellings } from "./spelling.ts";
import { scoreWholeTexts, type TextPart } from "./whole-texts.ts";

export type Passages = {
  /** One part for each candidate. */
  parts: readonly TextPart[];
  /** Parts of the same texts that are not candidates. */
  others?: readonly TextPart[];
  /** The field that holds a passage's heading. */
  heading: TermField;
};

/**
 * The signals of passages (parts of a longer text): the score of the whole text counts more than the few words of one
 * part.
 */
export function measurePassages(
  finding: Finding,
  recipe: Recipe,
  { parts, others = [], heading }: Passages,
): SignalColumns {
  const { query, candidates, evidence } = finding;
  const { columns, certainty } = measureTexts(finding, recipe);
  // A chat has its own five signals and needs only the text here.
  if (recipe.chat) return { columns, certainty };
  const terms = weighQuery(query.terms, evidence.units, query.also);
  const wholes = scoreWholeTexts([...parts, ...others], terms, wholeModel);
  const weights = { ...passageSignals, asked: recipe.records.signals.asked };
  const rare = inverseFrequency(0, evidence.units.count) / 2;
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
      spelling: shareOfBest(spellings(query.text, columns.text!, (i) => candidates[i]!.item.name)),
    },
    certainty,
    weightsOf: () => weights,
  };
}
