import type { Cluster, Landscape } from "../cluster/clusters.ts";
import type { Value } from "../value.ts";
import { checkText } from "./check.ts";

export type Revalidated = {
  value: Value;
  /** The current cluster of the value. */
  cluster?: Cluster;
  why: "fits" | "too-far" | "cluster-gone";
};

/**
 * Revalidates a value against the current experiences. It follows its cluster while the text fits. When it no longer
 * does, the members it was last valid for stay: they are its evidence, and how its cluster is recognised when it comes
 * back.
 */
export function revalidate(value: Value, landscape: Landscape, now: number): Revalidated {
  const cluster = successor(value.members, landscape.clusters);
  if (!cluster || !landscape.space) {
    return { value: { ...value, state: "moved", validatedAt: now }, why: "cluster-gone" };
  }
  const { valid, distance, threshold } = checkText(value.text, cluster, landscape.space);
  const checked = { ...value, distance, threshold, validatedAt: now };
  if (!valid) return { value: { ...checked, state: "moved" }, cluster, why: "too-far" };
  return { value: { ...checked, state: "valid", members: cluster.members.map(({ id }) => id) }, cluster, why: "fits" };
}

/** The cluster with most of the members, when they are at least half of it or it has at least half of them. */
export function successor(members: readonly string[], clusters: readonly Cluster[]): Cluster | undefined {
  const memberIds = new Set(members);
  const shared = clusters.map((cluster) => cluster.members.filter(({ id }) => memberIds.has(id)).length);
  const most = Math.max(0, ...shared);
  const cluster = clusters[shared.indexOf(most)];
  return most > 0 && most * 2 >= Math.min(members.length, cluster!.members.length) ? cluster : undefined;
}
