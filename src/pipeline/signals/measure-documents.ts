import type { Candidate } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { chunkPlace } from "../../sources/documents/document-items.ts";
import type { Finding } from "../finding.ts";

import type { SignalColumns } from "./columns.ts";
import { measurePassages } from "./measure-passages.ts";
import type { TextPart } from "./whole-texts.ts";

const noTerms = new Uint8Array(0);

/** Factor for a match through a corrected spelling. */
const typoFactor = 0.8;

/**
 * The signals of stored documents: those of passages, raised by exact matches (name, phrase, identifier) and by matches
 * of a corrected spelling.
 */
export function measureDocuments(finding: Finding, recipe: Recipe): SignalColumns {
  const { candidates, evidence } = finding;
  const parts = candidates.map(({ item }): TextPart => {
    const { tokens, count } = chunkPlace(item);
    return { whole: item.path, size: tokens * count, terms: evidence.unitTerms.get(item.id) ?? noTerms };
  });
  const measured = measurePassages(finding, recipe, { parts, heading: "name" });
  const { columns, certainty } = measured;
  // A certain ask names whole documents, so the name does not distinguish their chunks.
  const exact = candidates.map((each) => documentMatch(each, finding.ask.certain !== true));
  return {
    ...measured,
    columns: { ...columns, text: columns.text!.map((value, i) => Math.max(value, exact[i]!)) },
    certainty: certainty.map((value, i) => Math.max(value, exact[i]!)),
  };
}

/** The best exact match of a candidate: its name or path, a quoted phrase, an identifier. */
export function exactMatchOf({ signals }: Candidate): number {
  const { named = 0, phrase = 0, identifier = 0, symbol = 0, path = 0 } = signals;
  return Math.max(named, phrase, identifier, symbol, path);
}

function documentMatch({ signals }: Candidate, byName: boolean): number {
  const { fuzzy = 0, named = 0, phrase = 0, identifier = 0 } = signals;
  return Math.max(fuzzy * typoFactor, byName ? named : 0, phrase, identifier);
}
