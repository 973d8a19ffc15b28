import type { Word } from "./read-words.ts";
import { likeness, type WordLikeness } from "./spelling.ts";

/** The changes that turn one text into the other. */
export type TextDifference = {
  /** Characters to change. */
  edits: number;
  /** Words in another form, and small words that were added or removed. */
  forms: number;
  /** Mistyped words: certain ones, possible ones, and those that became another word (where the letters count). */
  typos: number;
  doubts: number;
  clashes: number;
};

/** Two words written as one, or one as two: `time out`. It is two changed words. */
const joinEdits = 2;
/** Largest distance between the positions of a word in the two texts. */
const furthest = 12;
/** Limit of words: a longer text is not a message. */
const longest = 1000;

// Costs of steps besides the changed characters, so that the fewest steps win.
const formStep = 0.01;
const skipStep = 0.02;

// Steps of the alignment, as kept for walking back.
const pair = 1;
const skipLeft = 2;
const skipRight = 3;
const joinLeft = 4;
const joinRight = 5;

/**
 * Aligns two texts so that every content word has a partner and at most `mostChanged` words are mistyped; undefined if
 * no such alignment exists.
 */
export function align(a: readonly Word[], b: readonly Word[], mostChanged: number): TextDifference | undefined {
  let start = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (start < aEnd && start < bEnd && a[start]!.text === b[start]!.text) start++;
  while (aEnd > start && bEnd > start && a[aEnd - 1]!.text === b[bEnd - 1]!.text) {
    aEnd--;
    bEnd--;
  }
  const [rows, columns] = [aEnd - start, bEnd - start];
  if (Math.abs(rows - columns) > furthest || Math.max(rows, columns) > longest) return undefined;
  if (rows > 0 && columns > 0) {
    if (mustDiffer(a[start]!, a[start + 1], b[start]!, b[start + 1])) return undefined;
    if (mustDiffer(a[aEnd - 1]!, a[aEnd - 2], b[bEnd - 1]!, b[bEnd - 2])) return undefined;
  }
  const [left, right] = [a.slice(start, aEnd), b.slice(start, bEnd)];
  const steps = cheapest(left, right, mostChanged);
  return steps && walkBack(left, right, steps, mostChanged);
}

/**
 * Whether the outermost words can be neither paired nor skipped nor part of a join: this ends most comparisons before
 * they begin.
 */
function mustDiffer(a: Word, aNext: Word | undefined, b: Word, bNext: Word | undefined): boolean {
  if (a.light >= 0 || b.light >= 0 || likeWords(a, b)) return false;
  const mayJoin = (part: Word, next: Word | undefined, whole: Word) =>
    next !== undefined && part.text.length + next.text.length === whole.text.length;
  return !mayJoin(a, aNext, b) && !mayJoin(b, bNext, a);
}

/** Cells near the diagonal only: cell (i, j) is at `i * band + j - i + furthest`. */
const band = 2 * furthest + 1;

/** The last step of the cheapest path to each pair of positions; undefined when no path reaches the ends. */
function cheapest(a: readonly Word[], b: readonly Word[], mostChanged: number): Uint8Array | undefined {
  const ways = new Ways(a.length);
  for (let i = 0; i <= ways.lastReached; i++) {
    for (let j = Math.max(0, i - furthest); j <= Math.min(b.length, i + furthest); j++) {
      const cost = ways.costTo(i, j);
      if (cost === Number.POSITIVE_INFINITY) continue;
      const [left, right] = [a[i], b[j]];
      if (left && right) {
        const like = likeWords(left, right);
        if (like) ways.reach(i + 1, j + 1, cost + like.edits + (like.kind === "same" ? 0 : formStep), pair);
        const [leftNext, rightNext] = mostChanged >= joinEdits ? [a[i + 1], b[j + 1]] : [];
        if (leftNext && joined(left, leftNext, right)) ways.reach(i + 2, j + 1, cost + joinEdits, joinLeft);
        if (rightNext && joined(right, rightNext, left)) ways.reach(i + 1, j + 2, cost + joinEdits, joinRight);
      }
      if (left && left.light >= 0) ways.reach(i + 1, j, cost + skipStep, skipLeft);
      if (right && right.light >= 0) ways.reach(i, j + 1, cost + skipStep, skipRight);
    }
  }
  return ways.costTo(a.length, b.length) === Number.POSITIVE_INFINITY ? undefined : ways.steps;
}

class Ways {
  readonly steps: Uint8Array;
  lastReached = 0;
  readonly #costs: Float32Array;

  constructor(rows: number) {
    // Two rows of room for steps beyond the end.
    this.#costs = new Float32Array((rows + 3) * band).fill(Number.POSITIVE_INFINITY);
    this.#costs[furthest] = 0;
    this.steps = new Uint8Array(this.#costs.length);
  }

  costTo(i: number, j: number): number {
    return this.#costs[i * band + j - i + furthest]!;
  }

  reach(i: number, j: number, cost: number, step: number): void {
    const offset = j - i + furthest;
    if (offset < 0 || offset >= band) return;
    const at = i * band + offset;
    if (cost >= this.#costs[at]!) return;
    this.#costs[at] = cost;
    this.steps[at] = step;
    this.lastReached = Math.max(this.lastReached, i);
  }
}

function walkBack(
  a: readonly Word[],
  b: readonly Word[],
  steps: Uint8Array,
  mostChanged: number,
): TextDifference | undefined {
  const difference: TextDifference = { edits: 0, forms: 0, typos: 0, doubts: 0, clashes: 0 };
  let changed = 0;
  let left: Word[] = [];
  let right: Word[] = [];
  for (let i = a.length, j = b.length; i > 0 || j > 0; ) {
    const step = steps[i * band + j - i + furthest]!;
    if (step === skipLeft || step === skipRight) {
      if (step === skipLeft) left.push(a[--i]!);
      else right.push(b[--j]!);
      difference.forms++;
      continue;
    }
    if (!exchangeable(left, right)) return undefined;
    [left, right] = [[], []];
    i -= step === joinLeft ? 2 : 1;
    j -= step === joinRight ? 2 : 1;
    if (step === pair) changed += count(difference, likeWords(a[i]!, b[j]!)!);
    else {
      difference.edits += joinEdits;
      changed += joinEdits;
    }
  }
  return exchangeable(left, right) && changed <= mostChanged ? difference : undefined;
}

/** Adds to the difference and returns how many words are changed by it: one, or none. */
function count(difference: TextDifference, { kind, edits }: WordLikeness): number {
  difference.edits += edits;
  if (kind === "form") difference.forms++;
  else if (kind === "typo") difference.typos++;
  else if (kind === "doubt") difference.doubts++;
  else if (kind === "clash") difference.clashes += edits;
  return edits > 0 ? 1 : 0;
}

const same: WordLikeness = { kind: "same", edits: 0 };

function likeWords(a: Word, b: Word): WordLikeness | undefined {
  if (a.text === b.text) return same;
  if (a.exact || b.exact || (a.light >= 0 && b.light >= 0)) return undefined;
  const like = likeness(a.text, b.text);
  return like?.kind === "typo" && a.proper && b.proper ? { kind: "doubt", edits: like.edits } : like;
}

/**
 * Whether small words may be exchanged for others at one place: not when each side has a linking word that the other
 * side lacks.
 */
function exchangeable(left: readonly Word[], right: readonly Word[]): boolean {
  const links = (words: readonly Word[], others: readonly Word[]) =>
    words.some(({ light }) => light > 0 && !others.some((other) => other.light === light));
  return !(links(left, right) && links(right, left));
}

/** `time out` and `timeout`, `10 ms` and `10ms`; never names, nor `1.5` and `15`. */
function joined(first: Word, second: Word, whole: Word): boolean {
  if (first.text.length + second.text.length !== whole.text.length) return false;
  if (first.text + second.text !== whole.text || first.name || second.name || whole.name) return false;
  return /^(?:\p{L}+|\p{Nd}+\p{L}+)$/u.test(whole.text) && !/\p{N}/u.test(second.text);
}
