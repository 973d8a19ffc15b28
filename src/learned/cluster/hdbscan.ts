import { condense } from "./condense.ts";
import { coreDistances } from "./core-distances.ts";
import { hierarchyOf } from "./hierarchy.ts";
import { spanningTree } from "./minimum-spanning-tree.ts";
import type { Points } from "./points.ts";
import { type Labels, label, noise, selectClusters } from "./select-clusters.ts";

export type ClusterOptions = {
  /** Minimum size of a cluster; at least 2. */
  smallest: number;
  /** Number of points, itself included, in a point's neighbourhood: a higher number makes more points noise. */
  samples: number;
  /** Awaited from time to time, so that the process can do other work or abort. */
  pause?: () => Promise<void>;
};

/**
 * HDBSCAN (Campello, Moulavi and Sander, 2013): clusters of any number, shape and density, and noise, by Euclidean
 * distance. Deterministic and independent of the order of points: edges of equal length are cut at once, as in the
 * paper.
 */
export async function hdbscan(points: Points, { smallest, samples, pause }: ClusterOptions): Promise<Labels> {
  const { count } = points;
  if (count < Math.max(2, smallest)) {
    return { labels: new Int32Array(count).fill(noise), probabilities: new Float64Array(count), clusters: 0 };
  }
  const core = await coreDistances(points, samples, pause);
  const tree = await spanningTree(points, core, pause);
  const condensed = condense(hierarchyOf(tree), Math.max(2, smallest));
  return label(condensed, selectClusters(condensed));
}
