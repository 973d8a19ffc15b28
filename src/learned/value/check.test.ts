import { describe, expect, it } from "vitest";
import { type Cluster, findClusters } from "../cluster/clusters.ts";
import { plant } from "../cluster/planted.samples.ts";
import type { Space } from "../cluster/vector-space.ts";
import { axes } from "../experience.ts";
import { longestValue } from "../value.ts";
import { checkText } from "./check.ts";
import { proposeText } from "./proposal.ts";

describe("checkText", () => {
  it("accepts what the members say, and refuses what another cluster's say", async () => {
    const { clusters, space } = await planted();
    const texts = clusters.map((cluster) => proposeText(cluster, space));
    for (const [i, cluster] of clusters.entries()) {
      for (const [j, text] of texts.entries()) {
        expect(checkText(text, cluster, space).valid, `${text} for ${cluster.words}`).toBe(i === j);
      }
    }
  });

  it("names words that really bring a text nearer, and none that it has", async () => {
    const { clusters, space } = await planted();
    const text = "Something about the pool";
    const cluster = clusters.find(({ words }) => words.includes("pool"))!;
    const before = checkText(text, cluster, space);
    expect(before.nearer.length).toBeGreaterThan(0);
    expect(before.nearer).not.toContain("pool");
    const after = checkText(`${text} ${before.nearer[0]}`, cluster, space);
    expect(after.distance).toBeLessThan(before.distance);
    const other = checkText(text, clusters.find(({ words }) => !words.includes("pool"))!, space);
    expect(other.distance).toBeGreaterThan(before.distance);
  });

  it("puts a text of unknown words at distance 1, where nothing is valid", async () => {
    const { clusters, space } = await planted();
    for (const text of ["zzz qqq", "…", "the of and"]) {
      expect(checkText(text, clusters[0]!, space)).toMatchObject({ valid: false, distance: 1 });
    }
  });
});

describe("proposeText", () => {
  it("makes a valid text of at most 500 characters for every cluster on every axis", async () => {
    let proposed = 0;
    for (const axis of axes) {
      const { clusters, space } = await findClusters(plant({ topics: 4, perTopic: 20, unrelated: 12 }), axis);
      for (const cluster of clusters) {
        const text = proposeText(cluster, space!);
        expect(text.length).toBeLessThanOrEqual(longestValue);
        expect(checkText(text, cluster, space!).valid, `${axis}: ${text}`).toBe(true);
        proposed++;
      }
    }
    expect(proposed).toBeGreaterThan(8);
  });

  it("says nothing that no member says", async () => {
    const { clusters, space } = await planted();
    for (const cluster of clusters) {
      const text = proposeText(cluster, space);
      const [opening, ...rest] = text.split(": ");
      expect(opening).toMatch(/^When \w/);
      const allText = cluster.members.map((member) => JSON.stringify(member.experience).toLowerCase()).join(" ");
      for (const sentence of rest.join(": ").split(/(?<=\.) (?=[A-Z])/)) {
        expect(allText).toContain(sentence.replace(/\.$/, "").toLowerCase());
      }
    }
  });

  it("speaks of the goals where no member drew a lesson, and takes the first sentence of a long one", async () => {
    for (const text of await untaught("Find out why it fails")) expect(text).toMatch(/: Find out why it fails\.$/);
  });

  it("says where it had to cut a sentence", async () => {
    for (const text of await untaught("find out why the pool fails and")) {
      expect(text).toMatch(/Find out why the pool fails and .{100,}\w…$/);
      expect(text.length).toBeLessThanOrEqual(longestValue);
    }
    for (const text of await untaught("x".repeat(900))) expect(text).toMatch(/ Xxx+…$/);
  });
});

/** Proposals for clusters whose members drew no lesson, with goals that begin like this and go on and on. */
async function untaught(goal: string): Promise<string[]> {
  const end = goal.endsWith("fails") ? "." : "";
  const untaught = plant({ topics: 3, perTopic: 10, unrelated: 0 }).map((each) => {
    const { lesson: _lesson, rootCause: _rootCause, ...experience } = each.experience;
    return { ...each, experience: { ...experience, goal: `${goal}${end} ${"and so on ".repeat(50)}`.slice(0, 900) } };
  });
  const { clusters, space } = await findClusters(untaught, "full");
  expect(clusters.length).toBe(3);
  return clusters.map((cluster) => proposeText(cluster, space!));
}

async function planted(): Promise<{ clusters: Cluster[]; space: Space }> {
  const { clusters, space } = await findClusters(plant({ topics: 4, perTopic: 12, unrelated: 6 }), "full");
  expect(clusters.length).toBe(4);
  return { clusters, space: space! };
}
