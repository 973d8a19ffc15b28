import type { Axis } from "./experience.ts";

export const longestValue = 500;

/** A principle that emerged from experiences which are similar on one axis: the body of a record of type `value`. */
export type Value = {
  text: string;
  axis: Axis;
  /** Ids of the experiences of its cluster when it was last validated. */
  members: string[];
  /**
   * Cosine distance of the text to the members' tier-weighted centroid, and its limit: mean + 0.5 std of the members'
   * own.
   */
  distance: number;
  threshold: number;
  /** Milliseconds since 1970. */
  validatedAt: number;
  /** `moved`: the cluster has changed so that the text no longer fits it. */
  state: "valid" | "moved";
};

/**
 * A cluster is named after its oldest member: later ones are younger, so it keeps its name while it grows. When it
 * splits, one part keeps the name; when two merge, the older name stays.
 */
export function clusterId(axis: Axis, oldestFirst: readonly string[]): string {
  return `clu-${axis}-${(oldestFirst[0] ?? "").replace(/^exp-/, "")}`;
}
