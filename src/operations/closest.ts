/** The word of `words` that a typing slip most likely meant, if any is near enough: a third of its letters may differ. */
export function closest(
  typed: string,
  words: readonly string[],
  furthest = Math.ceil(typed.length / 3),
): string | undefined {
  const wanted = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = furthest + 1;
  for (const word of words) {
    const distance = slips(wanted, word.toLowerCase());
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters added, lost, replaced or swapped with their neighbour between two words. */
function slips(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
