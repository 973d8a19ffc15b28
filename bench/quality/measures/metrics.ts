/** What an answer is worth, 0..1: what was found, best first, against what is known to be right. */

/** 1 / the place of the first right one; 0 when none is among them. */
export function reciprocalRank(found: readonly string[], gold: ReadonlySet<string>): number {
  const place = found.findIndex((id) => gold.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/**
 * Discounted gain of the first `depth` against that of the best order, as trec_eval counts it: grade / log2(place + 1).
 * Grades of 0 or less are those of wrong ones; a question without a right one has no value.
 */
export function ndcg(found: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number | undefined {
  const ideal = gain([...grades.values()].sort((a, b) => b - a).slice(0, depth));
  if (ideal === 0) return undefined;
  return gain(found.slice(0, depth).map((id) => grades.get(id) ?? 0)) / ideal;
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + Math.max(0, grade) / Math.log2(index + 2), 0);
}

/** 1 when every right one is among the first `depth`, else 0. */
export function allWithin(found: readonly string[], gold: readonly string[], depth: number): number {
  const first = new Set(found.slice(0, depth));
  return gold.every((id) => first.has(id)) ? 1 : 0;
}

/** The share of the right ones that is among these. */
export function recall(found: Iterable<string>, gold: readonly string[]): number {
  const all = new Set(found);
  return gold.filter((id) => all.has(id)).length / gold.length;
}

/** In rank order, without those that do not fit any more. */
export function packed<T>(ranked: readonly T[], costOf: (each: T) => number, budget: number): T[] {
  let left = budget;
  return ranked.filter((each) => {
    const cost = costOf(each);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
