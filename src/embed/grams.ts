import { memoizeRecent } from "../text/memoize.ts";

/**
 * Similarity of texts in spelling: the cosine of their character 3-, 4- and 5-grams, weighted by rarity. It matches
 * "serialise" with "Serializer" and "normal" with "abnormality", which whole terms do not. It is computed for the
 * candidates of one query and is not stored. Hashed into 192 dimensions beside the learned vector, grams added -.5 to
 * +.3 points for three times the bytes; computed exactly for the candidates they add 1.
 */
const shortest = 3;
const longest = 5;
/** The beginning of a text is enough to distinguish items; reading more only costs time. */
const mostCharacters = 400;
/** A text of that length has at most some 1200 grams, so few of them share a bucket. */
const bucketCount = 1 << 16;

/** 1 + log of a frequency, precomputed: a logarithm for each gram would take a third of the time. */
const damped = Float64Array.from({ length: mostCharacters * longest }, (_, count) => 1 + Math.log(count));

/** One number in 0..1 for each text, in order. The rarity of a gram is counted over these texts alone. */
export function gramSimilarities(query: string, texts: string[]): Float64Array {
  const similarities = new Float64Array(texts.length);
  const queryGrams = countGrams(query);
  const counted = texts.map((text) => rememberedGrams(text.slice(0, mostCharacters)));
  for (const { buckets } of counted) for (let i = 0; i < buckets.length; i++) holders[buckets[i]!]!++;
  const rarity = Float64Array.from({ length: texts.length + 1 }, (_, holderCount) =>
    Math.log(1 + texts.length / Math.max(1, holderCount)),
  );

  // The arithmetic is inlined: most of these lines run before they are compiled, when a call costs more than all of
  // them together.
  let wantedSquares = 0;
  for (let i = 0; i < queryGrams.buckets.length; i++) {
    const bucket = queryGrams.buckets[i]!;
    const weight = damped[queryGrams.counts[i]!]! * rarity[holders[bucket]!]!;
    queryWeights[bucket] = weight;
    wantedSquares += weight ** 2;
  }
  for (let at = 0; at < counted.length; at++) {
    const { buckets, counts } = counted[at]!;
    let dot = 0;
    let squares = 0;
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i]!;
      const weight = damped[counts[i]!]! * rarity[holders[bucket]!]!;
      dot += weight * queryWeights[bucket]!;
      squares += weight * weight;
    }
    if (dot > 0) similarities[at] = Math.min(1, dot / Math.sqrt(squares * wantedSquares));
  }
  for (const { buckets } of counted) for (let i = 0; i < buckets.length; i++) holders[buckets[i]!] = 0;
  for (const bucket of queryGrams.buckets) queryWeights[bucket] = 0;
  return similarities;
}

// Reused for the next question, and all zeros in between: allocating the arrays took as long as filling them.
const holders = new Uint32Array(bucketCount);
const queryWeights = new Float64Array(bucketCount);

/** The distinct grams of a text, hashed, and how often each occurs. */
type Grams = { buckets: Uint16Array; counts: Uint16Array };

// Reused for the next text: `occurrences` is all zeros between two calls.
const occurrences = new Uint16Array(bucketCount);
const distinctBuckets = new Uint16Array(bucketCount);

function countGrams(text: string): Grams {
  let distinct = 0;
  forEachWord(text.slice(0, mostCharacters), (word, length) => {
    for (let from = 0; from + shortest <= length; from++) {
      const end = Math.min(from + longest, length);
      let hash = 0x811c9dc5;
      for (let to = from; to < end; to++) {
        hash = Math.imul(hash ^ word[to]!, 0x01000193);
        if (to - from + 1 < shortest) continue;
        const bucket = (hash ^ (hash >>> 16)) & (bucketCount - 1);
        if (occurrences[bucket]!++ === 0) distinctBuckets[distinct++] = bucket;
      }
    }
  });
  const buckets = distinctBuckets.slice(0, distinct);
  const counts = new Uint16Array(distinct);
  for (let i = 0; i < distinct; i++) {
    counts[i] = occurrences[buckets[i]!]!;
    occurrences[buckets[i]!] = 0;
  }
  return { buckets, counts };
}

const rememberedGrams = memoizeRecent(countGrams, 400_000);

/**
 * A word's edges are part of its first and last grams, so that the beginning of a word differs from the same letters
 * inside a word.
 */
const edge = 1;

/**
 * Calls `visit` for each run of letters and digits, as lower-case UTF-16 units between two edges; camelCase is two
 * words.
 */
function forEachWord(text: string, visit: (word: Uint16Array, length: number) => void): void {
  const lower = text.toLowerCase();
  // Lower-casing changes the length of a few texts ("İ"); those texts only lose the split at camelCase.
  const cased = lower.length === text.length ? text : lower;
  const word = new Uint16Array(lower.length + 2);
  word[0] = edge;
  let length = 1;
  const finish = () => {
    word[length] = edge;
    if (length > 1) visit(word, length + 1);
    length = 1;
  };
  for (let i = 0; i < lower.length; i++) {
    const unit = lower.charCodeAt(i);
    const isUpper = unit !== cased.charCodeAt(i);
    const followsLower = i > 0 && lower.charCodeAt(i - 1) === cased.charCodeAt(i - 1);
    if (!isWordUnit(unit)) finish();
    else {
      if (isUpper && followsLower) finish();
      word[length++] = unit;
    }
  }
  finish();
}

/** Letters, marks and digits of every script; halves of surrogate pairs count as letters. */
function isWordUnit(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  return (unit >= 0xd800 && unit <= 0xdfff) || /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(unit));
}
