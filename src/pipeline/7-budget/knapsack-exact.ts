import { nearlyBest, type Option } from "./knapsack.ts";

/** Steps of the table that are worth taking: about two milliseconds. */
const affordable = 600_000;
/** Options of a class that a byte can tell apart. */
const mostOptions = 254;

/**
 * The choice that is worth most, for certain: dynamic programming over the capacity. Undefined where the table would be too large; costs are
 * whole numbers.
 */
export function chooseExactly(classes: readonly (readonly Option[])[], capacity: number): number[] | undefined {
  if (capacity < 0) return undefined;
  const width = capacity + 1;
  const open = openOptions(classes, capacity);
  const owners = classes.map((_, owner) => owner).filter((owner) => open[owner]!.length > 0);
  const options = owners.reduce((sum, owner) => sum + open[owner]!.length, 0);
  if (options * width > affordable || owners.some((owner) => classes[owner]!.length > mostOptions)) return undefined;
  // What is worth most in every room without and with the class at hand: two rows that take turns, for there are many classes.
  let before = new Float64Array(width);
  let best = new Float64Array(width);
  // One more than the index of the option that was taken in every room; 0 for none.
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
  let room = capacity;
  const chosen = classes.map(() => -1);
  for (let position = owners.length - 1; position >= 0; position--) {
    const owner = owners[position]!;
    const index = taken[position * width + room]! - 1;
    chosen[owner] = index;
    if (index >= 0) room -= classes[owner]![index]!.cost;
  }
  return chosen;
}

/**
 * The options that may be in the best choice. At any price for a unit of capacity, no choice is worth more than the capacity costs and what
 * every class's best option brings beyond its own cost; an option with which that is less than what is known to be possible is never taken.
 */
function openOptions(classes: readonly (readonly Option[])[], capacity: number): number[][] {
  const { value: possible, price } = nearlyBest(classes, capacity);
  const gain = ({ cost, value }: Option) => value - price * cost;
  const most = classes.map((options) => options.reduce((best, option) => Math.max(best, gain(option)), 0));
  const bound = most.reduce((sum, each) => sum + each, price * capacity);
  // Sums taken in another order may differ in the last digits.
  const least = possible - 1e-9 * Math.max(1, bound);
  return classes.map((options, owner) =>
    options.flatMap((option, index) => {
      const isOpen = option.cost <= capacity && bound - most[owner]! + gain(option) >= least;
      return isOpen ? [index] : [];
    }),
  );
}
