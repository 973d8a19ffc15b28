import type { Recipe } from "../../recipes/recipe.ts";
import type { Finding } from "../finding.ts";

import type { SignalColumns } from "./columns.ts";
import { measurePassages } from "./measure-passages.ts";
import type { TextPart } from "./whole-texts.ts";

/** Weight of a title that matches the question, beside the text signals. */
const titledWeight = 1;

const noTerms = new Uint8Array(0);

/** The signals of notes: a bullet is a passage of its page, and the notes above it are its heading. */
export function measureNotes(finding: Finding, recipe: Recipe): SignalColumns {
  const { candidates, evidence } = finding;
  const termsOf = (id: string) => evidence.unitTerms.get(id) ?? noTerms;
  const parts = candidates.map(({ item: { id, name } }): TextPart => {
    const { page, size } = evidence.pages.get(id) ?? { page: id, size: name.length };
    return { whole: page, size, terms: termsOf(id) };
  });
  const candidateIds = new Set(candidates.map(({ item }) => item.id));
  // A page's title belongs to its text even if it is not a candidate.
  const titles = new Map<string, TextPart>();
  for (const { whole, size } of parts) {
    if (!candidateIds.has(whole)) titles.set(whole, { whole, size, terms: termsOf(whole) });
  }
  const measured = measurePassages(finding, recipe, { parts, others: [...titles.values()], heading: "path" });
  if (recipe.chat) return measured;
  const weights = { ...measured.weightsOf!(candidates[0]!), titled: titledWeight };
  const titled = candidates.map(({ signals }) => signals.titled ?? 0);
  const certainty = measured.certainty.map((each, i) => Math.max(each, titled[i]!));
  return { ...measured, columns: { ...measured.columns, titled }, certainty, weightsOf: () => weights };
}
