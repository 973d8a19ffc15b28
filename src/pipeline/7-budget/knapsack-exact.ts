import { greedyValue, type Option } from "./knapsack.ts";

/** Limit on the size of the table: about two milliseconds. */
const largestTable = 600_000;
/** Most options of a class: their numbers fit into a byte, with 0 for none. */
const mostOptions = 254;

/**
 * The exact optimum of the multiple-choice knapsack, by dynamic programming over the capacity. Costs are integers.
 * Undefined if the table would be too large.
 */
export function chooseOptimal(classes: readonly (readonly Option[])[], capacity: number): number[] | undefined {
  if (capacity < 0) return undefined;
  const width = capacity + 1;
  const open = openOptions(classes, capacity);
  const owners = classes.map((_, owner) => owner).filter((owner) => open[owner]!.length > 0);
  const options = owners.reduce((sum, owner) => sum + open[owner]!.length, 0);
  if (options * width > largestTable || owners.some((owner) => classes[owner]!.length > mostOptions)) return undefined;
  // The best value for every capacity without and with the current class: two rows that are swapped, since there are
  // many classes.
  let before = new Float64Array(width);
  let best = new Float64Array(width);
  // For every capacity, the index of the taken option plus one; 0 for none.
  const taken = new Uint8Array(owners.length * width);
  for (const [position, owner] of owners.entries()) {
    [before, best] = [best, before];
    best.set(before);
    const row = position * width;
    for (const index of open[owner]!) {
      const { cost, value } = classes[owner]![index]!;
      for (let room = cost; room < width; room++) {
        const worth = before[room - cost]! + value;
        if (worth > best[room]!) {
          best[room] = worth;
          taken[row + room] = index + 1;
        }
      }
    }
  }
  let left = capacity;
  const chosen = classes.map(() => -1);
  for (let position = owners.length - 1; position >= 0; position--) {
    const owner = owners[position]!;
    const index = taken[position * width + left]! - 1;
    chosen[owner] = index;
    if (index >= 0) left -= classes[owner]![index]!.cost;
  }
  return chosen;
}

/**
 * Options that may be part of the optimum, by a Lagrangian bound: at any price per unit of capacity, no choice is worth
 * more than the price of the capacity plus the best surplus (value minus priced cost) of every class. Options whose
 * bound is below a known feasible value are removed.
 */
function openOptions(classes: readonly (readonly Option[])[], capacity: number): number[][] {
  const { value: feasibleValue, price } = greedyValue(classes, capacity);
  const gain = ({ cost, value }: Option) => value - price * cost;
  const bestGains = classes.map((options) => options.reduce((best, option) => Math.max(best, gain(option)), 0));
  const bound = bestGains.reduce((sum, each) => sum + each, price * capacity);
  // Tolerance for rounding: sums in another order may differ in the last digits.
  const threshold = feasibleValue - 1e-9 * Math.max(1, bound);
  return classes.map((options, owner) =>
    options.flatMap((option, index) => {
      const isOpen = option.cost <= capacity && bound - bestGains[owner]! + gain(option) >= threshold;
      return isOpen ? [index] : [];
    }),
  );
}
