import { type Points, squaredDistance } from "./points.ts";

/** The edges of a minimum spanning tree: edge i joins `from[i]` and `to[i]` at the squared distance `weights[i]`. */
export type SpanningTree = { from: Int32Array; to: Int32Array; weights: Float64Array };

const rowsPerPause = 100;

/**
 * Prim's algorithm over mutual reachability, max(core of one, core of the other, their distance), all squared.
 * Distances are computed when needed: memory grows with the points, not with their square. Ties go to the smaller
 * index.
 */
export async function spanningTree(
  points: Points,
  core: Float64Array,
  pause?: () => Promise<void>,
): Promise<SpanningTree> {
  const { count } = points;
  const edges = Math.max(0, count - 1);
  const tree = { from: new Int32Array(edges), to: new Int32Array(edges), weights: new Float64Array(edges) };
  // The points outside the tree, ascending, with the nearest point of the tree.
  const outside = Int32Array.from({ length: edges }, (_, i) => i + 1);
  const distanceToTree = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const nearest = new Int32Array(count);
  let current = 0;
  for (let edge = 0; edge < edges; edge++) {
    if (edge % rowsPerPause === 0) await pause?.();
    const remaining = edges - edge;
    let best = 0;
    for (let i = 0; i < remaining; i++) {
      const point = outside[i]!;
      const floor = Math.max(core[current]!, core[point]!);
      // The core distance is a lower bound, so most pairs need not be measured again.
      if (floor < distanceToTree[point]!) {
        const distance = Math.max(floor, squaredDistance(points, current, point, distanceToTree[point]!));
        if (distance < distanceToTree[point]!) {
          distanceToTree[point] = distance;
          nearest[point] = current;
        }
      }
      if (distanceToTree[point]! < distanceToTree[outside[best]!]!) best = i;
    }
    current = outside[best]!;
    tree.from[edge] = nearest[current]!;
    tree.to[edge] = current;
    tree.weights[edge] = distanceToTree[current]!;
    outside.copyWithin(best, best + 1, remaining);
  }
  return tree;
}
