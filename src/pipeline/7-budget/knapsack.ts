/**
 * The multiple-choice knapsack: at most one option of each class, within the capacity, with the highest total value.
 * Greedy on the convex hulls, then local search (exchange one option for one or two others). The greedy pass also
 * solves the linear relaxation: this upper bound of every choice shows how close the result is to the optimum.
 */

export type Option = { cost: number; value: number };

export type KnapsackSelection = {
  /** For each class the index of its option, or -1 for none. */
  chosen: number[];
  cost: number;
  value: number;
  /** An upper bound of the value of every choice within the capacity. */
  bound: number;
};

/** Nearly the best choice, with an upper bound of the optimum. */
export function choose(classes: readonly (readonly Option[])[], capacity: number): KnapsackSelection {
  const { selection, bound } = greedy(classes, capacity);
  improve(classes, capacity, selection);
  // Rounding: sums in another order may differ in the last digits.
  return { ...selection, bound: Math.max(bound, selection.value) };
}

/** The value of the greedy choice, and the price of a unit of capacity there. */
export function greedyValue(
  classes: readonly (readonly Option[])[],
  capacity: number,
): { value: number; price: number } {
  const { selection, price } = greedy(classes, capacity);
  return { value: selection.value, price };
}

/** An upper bound of the value of every choice within the capacity. */
export function upperBound(classes: readonly (readonly Option[])[], capacity: number): number {
  return greedy(classes, capacity).bound;
}

type State = { chosen: number[]; cost: number; value: number };
type Step = { owner: number; from: number; to: number; cost: number; value: number };

const noOption: Option = { cost: 0, value: 0 };
/** Limit on exchanges; a few dozen are usual. */
const mostExchanges = 200;
const epsilon = 1e-12;

/** `price`: value per cost of the first step that does not fit. */
function greedy(
  classes: readonly (readonly Option[])[],
  capacity: number,
): { selection: State; bound: number; price: number } {
  const steps = classes.flatMap((options, owner) => hullSteps(options, owner, capacity));
  steps.sort((a, b) => b.value * a.cost - a.value * b.cost || a.owner - b.owner || a.cost - b.cost);
  const selection: State = { chosen: classes.map(() => -1), cost: 0, value: 0 };
  let bound: number | undefined;
  let price = 0;
  for (const step of steps) {
    const room = capacity - selection.cost;
    if (step.cost > room) {
      if (bound === undefined) price = step.value / step.cost;
      bound ??= selection.value + price * room;
    } else if (selection.chosen[step.owner] === step.from) take(selection, step);
  }
  return { selection, bound: bound ?? selection.value, price };
}

function take(selection: State, step: Step): void {
  selection.chosen[step.owner] = step.to;
  selection.cost += step.cost;
  selection.value += step.value;
}

/** The upper convex hull of a class's options from (0, 0), as steps of falling value per cost. */
function hullSteps(options: readonly Option[], owner: number, capacity: number): Step[] {
  const order = options
    .map((_, index) => index)
    .filter((index) => options[index]!.cost <= capacity && options[index]!.value > 0);
  order.sort((a, b) => options[a]!.cost - options[b]!.cost || options[b]!.value - options[a]!.value || a - b);
  const hull: number[] = [-1];
  const at = (index: number) => (index < 0 ? noOption : options[index]!);
  for (const index of order) {
    const next = at(index);
    if (next.value <= at(hull.at(-1)!).value) continue;
    while (hull.length > 1) {
      const last = at(hull.at(-1)!);
      const before = at(hull.at(-2)!);
      if (
        (last.value - before.value) * (next.cost - before.cost) >
        (next.value - before.value) * (last.cost - before.cost)
      )
        break;
      hull.pop();
    }
    hull.push(index);
  }
  return hull.slice(1).map((to, i) => {
    const from = hull[i]!;
    return { owner, from, to, cost: at(to).cost - at(from).cost, value: at(to).value - at(from).value };
  });
}

/**
 * Local search: replaces one option (or none) by the best one or two others that then fit, as long as the value rises.
 */
function improve(classes: readonly (readonly Option[])[], capacity: number, selection: State): void {
  for (let exchanges = 0; exchanges < mostExchanges; exchanges++) {
    const { up, down } = moves(classes, selection.chosen);
    const table = bestByRoom(up);
    const slack = capacity - selection.cost;
    let best: Step[] = [];
    let bestGain = epsilon;
    const consider = (steps: Step[], gain: number) => {
      if (gain > bestGain) [best, bestGain] = [steps, gain];
    };
    for (const sold of [undefined, ...down]) {
      const room = slack - (sold?.cost ?? 0);
      const soldValue = sold?.value ?? 0;
      const first = bestFor(table, room, sold?.owner, undefined);
      if (!first || first.value + soldValue + (table.highest ?? 0) <= bestGain) continue;
      const second = bestFor(table, room - first.cost, sold?.owner, first.owner);
      const steps = [sold, first, second].filter((step) => step !== undefined);
      consider(steps, soldValue + first.value + (second?.value ?? 0));
    }
    if (best.length === 0) return;
    for (const step of best) take(selection, step);
  }
}

function moves(classes: readonly (readonly Option[])[], chosen: number[]): { up: Step[]; down: Step[] } {
  const up: Step[] = [];
  const down: Step[] = [];
  for (let owner = 0; owner < classes.length; owner++) {
    const options = classes[owner]!;
    const from = chosen[owner]!;
    const current = from < 0 ? noOption : options[from]!;
    for (let to = -1; to < options.length; to++) {
      if (to === from) continue;
      const target = to < 0 ? noOption : options[to]!;
      const step = { owner, from, to, cost: target.cost - current.cost, value: target.value - current.value };
      if (step.value > 0) up.push(step);
      else if (step.cost < 0) down.push(step);
    }
  }
  up.sort((a, b) => a.cost - b.cost || b.value - a.value || a.owner - b.owner);
  return { up, down };
}

/** For every prefix of the steps by cost, the three best steps of three different classes. */
type RoomTable = { steps: Step[]; best: (readonly (Step | undefined)[])[]; highest: number };

function bestByRoom(steps: Step[]): RoomTable {
  let three: (Step | undefined)[] = [];
  let highest = 0;
  const best = steps.map((step) => {
    highest = Math.max(highest, step.value);
    const rivals = three.filter((other) => other!.owner !== step.owner || other!.value >= step.value);
    if (!rivals.some((other) => other!.owner === step.owner)) {
      three = [...rivals, step]
        .sort((a, b) => b!.value - a!.value || a!.cost - b!.cost || a!.owner - b!.owner)
        .slice(0, 3);
    }
    return three;
  });
  return { steps, best, highest };
}

function bestFor({ steps, best }: RoomTable, room: number, notOwner?: number, norOwner?: number): Step | undefined {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]!.cost <= room) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  return best[low - 1]!.find((step) => step!.owner !== notOwner && step!.owner !== norOwner);
}
