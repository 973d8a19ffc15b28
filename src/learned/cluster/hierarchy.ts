import type { SpanningTree } from "./minimum-spanning-tree.ts";

/**
 * The single-linkage hierarchy. Nodes below `count` are the points; each other node joins two nodes, the root last. A
 * node and its child at the same distance are one join of several nodes: see `partsOf`.
 */
export type Hierarchy = {
  count: number;
  /** Distance of node `count + i`. */
  left: Int32Array;
  right: Int32Array;
  distances: Float64Array;
  /** Number of points below each node. */
  sizes: Int32Array;
};

export function hierarchyOf(tree: SpanningTree): Hierarchy {
  const edges = tree.weights.length;
  const count = edges + 1;
  const order = Int32Array.from({ length: edges }, (_, i) => i).sort(
    (a, b) => tree.weights[a]! - tree.weights[b]! || a - b,
  );
  const hierarchy: Hierarchy = {
    count,
    left: new Int32Array(edges),
    right: new Int32Array(edges),
    distances: new Float64Array(edges),
    sizes: new Int32Array(count + edges).fill(1),
  };
  const parents = Int32Array.from({ length: count + edges }, (_, node) => node);
  for (let i = 0; i < edges; i++) {
    const edge = order[i]!;
    const left = top(parents, tree.from[edge]!);
    const right = top(parents, tree.to[edge]!);
    const node = count + i;
    parents[left] = node;
    parents[right] = node;
    hierarchy.left[i] = left;
    hierarchy.right[i] = right;
    hierarchy.distances[i] = Math.sqrt(tree.weights[edge]!);
    hierarchy.sizes[node] = hierarchy.sizes[left]! + hierarchy.sizes[right]!;
  }
  return hierarchy;
}

/** Union-find: the root of the set that this node belongs to. */
function top(parents: Int32Array, node: number): number {
  let current = node;
  while (parents[current] !== current) {
    parents[current] = parents[parents[current]!]!;
    current = parents[current]!;
  }
  return current;
}

function isPoint(hierarchy: Hierarchy, node: number): boolean {
  return node < hierarchy.count;
}

export function distanceOf(hierarchy: Hierarchy, node: number): number {
  return hierarchy.distances[node - hierarchy.count]!;
}

/**
 * The parts that a node splits into just below its distance: everything joined at exactly that distance, at once. So it
 * does not matter which edges of equal length the spanning tree has, and in which order they were joined.
 */
export function partsOf(hierarchy: Hierarchy, node: number): number[] {
  const distance = distanceOf(hierarchy, node);
  const parts: number[] = [];
  const open = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (isPoint(hierarchy, each) || distanceOf(hierarchy, each) !== distance) parts.push(each);
    else open.push(hierarchy.right[each - hierarchy.count]!, hierarchy.left[each - hierarchy.count]!);
  }
  return parts;
}

export function forEachPoint(hierarchy: Hierarchy, node: number, visit: (point: number) => void): void {
  const open = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (isPoint(hierarchy, each)) visit(each);
    else open.push(hierarchy.right[each - hierarchy.count]!, hierarchy.left[each - hierarchy.count]!);
  }
}
