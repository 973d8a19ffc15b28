import { analyse } from "../../text/analysis/analyse.ts";
import { cosineDistance } from "../cluster/centroid.ts";
import type { Cluster } from "../cluster/clusters.ts";
import type { Space } from "../cluster/vector-space.ts";

/** Whether a text says what the experiences of a cluster have in common. */
export type ValueCheck = {
  valid: boolean;
  /** Cosine distance to the centroid; 1 for a text that has no word in common with the experiences. */
  distance: number;
  /** The largest distance that is accepted. */
  threshold: number;
  /** Words of the cluster that would move the text closer, the most helpful first. */
  nearer: string[];
};

/** Sums of the same numbers in another order differ by less. */
const rounding = 1e-9;
const mostWords = 5;

export function checkText(text: string, cluster: Cluster, space: Space): ValueCheck {
  const { threshold } = cluster.centroid;
  const terms = analyse(text);
  const distance = distanceOf(terms, cluster, space);
  const gains = cluster.words
    .map((word) => ({ word, terms: analyse(word) }))
    .filter((each) => !each.terms.every((term) => terms.includes(term)))
    .map((each) => ({ word: each.word, gain: distance - distanceOf([...terms, ...each.terms], cluster, space) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.word < b.word ? -1 : 1));
  const nearer = gains.slice(0, mostWords).map(({ word }) => word);
  return { valid: distance <= threshold + rounding, distance, threshold, nearer };
}

export function distanceOf(analysed: readonly string[], { centroid }: Cluster, space: Space): number {
  const place = space.place(analysed);
  return place ? cosineDistance(place, centroid.direction) : 1;
}
