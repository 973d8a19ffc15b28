import { describe, expect, it } from "vitest";
import { findClusters } from "../cluster/clusters.ts";
import { type Planted, plant } from "../cluster/planted.samples.ts";
import type { Value } from "../value.ts";
import { checkText } from "./check.ts";
import { proposeText } from "./proposal.ts";
import { revalidate, successor } from "./revalidate.ts";

const later = 1_800_000_000_000;

describe("revalidate", () => {
  it("follows a cluster that grows", async () => {
    const all = plant({ topics: 3, perTopic: 24, unrelated: 10 });
    const value = await plantedValue(all.slice(0, 40), "pool");
    const { value: now, why } = revalidate(value, await findClusters(all, "full"), later);
    expect(why).toBe("fits");
    expect(now.state).toBe("valid");
    expect(now.members.length).toBeGreaterThan(value.members.length);
    expect(now.validatedAt).toBe(later);
    expect(now.text).toBe(value.text);
  });

  it("is moved when its experiences are gone, and keeps what it rested on", async () => {
    const all = plant({ topics: 4, perTopic: 12, unrelated: 6 });
    const value = await plantedValue(all, "pool");
    const others = all.filter(({ id }) => !value.members.includes(id));
    const { value: now, why, cluster } = revalidate(value, await findClusters(others, "full"), later);
    expect({ why, cluster, state: now.state }).toEqual({ why: "cluster-gone", cluster: undefined, state: "moved" });
    expect(now.members).toEqual(value.members);
    expect(revalidate(now, await findClusters(all, "full"), later).value.state).toBe("valid");
  });

  it("is moved when there are too few experiences left for any cluster", async () => {
    const all = plant({ topics: 3, perTopic: 8, unrelated: 0 });
    const value = await plantedValue(all, "pool");
    const { why } = revalidate(value, await findClusters(all.slice(0, 15), "full"), later);
    expect(why).toBe("cluster-gone");
  });

  it("is moved when the cluster is about something else now, with the numbers of today", async () => {
    const all = plant({ topics: 4, perTopic: 12, unrelated: 0 });
    const landscape = await findClusters(all, "full");
    const [own, other] = landscape.clusters;
    const text = proposeText(other!, landscape.space!);
    const members = own!.members.map(({ id }) => id);
    const value: Value = { text, axis: "full", members, distance: 0, threshold: 1, validatedAt: 0, state: "valid" };
    const { value: now, why, cluster } = revalidate(value, landscape, later);
    expect({ why, cluster: cluster!.id, state: now.state }).toEqual({
      why: "too-far",
      cluster: own!.id,
      state: "moved",
    });
    expect(now.distance).toBeGreaterThan(now.threshold);
    expect(now.members).toEqual(members);
  });
});

describe("successor", () => {
  it("is the cluster with most of the members, part of them or part of it", async () => {
    const { clusters } = await findClusters(plant({ topics: 4, perTopic: 12, unrelated: 0 }), "full");
    const members = clusters[1]!.members.map(({ id }) => id);
    expect(successor(members, clusters)).toBe(clusters[1]);
    // The half that is left of it, and a whole that it has become a small part of.
    expect(successor(members.slice(0, 3), clusters)).toBe(clusters[1]);
    expect(successor([...members, ...Array.from({ length: 40 }, (_, i) => `exp-gone${i}`)], clusters)).toBe(
      clusters[1],
    );
    expect(successor([members[0]!, "exp-a", "exp-b", "exp-c"], clusters)).toBeUndefined();
    expect(successor([], [])).toBeUndefined();
    expect(successor([], clusters)).toBeUndefined();
  });
});

async function plantedValue(planted: readonly Planted[], word: string): Promise<Value> {
  const { clusters, space } = await findClusters(planted, "full");
  const cluster = clusters.find(({ words }) => words.includes(word))!;
  const text = proposeText(cluster, space!);
  const { valid, distance, threshold } = checkText(text, cluster, space!);
  expect(valid).toBe(true);
  const members = cluster.members.map(({ id }) => id);
  return { text, axis: "full", members, distance, threshold, validatedAt: 1, state: "valid" };
}
