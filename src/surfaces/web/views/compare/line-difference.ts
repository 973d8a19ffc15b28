/** One row of two texts side by side: a line of each, where there is one. */
export type AlignedRow = { left?: number; right?: number; same: boolean };

/**
 * Lines that two texts share, in order (patience difference): what is the same at both ends, then lines that both have
 * once, and between those the same again. Not always the shortest difference, but one that people read easily, and
 * quick whatever the texts.
 */
export function alignLines(left: readonly string[], right: readonly string[]): AlignedRow[] {
  const rows: AlignedRow[] = [];
  align(left, right, { left: 0, right: 0 }, { left: left.length, right: right.length }, rows);
  return rows;
}

type At = { left: number; right: number };

function align(left: readonly string[], right: readonly string[], from: At, to: At, rows: AlignedRow[]): void {
  let start = from;
  while (start.left < to.left && start.right < to.right && left[start.left] === right[start.right]) {
    rows.push({ ...start, same: true });
    start = { left: start.left + 1, right: start.right + 1 };
  }
  let end = to;
  while (end.left > start.left && end.right > start.right && left[end.left - 1] === right[end.right - 1])
    end = { left: end.left - 1, right: end.right - 1 };
  const shared = inOrder(uniqueInBoth(left, right, start, end));
  if (shared.length === 0) different(start, end, rows);
  else {
    let before = start;
    for (const each of shared) {
      align(left, right, before, each, rows);
      rows.push({ ...each, same: true });
      before = { left: each.left + 1, right: each.right + 1 };
    }
    align(left, right, before, end, rows);
  }
  for (let at = 0; at < to.left - end.left; at++) rows.push({ left: end.left + at, right: end.right + at, same: true });
}

/** Lines without a partner stand beside each other, pair by pair, then alone. */
function different(from: At, to: At, rows: AlignedRow[]): void {
  const [onLeft, onRight] = [to.left - from.left, to.right - from.right];
  for (let at = 0; at < Math.max(onLeft, onRight); at++) {
    rows.push({
      ...(at < onLeft && { left: from.left + at }),
      ...(at < onRight && { right: from.right + at }),
      same: false,
    });
  }
}

/** Lines that each text has exactly once between two places, in the order of the left one. */
function uniqueInBoth(left: readonly string[], right: readonly string[], from: At, to: At): At[] {
  const places = (lines: readonly string[], start: number, end: number) => {
    const positions = new Map<string, number>();
    for (let at = start; at < end; at++) positions.set(lines[at]!, positions.has(lines[at]!) ? -1 : at);
    return positions;
  };
  const onRight = places(right, from.right, to.right);
  return [...places(left, from.left, to.left)].flatMap(([line, at]) => {
    const other = onRight.get(line) ?? -1;
    return at >= 0 && other >= 0 ? [{ left: at, right: other }] : [];
  });
}

/** The longest run of pairs whose places grow on both sides. */
function inOrder(pairs: At[]): At[] {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, { right }] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.right < right) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = at;
  }
  const chain: At[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) chain.push(pairs[at]!);
  return chain.reverse();
}

/** Where two lines begin and end to differ: `[start, end)` of each. */
export function changedPart(left: string, right: string): { left: [number, number]; right: [number, number] } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let commonEnd = 0;
  while (commonEnd < shorter - start && left.at(-1 - commonEnd) === right.at(-1 - commonEnd)) commonEnd++;
  return { left: [start, left.length - commonEnd], right: [start, right.length - commonEnd] };
}
