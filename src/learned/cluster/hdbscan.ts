import { condense } from "./condense.ts";
import { coreDistances } from "./core.ts";
import { hierarchyOf } from "./hierarchy.ts";
import type { Points } from "./points.ts";
import { type Labels, label, noise, selectClusters } from "./select.ts";
import { spanningTree } from "./spanning.ts";

export type ClusterOptions = {
  /** Smallest number of points that are a cluster; at least 2. */
  smallest: number;
  /** How many points, itself included, make a point's neighbourhood: more call more points noise. */
  samples: number;
  /** Awaited now and then, so that a process can do other things or give up. */
  pause?: () => Promise<void>;
};

/**
 * HDBSCAN (Campello, Moulavi and Sander, 2013): clusters of any number, shape and density, and noise, by Euclidean distance. No random
 * number, and the order of the points makes no difference: edges of equal length are cut at once, as in the paper.
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
