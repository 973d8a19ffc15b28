import type { CondensedTree } from "./condense.ts";

/** Label of a point in no cluster. */
export const noise = -1;

/** Sums of the same numbers in another order differ by less; a tie goes to the larger cluster. */
const rounding = 1e-9;

/**
 * Excess of mass: on each branch, the cluster whose stability is at least the sum of its descendants'. The root is
 * never a cluster. In the order of the condensed tree.
 */
export function selectClusters({ clusters }: CondensedTree): number[] {
  const below = new Float64Array(clusters.length);
  const selected = new Uint8Array(clusters.length);
  for (let cluster = clusters.length - 1; cluster > 0; cluster--) {
    const { stability, parent } = clusters[cluster]!;
    const wins = stability >= below[cluster]! * (1 - rounding);
    selected[cluster] = wins ? 1 : 0;
    below[parent]! += wins ? stability : below[cluster]!;
  }
  // A parent comes before its children, so whether a cluster lies inside a selected one follows from its parent.
  const inside = new Uint8Array(clusters.length);
  const outermost: number[] = [];
  for (let cluster = 1; cluster < clusters.length; cluster++) {
    inside[cluster] = inside[clusters[cluster]!.parent]!;
    if (inside[cluster] || !selected[cluster]) continue;
    outermost.push(cluster);
    inside[cluster] = 1;
  }
  return outermost;
}

export type Labels = {
  /** The cluster of each point, numbered from 0 in the order of their first points, or `noise`. */
  labels: Int32Array;
  /** Degree of membership of each point, 0..1: 1 in the densest part, 0 for noise. */
  probabilities: Float64Array;
  clusters: number;
};

export function label({ clusters, lastCluster, leftAt }: CondensedTree, selected: number[]): Labels {
  // For each cluster the selected cluster that contains it, itself included.
  const within = new Int32Array(clusters.length).fill(noise);
  for (const cluster of selected) within[cluster] = cluster;
  for (let cluster = 1; cluster < clusters.length; cluster++) {
    if (within[cluster] === noise) within[cluster] = within[clusters[cluster]!.parent]!;
  }
  const numbers = new Map<number, number>();
  const labels = new Int32Array(lastCluster.length).fill(noise);
  const probabilities = new Float64Array(lastCluster.length);
  for (let point = 0; point < lastCluster.length; point++) {
    const cluster = within[lastCluster[point]!]!;
    if (cluster === noise) continue;
    if (!numbers.has(cluster)) numbers.set(cluster, numbers.size);
    labels[point] = numbers.get(cluster)!;
    const { died } = clusters[cluster]!;
    probabilities[point] = died > 0 ? Math.min(leftAt[point]!, died) / died : 1;
  }
  return { labels, probabilities, clusters: numbers.size };
}
