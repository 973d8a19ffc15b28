import type { Option } from "./knapsack.ts";

/** Steps of the table that are worth taking: about two milliseconds. */
const affordable = 600_000;

/**
 * The choice that is worth most, for certain: dynamic programming over the capacity. Undefined where the table would be too large; costs are
 * whole numbers.
 */
export function chooseExactly(classes: readonly (readonly Option[])[], capacity: number): number[] | undefined {
  const options = classes.reduce((sum, { length }) => sum + length, 0);
  if (capacity < 0 || options * (capacity + 1) > affordable) return undefined;
  let best = new Float64Array(capacity + 1);
  const taken = classes.map((each) => {
    const next = best.slice();
    const choice = new Int16Array(capacity + 1).fill(-1);
    each.forEach(({ cost, value }, index) => {
      for (let room = cost; room <= capacity; room++) {
        const worth = best[room - cost]! + value;
        if (worth > next[room]!) {
          next[room] = worth;
          choice[room] = index;
        }
      }
    });
    best = next;
    return choice;
  });
  let room = capacity;
  const chosen = classes.map(() => -1);
  for (let i = classes.length - 1; i >= 0; i--) {
    chosen[i] = taken[i]![room]!;
    if (chosen[i]! >= 0) room -= classes[i]![chosen[i]!]!.cost;
  }
  return chosen;
}
