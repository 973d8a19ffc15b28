import { analyse } from "./analyse.ts";
import { isGeneric } from "./question-words.ts";
import { isKnownWord } from "./synonyms.ts";

/** Words after which a bare name is the subject: "how does ninja decide", "what makes Flask reload". */
const actor = "does|doesn't|did|didn't|makes|lets|causes|tells";
/**
 * Words after which it is the place: "in ninja", "by ninja". Before a common noun they are no evidence: "in requests to
 * other hosts".
 */
const place = "in|inside|within|by|of|from|with|for|to|when|whenever|if|why|can|could|will|would|should|must|is|has";
/** After one of these a word is a common noun: "how is a request sent", "every JWT". */
const determiner =
  /\b(?:an?|the|this|that|these|those|each|every|any|some|which|one|two|its|their|my|our|your|new|custom)\s+$/i;

/** With fewer other words than this, the name may be what is asked for: "what is flask?". */
const fewestWords = 2;

/**
 * The question with the project's own name replaced by "it". In a question to a project its name says nothing, but in
 * its code it is rare, and names what is furthest from the work: entry points, packaging, its version. A name that is a
 * common word as well (requests, express) counts only where the grammar says that the project is meant. Quoted names,
 * paths and parts of identifiers stay.
 */
export function withoutProjectName(text: string, names: readonly string[]): string {
  if (names.length === 0 || text.length > longestText) return text;
  const replaced = names.reduce(replaceName, text);
  if (replaced === text) return text;
  const words = analyse(replaced).filter((term) => !isGeneric(term));
  return new Set(words).size >= fewestWords ? replaced : text;
}

/** A longer text is a report: its words are weighed by where they stand. */
const longestText = 400;

function replaceName(text: string, name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isCommon = isKnownWord(name);
  return text.replace(
    new RegExp(`(?<![\\w.\\-/\`"'@:#$])${escaped}('s)?(?![\\w\\-/\`"':(]|\\.\\w)`, "giu"),
    (match, possessive: string | undefined, at: number) => {
      const before = text.slice(Math.max(0, at - 40), at);
      if (determiner.test(before)) return match;
      const isNamed = new RegExp(`\\b(?:${actor}${isCommon ? "" : `|${place}`})\\s+$`, "i").test(before);
      // A capital inside a sentence marks a name; at its beginning it does not.
      const isCapital = /^\p{Lu}/u.test(match) && /[\p{L}\p{N},;]\s+$/u.test(before);
      if (!isNamed && !isCapital) return match;
      return possessive === undefined ? "it" : "its";
    },
  );
}
