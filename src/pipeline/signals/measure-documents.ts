import type { Candidate } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { chunkPlace } from "../../sources/documents/document-items.ts";
import type { Finding } from "../finding.ts";

import type { SignalColumns } from "./columns.ts";
import { measurePassages } from "./measure-passages.ts";
import type { TextPart } from "./whole-texts.ts";

const noTerms = new Uint8Array(0);

/** A word that was meant is not quite the word that was asked for. */
const misspelt = 0.8;

/** The signals of stored documents: as of other texts, and what was found to the letter, by name or in spite of a misspelling. */
export function measureDocuments(finding: Finding, recipe: Recipe): SignalColumns {
  const { candidates, evidence } = finding;
  const parts = candidates.map(({ item }): TextPart => {
    const { tokens, count } = chunkPlace(item);
    return { whole: item.path, size: tokens * count, terms: evidence.unitTerms.get(item.id) ?? noTerms };
  });
  const measured = measurePassages(finding, recipe, { parts, heading: "name" });
  const { columns, certainty } = measured;
  // What asks for these documents names all of them alike: that tells none of their chunks from the others.
  const exact = candidates.map((each) => exactly(each, finding.ask.certain !== true));
  return {
    ...measured,
    columns: { ...columns, text: columns.text!.map((value, i) => Math.max(value, exact[i]!)) },
    certainty: certainty.map((value, i) => Math.max(value, exact[i]!)),
  };
}

/** What is in a document or a file as it was asked for: its name or path, a quotation, a name of code. */
export function toTheLetter({ signals }: Candidate): number {
  const { named = 0, phrase = 0, identifier = 0, symbol = 0, path = 0 } = signals;
  return Math.max(named, phrase, identifier, symbol, path);
}

function exactly({ signals }: Candidate, byName: boolean): number {
  const { fuzzy = 0, named = 0, phrase = 0, identifier = 0 } = signals;
  return Math.max(fuzzy * misspelt, byName ? named : 0, phrase, identifier);
}
