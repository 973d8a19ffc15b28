import { analyse } from "../../text/analysis/analyse.ts";
import { sentencesOf } from "../../text/analysis/sentences.ts";
import { shortened } from "../../text/shortened.ts";

const longestExcerpt = 300;
/** Limit of characters that are examined: a chunk is far shorter. */
const longestText = 20_000;

/**
 * The sentences that say most about the terms (analysed, with weights), in their order and at most some 300 characters
 * long; the beginning of the text when none does. `…` marks omissions.
 */
export function excerptOf(
  text: string,
  terms: readonly { term: string; weight: number }[],
  longest: number = longestExcerpt,
): string {
  const weights = new Map<string, number>();
  for (const { term, weight } of terms) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  const sentences = sentencesOf(text.slice(0, longestText))
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
  if (sentences.length === 0) return "";
  const termsBySentence = sentences.map((sentence) => new Set(analyse(sentence).filter((term) => weights.has(term))));
  const chosen = new Set<number>();
  const covered = new Set<string>();
  let length = 0;
  for (;;) {
    let best = -1;
    let bestWorth = 0;
    for (let i = 0; i < sentences.length; i++) {
      if (chosen.has(i)) continue;
      let worth = 0;
      // A term that another sentence has covered is worth little more.
      for (const term of termsBySentence[i]!) worth += weights.get(term)! * (covered.has(term) ? 0.1 : 1);
      worth /= 1 + sentences[i]!.length / 400;
      if (worth > bestWorth) [best, bestWorth] = [i, worth];
    }
    if (best < 0 || (chosen.size > 0 && length + sentences[best]!.length + 3 > longest)) break;
    chosen.add(best);
    for (const term of termsBySentence[best]!) covered.add(term);
    length += sentences[best]!.length + 3;
  }
  if (chosen.size === 0) return shortened(sentences.join(" "), 0, longest);
  if (chosen.size === 1 && length > longest) {
    const [only] = chosen;
    return shortened(sentences[only!]!, firstTerm(sentences[only!]!, weights), longest);
  }
  const order = [...chosen].sort((a, b) => a - b);
  return order.map((at, i) => (i > 0 && order[i - 1] !== at - 1 ? `… ${sentences[at]!}` : sentences[at]!)).join(" ");
}

/** Offset of the first query word. */
function firstTerm(sentence: string, weights: ReadonlyMap<string, number>): number {
  for (const { index, 0: word } of sentence.matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (analyse(word).some((term) => weights.has(term))) return index;
  }
  return 0;
}
