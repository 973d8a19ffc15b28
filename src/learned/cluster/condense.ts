import { distanceOf, forEachPoint, type Hierarchy, partsOf } from "./hierarchy.ts";

/**
 * The condensed tree of HDBSCAN: a cluster lives on while it only loses points, and ends where it splits into at least
 * two that are large enough. Densities are 1 / distance; the first cluster is everything, born at density 0.
 */
export type CondensedTree = {
  /** In order of birth along each branch: a parent comes before its children. */
  clusters: CondensedCluster[];
  /** For each point: the last cluster it was in, and the density at which it left. */
  lastCluster: Int32Array;
  leftAt: Float64Array;
};

type CondensedCluster = {
  parent: number;
  size: number;
  born: number;
  /** The highest density at which points or clusters left it. */
  died: number;
  /** Sum over its points of the range of density they spent in it. */
  stability: number;
};

const root = 0;

export function condense(hierarchy: Hierarchy, smallest: number): CondensedTree {
  const { count, sizes } = hierarchy;
  const density = densities(hierarchy);
  const clusters: CondensedCluster[] = [{ parent: -1, size: count, born: 0, died: 0, stability: 0 }];
  const lastCluster = new Int32Array(count);
  const leftAt = new Float64Array(count);

  const leave = (cluster: CondensedCluster, at: number, points: number) => {
    cluster.died = Math.max(cluster.died, at);
    cluster.stability += points * (at - cluster.born);
  };
  const open: { node: number; cluster: number }[] = count > 1 ? [{ node: sizes.length - 1, cluster: root }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const cluster = clusters[next.cluster]!;
    const own = next.cluster;
    const at = density(distanceOf(hierarchy, next.node));
    const parts = partsOf(hierarchy, next.node);
    const large = parts.filter((part) => sizes[part]! >= smallest);
    for (const part of parts) {
      if (sizes[part]! >= smallest) continue;
      leave(cluster, at, sizes[part]!);
      forEachPoint(hierarchy, part, (point) => {
        lastCluster[point] = own;
        leftAt[point] = at;
      });
    }
    if (large.length === 1) open.push({ node: large[0]!, cluster: own });
    else {
      for (const part of large) {
        const size = sizes[part]!;
        leave(cluster, at, size);
        open.push({ node: part, cluster: clusters.length });
        clusters.push({ parent: own, size, born: at, died: at, stability: 0 });
      }
    }
  }
  return { clusters, lastCluster, leftAt };
}

/**
 * Identical points would be infinitely dense and outweigh everything: they count as half as far apart as the closest
 * others.
 */
function densities({ distances }: Hierarchy): (distance: number) => number {
  const closest = distances.find((distance) => distance > 0) ?? 2;
  return (distance) => 1 / Math.max(distance, closest / 2);
}
