import { type Points, squaredDistance } from "./points.ts";

/** Rows between two pauses: some 20 ms at 5,000 points of 64 dimensions. */
const rowsPerPause = 100;

/**
 * Squared core distances: the distance of a point to its `samples`-th nearest neighbour, itself being the first. With
 * fewer points the farthest counts. Every pair is measured once; only the nearest few of each point are stored.
 */
export async function coreDistances(
  points: Points,
  samples: number,
  pause?: () => Promise<void>,
): Promise<Float64Array> {
  const { count } = points;
  const neighbours = Math.min(samples, count) - 1;
  const core = new Float64Array(count);
  if (neighbours <= 0) return core;
  // The nearest distances of each point, ascending.
  const nearest = new Float64Array(count * neighbours).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    if (i % rowsPerPause === 0) await pause?.();
    for (let j = i + 1; j < count; j++) {
      const limitOfI = nearest[(i + 1) * neighbours - 1]!;
      const limitOfJ = nearest[(j + 1) * neighbours - 1]!;
      const distance = squaredDistance(points, i, j, Math.max(limitOfI, limitOfJ));
      if (distance < limitOfI) insert(nearest, i * neighbours, neighbours, distance);
      if (distance < limitOfJ) insert(nearest, j * neighbours, neighbours, distance);
    }
  }
  for (let i = 0; i < count; i++) core[i] = nearest[(i + 1) * neighbours - 1]!;
  return core;
}

function insert(nearest: Float64Array, from: number, length: number, distance: number): void {
  let at = from + length - 1;
  while (at > from && nearest[at - 1]! > distance) {
    nearest[at] = nearest[at - 1]!;
    at--;
  }
  nearest[at] = distance;
}
