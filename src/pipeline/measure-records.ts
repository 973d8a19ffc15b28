import type { Recipe } from "../recipes/recipe.ts";
import type { Finding } from "./1-resolve.ts";
import { measureNotes } from "./measure-notes.ts";
import { measureTexts } from "./measure-texts.ts";
import type { Measured } from "./signals.ts";

/** The signals of items that are not in files. */
export function measureRecords(finding: Finding, recipe: Recipe): Measured {
  return finding.source.shelf === "note" ? measureNotes(finding, recipe) : measureTexts(finding, recipe);
}
