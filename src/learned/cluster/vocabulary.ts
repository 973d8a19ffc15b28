import { analyse } from "../../text/analysis/analyse.ts";

/** Texts as their words, each weighed by how often the text says it and how few of the others do. */
export type Vocabulary = {
  terms: string[];
  texts: WeighedText[];
  /** The sum of all texts' weights, by term. */
  total: Float64Array;
};

/** Terms by number, and their weights: of length 1 together, unless there are none. */
type WeighedText = { terms: Uint32Array; weights: Float64Array };

/** A term of one text relates it to no other, and one that most texts have tells none apart. */
const fewestTexts = 2;
const largestShare = 0.5;

/** Less is no likeness but what is left of numbers that cancel. */
const rounding = 1e-9;

/** Of texts that were analysed. */
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
  const known = [...counts].flatMap(([term, count]) => {
    const number = numbers.get(term);
    return number === undefined ? [] : [{ number, weight: Math.log1p(count) * rarity[number]! }];
  });
  const length = Math.sqrt(known.reduce((sum, { weight }) => sum + weight * weight, 0)) || 1;
  return {
    terms: Uint32Array.from(known, ({ number }) => number),
    weights: Float64Array.from(known, ({ weight }) => weight / length),
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
 * How much more alike the members are, word by word, than they are like the other texts: mean cosine by mean cosine, of all of them together
 * and of each.
 */
export function contrasts(
  { texts, total }: Vocabulary,
  members: readonly number[],
): { together: number; each: number[] } {
  const own = members.map((member) => texts[member]!);
  const inside = sumOf(total.length, own);
  const sums = own.map(({ terms, weights }) => {
    // Each is like itself, which says nothing of the others.
    let within = terms.length > 0 ? -1 : 0;
    let across = 0;
    for (const [i, term] of terms.entries()) {
      within += weights[i]! * inside[term]!;
      across += weights[i]! * (total[term]! - inside[term]!);
    }
    return { within, across };
  });
  const ratio = (within: number, across: number) => {
    const [near, far] = [within / Math.max(1, members.length - 1), across / Math.max(1, texts.length - members.length)];
    if (near <= rounding) return 0;
    return far > rounding ? near / far : Number.POSITIVE_INFINITY;
  };
  const all = (key: "within" | "across") => sums.reduce((sum, each) => sum + each[key], 0) / Math.max(1, sums.length);
  return {
    together: ratio(all("within"), all("across")),
    each: sums.map(({ within, across }) => ratio(within, across)),
  };
}

/** The terms that the members use more than the other texts do, those that tell them apart best first. */
export function tellingTerms({ terms, texts, total }: Vocabulary, members: readonly number[], limit: number): string[] {
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
 * Terms as these texts write them: the most frequent word that is analysed to the term, else the term itself. A capital at the start
 * of a sentence is not part of a word.
 */
export function spelled(terms: readonly string[], texts: readonly string[]): string[] {
  const wanted = new Map(terms.map((term) => [term, new Map<string, number>()]));
  const count = (written: string) => {
    const [term, ...more] = analyse(written);
    const words = more.length === 0 && term !== undefined ? wanted.get(term) : undefined;
    words?.set(written, (words.get(written) ?? 0) + 1);
  };
  for (const text of texts) {
    for (const match of text.matchAll(word)) {
      const starts = /(?:^|[.!?:;\n])\s*$/.test(text.slice(Math.max(0, match.index - 3), match.index));
      const written = starts ? match[0].replace(/^\p{Lu}(?=\p{Ll}*$)/u, (first) => first.toLowerCase()) : match[0];
      for (const piece of written.split(/[.\-'’]/)) count(piece);
    }
  }
  return terms.map((term) => {
    const words = [...wanted.get(term)!].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return words[0]?.[0] ?? term;
  });
}

/** Words of which no two say the same: `min-width` stands beside neither `min` nor `width`. */
export function apart(words: readonly string[]): string[] {
  const said = new Set<string>();
  return words.filter((each) => {
    const pieces = each.toLowerCase().split(/[._\-'’]/);
    const fresh = !pieces.some((piece) => said.has(piece));
    if (fresh) for (const piece of pieces) said.add(piece);
    return fresh;
  });
}
