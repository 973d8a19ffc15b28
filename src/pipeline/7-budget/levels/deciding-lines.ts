import type { LineStructure } from "../../../text/truncation/line-structure.ts";

/** Which lines of a function decide, besides the lines that have words of the question. */

const work =
  /\b(?:if|else|elif|elsif|unless|for|while|until|loop|switch|case|match|when|select|catch|except|rescue|throw|raise|return|yield|await|defer)\b|=>|&&|\|\||\?\./;

type Comments = Pick<LineStructure, "isComment">;

/** Whether a function decides or ends on a line: a function with many such lines does the work. */
export function decides(text: string, line: number, { isComment }: Comments): boolean {
  return work.test(text) && !isComment(line);
}

/** The weight of a line that decides, as a share of the heaviest line's. */
const decision = 0.2;

/**
 * Adds the weights of lines that decide; they measure what a cut loses. With words alone, a cut was as good as the
 * function though its conditions were folded. Of 241 short questions a function that does it is whole for 76.8 %
 * instead of 75.1, in as many tokens; 133 long ones are at 81.6 instead of 81.7. If these weights also choose which
 * lines are kept, 70.7 % of the needed lines are printed instead of 71.3.
 */
export function withDecisions(weights: readonly number[], lines: readonly string[], comments: Comments): number[] {
  const added = decision * Math.max(0, ...weights);
  return weights.map((weight, line) => weight + (decides(lines[line]!, line, comments) ? added : 0));
}

/** How many of a function's last lines count, each with this share of its heaviest line's weight. */
const ending = { lines: 4, share: 0.5 };
/** A line of brackets or `end` alone does not count as an ending. */
const closer = /^[\s)\]};,]*(?:end)?[\s)\]};,]*$/;

/**
 * Adds the weights of the function's ending: the final result, if no branch was taken, seldom has a word of the
 * question (`NotFoundHandler().ServeHTTP(w, r)` for "when no route matches"). Of 133 questions 71.4 % of the needed
 * lines are printed instead of 70.9; of 241 short ones a function that does it is whole for 75.5 % instead of 73.9.
 */
export function withEnding(weights: readonly number[], lines: readonly string[], { isComment }: Comments): number[] {
  const weighed = [...weights];
  const least = ending.share * Math.max(0, ...weights);
  let left = ending.lines;
  for (let line = lines.length - 1; line > 0 && left > 0; line--) {
    if (closer.test(lines[line]!) || isComment(line)) continue;
    weighed[line] = Math.max(weighed[line]!, least);
    left--;
  }
  return weighed;
}

/** Lines on either side that a relevant line raises: to order a cut that grows, and to order lines of equal weight. */
const reach = { growing: 12, equals: 6 };

/** The relevance around each line, itself included: several relevant lines close together mark the right place. */
export function nearness(weights: readonly number[], lines = reach.equals): number[] {
  const near = new Array<number>(weights.length).fill(0);
  for (const [line, weight] of weights.entries()) {
    if (weight === 0) continue;
    const [first, last] = [Math.max(0, line - lines), Math.min(weights.length - 1, line + lines)];
    for (let other = first; other <= last; other++) near[other]! += weight * (1 - Math.abs(line - other) / (lines + 1));
  }
  return near;
}

/** The same lines, ordered by the relevance around them. */
export function byNearness(order: readonly number[], weights: readonly number[]): number[] {
  const near = nearness(weights, reach.growing);
  // Nearness counts up to the weight of the heaviest line; beyond that, the given order decides.
  const most = Math.max(0, ...weights);
  const nearest = (line: number) => Math.min(most, near[line]!);
  return [...order].sort((a, b) => nearest(b) - nearest(a));
}
