/**
 * Insertions, deletions, replacements and swapped neighbours between two words. Optimal string alignment: no part of a
 * word is edited twice.
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let beforeLast = new Uint16Array(width);
  let last = Uint16Array.from({ length: width }, (_, i) => i);
  let current = new Uint16Array(width);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let best = Math.min(last[j]! + 1, current[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1);
      current[j] = best;
    }
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length]!;
}
