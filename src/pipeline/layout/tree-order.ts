import type { Unique } from "../unique.ts";

/**
 * The position of each item (by rank) in a document that shows how it was reached: a tree in pre-order, with the branch
 * of the best item first. One-line notes that lead only to other one-line notes come before notes with headings, in the
 * order they were written. Positions do not depend on which items are printed.
 */
export function treePositions(all: readonly Unique[]): number[] {
  const best = new Map<string, number>();
  const orders = new Map(all.map(({ item, facts }) => [item.id, Number(facts?.order ?? 0)]));
  const headed = new Set(
    all.filter((each) => !isLine(each)).flatMap(({ item, via = [] }) => [item.id, ...via.map(({ id }) => id)]),
  );
  const plain = new Set(all.filter(({ item }) => !headed.has(item.id)).map(({ item }) => item.id));
  const chains = all.map(({ item, via = [] }, rank) => {
    const chain = [...via.map(({ id }) => id).reverse(), item.id];
    for (const id of chain) if (!best.has(id)) best.set(id, rank);
    return chain;
  });
  const compare = (a: number, b: number) => {
    const [left, right] = [chains[a]!, chains[b]!];
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      if (left[i] === right[i]) continue;
      if (plain.has(left[i]!) && plain.has(right[i]!)) {
        const written = (orders.get(left[i]!) ?? 0) - (orders.get(right[i]!) ?? 0);
        if (written !== 0) return written;
      }
      const lineFirst = Number(plain.has(right[i]!)) - Number(plain.has(left[i]!));
      return lineFirst || best.get(left[i]!)! - best.get(right[i]!)! || (left[i]! < right[i]! ? -1 : 1);
    }
    return left.length - right.length || a - b;
  };
  const positions: number[] = [];
  for (const [position, rank] of [...all.keys()].sort(compare).entries()) positions[rank] = position;
  return positions;
}

/** A note of one line, without tags and fields. */
function isLine({ facts, lines, distance }: Unique): boolean {
  return distance > 0 && lines.length === 1 && facts?.tags === undefined && facts?.fields === undefined;
}
