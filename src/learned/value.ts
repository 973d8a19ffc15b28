import type { Axis } from "./experience.ts";

export const longestValue = 500;

/** A principle that emerged from experiences which are alike on one axis: the body of a record of type `value`. */
export type Value = {
  text: string;
  axis: Axis;
  /** Ids of the experiences of its cluster when it was last validated. */
  members: string[];
  /** Cosine distance of the text to the members' tier-weighted centroid, and the most it may be: mean + 0.5 std of the members' own. */
  distance: number;
  threshold: number;
  /** Milliseconds since 1970. */
  validatedAt: number;
  /** `moved`: the cluster has changed so that the text no longer fits it. */
  state: "valid" | "moved";
};

/**
 * A cluster is named after its oldest member: what is added later is younger, so it keeps its name while it grows. When it falls
 * apart, one part keeps it; when two become one, the older name stays.
 */
export function clusterId(axis: Axis, oldestFirst: readonly string[]): string {
  return `clu-${axis}-${(oldestFirst[0] ?? "").replace(/^exp-/, "")}`;
}
