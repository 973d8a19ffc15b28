import { analyse } from "../../text/analysis/analyse.ts";

/** TF-IDF vectors of texts: each term is weighted by how often the text has it and how few others do. */
export type Vocabulary = {
  terms: string[];
  texts: WeighedText[];
  /** The sum of the weights over all texts, by term. */
  total: Float64Array;
};

/** Terms by number, and their weights, normalised to length 1 unless empty. */
type WeighedText = { terms: Uint32Array; weights: Float64Array };

/** A term of a single text relates it to no other, and one that most texts have distinguishes none. */
const fewestTexts = 2;
const largestShare = 0.5;

/** A smaller value is rounding error. */
const rounding = 1e-9;

/** The vocabulary of analysed texts. */
export function vocabularyOf(analysed: readonly string[][]): Vocabulary {
  const counts = analysed.map(countTerms);
  const frequencies = countTerms(counts.flatMap((each) => [...each.keys()]));
  const most = Math.max(fewestTexts, analysed.length * largestShare);
  const terms = [...frequencies.keys()].filter((term) => {
    const frequency = frequencies.get(term)!;
    return frequency >= fewestTexts && frequency <= most;
  });
  terms.sort();
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const rarity = terms.map((term) => Math.log(analysed.length / frequencies.get(term)!));
  const texts = counts.map((each) => weigh(each, numbers, rarity));
  return { terms, texts, total: sumOf(terms.length, texts) };
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function weigh(counts: Map<string, number>, numbers: Map<string, number>, rarity: number[]): WeighedText {
  const weighed = [...counts].flatMap(([term, count]) => {
    const number = numbers.get(term);
    return number === undefined ? [] : [{ number, weight: Math.log1p(count) * rarity[number]! }];
  });
  const length = Math.sqrt(weighed.reduce((sum, { weight }) => sum + weight * weight, 0)) || 1;
  return {
    terms: Uint32Array.from(weighed, ({ number }) => number),
    weights: Float64Array.from(weighed, ({ weight }) => weight / length),
  };
}

function sumOf(terms: number, texts: readonly WeighedText[]): Float64Array {
  const sum = new Float64Array(terms);
  for (const text of texts) {
    for (let i = 0; i < text.terms.length; i++) sum[text.terms[i]!]! += text.weights[i]!;
  }
  return sum;
}

/**
 * How much more similar the members are to each other than to the other texts: ratio of mean cosines, for all together
 * and for each.
 */
export function contrasts(
  { texts, total }: Vocabulary,
  members: readonly number[],
): { together: number; each: number[] } {
  const own = members.map((member) => texts[member]!);
  const inside = sumOf(total.length, own);
  const sums = own.map(({ terms, weights }) => {
    // Without the similarity of each text to itself.
    let within = terms.length > 0 ? -1 : 0;
    let across = 0;
    for (const [i, term] of terms.entries()) {
      within += weights[i]! * inside[term]!;
      across += weights[i]! * (total[term]! - inside[term]!);
    }
    return { within, across };
  });
  const ratio = (within: number, across: number) => {
    const [meanInside, meanOutside] = [
      within / Math.max(1, members.length - 1),
      across / Math.max(1, texts.length - members.length),
    ];
    if (meanInside <= rounding) return 0;
    return meanOutside > rounding ? meanInside / meanOutside : Number.POSITIVE_INFINITY;
  };
  const all = (key: "within" | "across") => sums.reduce((sum, each) => sum + each[key], 0) / Math.max(1, sums.length);
  return {
    together: ratio(all("within"), all("across")),
    each: sums.map(({ within, across }) => ratio(within, across)),
  };
}

/** The terms that the members use more than the other texts, the most distinctive first. */
export function distinctiveTerms(
  { terms, texts, total }: Vocabulary,
  members: readonly number[],
  limit: number,
): string[] {
  const others = Math.max(1, texts.length - members.length);
  const inside = sumOf(
    total.length,
    members.map((member) => texts[member]!),
  );
  const worth = inside.map((sum, term) => sum / members.length - (total[term]! - sum) / others);
  return [...terms.keys()]
    .filter((term) => worth[term]! > 0)
    .sort((a, b) => worth[b]! - worth[a]! || a - b)
    .slice(0, limit)
    .map((term) => terms[term]!);
}

const word = /[\p{L}\p{N}_$]+(?:[.\-'’][\p{L}\p{N}_$]+)*/gu;

/**
 * Terms as these texts spell them: the most frequent word with this term, else the term itself. A capital at the start
 * of a sentence is not part of a word.
 */
export function spelled(terms: readonly string[], texts: readonly string[]): string[] {
  const spellings = new Map(terms.map((term) => [term, new Map<string, number>()]));
  const count = (spelling: string) => {
    const [term, ...more] = analyse(spelling);
    const words = more.length === 0 && term !== undefined ? spellings.get(term) : undefined;
    words?.set(spelling, (words.get(spelling) ?? 0) + 1);
  };
  for (const text of texts) {
    for (const match of text.matchAll(word)) {
      const starts = /(?:^|[.!?:;\n])\s*$/.test(text.slice(Math.max(0, match.index - 3), match.index));
      const normalised = starts ? match[0].replace(/^\p{Lu}(?=\p{Ll}*$)/u, (first) => first.toLowerCase()) : match[0];
      for (const piece of normalised.split(/[.\-'’]/)) count(piece);
    }
  }
  return terms.map((term) => {
    const words = [...spellings.get(term)!].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return words[0]?.[0] ?? term;
  });
}

/** Words without overlap: with `min-width` neither `min` nor `width` is listed. */
export function withoutOverlap(words: readonly string[]): string[] {
  const used = new Set<string>();
  return words.filter((each) => {
    const pieces = each.toLowerCase().split(/[._\-'’]/);
    const isNew = !pieces.some((piece) => used.has(piece));
    if (isNew) for (const piece of pieces) used.add(piece);
    return isNew;
  });
}
