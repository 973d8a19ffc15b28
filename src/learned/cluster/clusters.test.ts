import { describe, expect, it } from "vitest";
import type { Experience } from "../experience.ts";
import { clusterId } from "../value.ts";
import { findClusters, type Landscape, type ResolvedExperience } from "./clusters.ts";
import { type Planted, plant } from "./planted.samples.ts";
import { topics } from "./planted-subjects.samples.ts";

describe("findClusters", () => {
  it("finds the topics that were planted, from 20 experiences on, among unrelated ones", async () => {
    const scores: number[] = [];
    for (const [topics, perTopic, unrelated] of [
      [3, 6, 2],
      [3, 6, 10],
      [4, 5, 3],
      [5, 5, 5],
      [4, 10, 8],
      [6, 12, 30],
      [6, 30, 20],
      [4, 115, 30],
    ] as const) {
      for (const seed of [1, 2]) {
        const planted = plant({ topics, perTopic, unrelated, seed });
        const score = agreement(await findClusters(planted, "full"), planted);
        expect(score, `${topics} topics of ${perTopic}, ${unrelated} unrelated, seed ${seed}`).toBeGreaterThan(0.7);
        scores.push(score);
      }
    }
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThan(0.92);
  });

  it("says what a cluster is about in words of its own topic", async () => {
    const { clusters } = await findClusters(plant({ topics: 4, perTopic: 12, unrelated: 8 }), "full");
    expect(clusters.length).toBe(4);
    for (const { members, words } of clusters) {
      const topic = topics.find(({ things }) =>
        things.some((thing) => members[0]!.text.toLowerCase().includes(thing)),
      )!;
      const text = Object.values(topic).flat().join(" ").toLowerCase();
      const own = words.filter((word) => text.includes(word.toLowerCase()));
      expect(own.length, words.join(", ")).toBeGreaterThanOrEqual(words.length - 2);
    }
  });

  it("finds none among experiences that have nothing in common but turns of phrase", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const unrelated = plant({ topics: 1, perTopic: 1, unrelated: 30, seed }).filter(({ topic }) => topic < 0);
      expect(await findClusters(unrelated, "full")).toMatchObject({ experiences: 30, missing: 0, clusters: [] });
    }
  });

  it("says how many are missing, and looks for none before", async () => {
    const planted = plant({ topics: 3, perTopic: 7, unrelated: 0 });
    expect(await findClusters([], "full")).toMatchObject({ experiences: 0, missing: 20, clusters: [] });
    expect(await findClusters(planted.slice(0, 19), "full")).toMatchObject({
      experiences: 19,
      missing: 1,
      clusters: [],
    });
    expect(await findClusters(planted.slice(0, 20), "full")).toMatchObject({ experiences: 20, missing: 0 });
  });

  it("counts on each axis only the experiences that have it", async () => {
    const planted = plant({ topics: 3, perTopic: 20, unrelated: 0 });
    const falsified = planted.filter(({ experience }) => experience.outcome?.status === "falsified").length;
    expect((await findClusters(planted, "root_cause")).experiences).toBe(falsified);
    expect((await findClusters(planted, "surprise")).experiences).toBe(falsified);
    expect((await findClusters(planted, "strategy")).experiences).toBe(60);
  });

  it("takes smaller clusters where there are no larger ones", async () => {
    const planted = plant({ topics: 6, perTopic: 4, unrelated: 0 });
    const { settings, clusters } = await findClusters(planted, "full");
    expect(settings).toEqual({ smallest: 3, samples: 2 });
    expect(clusters.length).toBe(6);
    for (const { members } of clusters) expect(members.length).toBeLessThan(5);
    expect((await findClusters(plant({ topics: 3, perTopic: 12, unrelated: 2 }), "full")).settings).toEqual({
      smallest: 5,
      samples: 3,
    });
  });

  it("finds the same in whatever order the experiences come", async () => {
    const planted = plant({ topics: 4, perTopic: 9, unrelated: 10 });
    const straight = await findClusters(planted, "full");
    for (const seed of [1, 2, 3]) {
      const turned = await findClusters(shuffled(planted, seed), "full");
      expect(turned.clusters).toEqual(straight.clusters);
    }
  });

  it("lists members oldest first, each with its distance, and counts the surer ones more", async () => {
    const planted = plant({ topics: 3, perTopic: 12, unrelated: 0 });
    const { clusters, space } = await findClusters(planted, "full");
    const { members, centroid } = clusters[0]!;
    expect(members.map(({ created }) => created)).toEqual(
      [...members.map(({ created }) => created)].sort((a, b) => a - b),
    );
    for (const { distance } of members) expect(distance).toBeGreaterThanOrEqual(0);
    const length = Math.hypot(...centroid.direction);
    expect(length).toBeCloseTo(1, 9);
    // The centroid of an experience that counts five times as much as the others lies nearer to it.
    const heavy = members.at(-1)!.id;
    const tiered = (id: string) => (id === heavy ? "gold" : "abandoned");
    const retiered = planted.map((each) => ({
      ...each,
      experience: { ...each.experience, tier: tiered(each.id) } as Experience,
    }));
    const again = (await findClusters(retiered, "full")).clusters.find((cluster) => cluster.id === clusters[0]!.id)!;
    const before = members.find(({ id }) => id === heavy)!.distance;
    expect(again.members.find(({ id }) => id === heavy)!.distance).toBeLessThan(before);
    expect(space!.place(["neverheard"])).toBeUndefined();
  });

  it("keeps a cluster's id while it grows", async () => {
    const planted = plant({ topics: 3, perTopic: 20, unrelated: 10 });
    let [kept, seen] = [0, 0];
    let before: Landscape | undefined;
    for (let count = 24; count <= planted.length; count += 4) {
      const now = await findClusters(planted.slice(0, count), "full");
      for (const cluster of before?.clusters ?? []) {
        const grown = now.clusters.find(({ members }) => share(cluster.members, members) > 0.5);
        if (!grown) continue;
        seen++;
        if (grown.id === cluster.id) kept++;
      }
      before = now;
    }
    expect(seen).toBeGreaterThan(20);
    expect(kept / seen).toBeGreaterThan(0.9);
  });

  it("survives experiences without words, with the same words, and with huge ones", async () => {
    const [one] = plant({ topics: 1, perTopic: 1, unrelated: 0 });
    const same = Array.from({ length: 25 }, (_, i) => ({ ...one!, id: `exp-same${i}` }));
    expect((await findClusters(same, "full")).clusters).toEqual([]);

    const silent = (id: string): ResolvedExperience => ({
      id,
      created: 1,
      experience: { ...one!.experience, ...wordless },
    });
    const silents = Array.from({ length: 25 }, (_, i) => silent(`exp-silent${i}`));
    expect((await findClusters(silents, "full")).clusters).toEqual([]);
    const mixed = await findClusters([...plant({ topics: 3, perTopic: 8, unrelated: 0 }), ...silents], "full");
    expect(mixed.clusters.flatMap(({ members }) => members).some(({ id }) => id.startsWith("exp-silent"))).toBe(false);

    const huge = { ...one!, id: "exp-huge", experience: { ...one!.experience, goal: "word ".repeat(20_000) } };
    expect((await findClusters([...plant({ topics: 3, perTopic: 8, unrelated: 0 }), huge], "full")).missing).toBe(0);
  });
});

describe("clusterId", () => {
  it("is made of the axis and the oldest member", () => {
    expect(clusterId("root_cause", ["exp-1k3f", "exp-9zzz"])).toBe("clu-root_cause-1k3f");
  });
});

const wordless = { goal: "…", hypothesis: "…", action: "…", prediction: "…", outcome: undefined, lesson: undefined };

/** The adjusted Rand index, where whatever is in no cluster, or of no topic, is alone. */
function agreement(landscape: Landscape, planted: readonly Planted[]): number {
  const cluster = new Map<string, number>();
  for (const [i, { members }] of landscape.clusters.entries()) for (const { id } of members) cluster.set(id, i);
  const labels = planted.map(({ id }, i) => cluster.get(id) ?? -1 - i);
  const topic = planted.map((each, i) => (each.topic < 0 ? -1 - i : each.topic));
  const pairs = (keys: unknown[]) => {
    const counts = new Map<unknown, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const both = pairs(labels.map((label, i) => `${label} ${topic[i]}`));
  const [a, b] = [pairs(labels), pairs(topic)];
  const expected = (a * b) / ((planted.length * (planted.length - 1)) / 2);
  return (both - expected) / ((a + b) / 2 - expected);
}

function share(before: readonly { id: string }[], now: readonly { id: string }[]): number {
  const ids = new Set(now.map(({ id }) => id));
  const both = before.filter(({ id }) => ids.has(id)).length;
  return both / (before.length + now.length - both);
}

function shuffled<Element>(elements: readonly Element[], seed: number): Element[] {
  const order = elements.map((element, i) => ({ element, at: Math.imul(i + 1, 2654435761 * (2 * seed + 1)) >>> 0 }));
  return order.sort((a, b) => a.at - b.at).map(({ element }) => element);
}
