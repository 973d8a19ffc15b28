import { editDistance } from "./levenshtein.ts";

/** A longer word is not a typo, and the comparison takes time quadratic in the length. */
const longest = 64;

/** The word of `words` that a typo most likely meant, if any is near enough: a third of its letters may differ. */
export function closest(
  typed: string,
  words: readonly string[],
  furthest = Math.ceil(typed.length / 3),
): string | undefined {
  if (typed.length > longest) return undefined;
  const lowerTyped = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = furthest + 1;
  for (const word of words) {
    // The difference in length is a lower bound of the edit distance.
    if (Math.abs(word.length - typed.length) >= bestDistance) continue;
    const distance = editDistance(lowerTyped, word.toLowerCase());
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** The words closest to an unknown one, the nearest first: words spelled alike, or one that contains the other. */
export function closestWords(typed: string, words: readonly string[], most: number): string[] {
  if (typed.length > longest) return [];
  const lowerTyped = typed.toLowerCase();
  const furthest = Math.ceil(typed.length / 3);
  return words
    .filter(({ length }) => length <= longest)
    .map((word) => {
      const lower = word.toLowerCase();
      const isPart =
        lowerTyped.length > 2 && lower.length > 2 && (lower.includes(lowerTyped) || lowerTyped.includes(lower));
      return { word, distance: isPart ? 0.5 : editDistance(lowerTyped, lower) };
    })
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map(({ word }) => word);
}

/** Most words listed; the others are only counted. */
const mostListed = 30;

/** The alternatives to an unknown word: "there are general, writing. Did you mean writing?" */
export function alternatives(typed: string, words: readonly string[]): string {
  if (words.length === 1) return `there is only ${words[0]}.`;
  const more = words.length > mostListed ? ` and ${words.length - mostListed} more` : "";
  const guess = closest(typed, words);
  return `there are ${words.slice(0, mostListed).join(", ")}${more}.${guess ? ` Did you mean ${guess}?` : ""}`;
}
