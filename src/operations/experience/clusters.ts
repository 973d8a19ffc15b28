import * as z from "zod";
import { axes } from "../../learned/experience.ts";
import { path } from "../../options.ts";
import { after, cursorOf, next, pageOf } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { counted } from "../terminal/phrases.ts";
import { clusterShape, clusterText, shownCluster } from "./value-shape.ts";

const count = z.number().int().min(0);

export const clusters = operation({
  name: "clusters",
  command: "experience clusters",
  group: "Experiences",
  summary: "Show which resolved experiences are alike on an axis, and what they have in common",
  input: z.object({
    path,
    axis: z.enum(axes).default("full").describe("What to compare: the whole story, or what only falsified ones have"),
    limit: z.number().int().min(1).max(500).default(20).describe("Most clusters to show, the largest first"),
    after,
    members: z.number().int().min(0).max(5000).default(5).describe("Most members of each to show"),
  }),
  output: z.object({
    axis: z.enum(axes),
    experiences: count.describe("Resolved experiences that have this axis"),
    missing: count.describe("How many more are needed before clusters are looked for"),
    total: count.describe("How many clusters there are"),
    clustered: count.describe("Experiences that are in one of them"),
    smallest: count.optional().describe("How many alike experiences made a cluster"),
    clusters: z.array(clusterShape),
    next,
  }),
  examples: [
    { command: "dossier experience clusters", what: "what was tried again and again" },
    { command: "dossier experience clusters --axis root_cause", what: "why hypotheses turned out wrong" },
    {
      command: "dossier experience clusters --members 100 --json",
      what: "with their members and centroids, for a program",
    },
  ],
  async run(input, environment) {
    const { axis, members } = input;
    const cursor = cursorOf("clusters", input, environment);
    const workspace = await environment.workspace();
    const { fewestExperiences } = await import("../../learned/cluster/clusters.ts");
    const none = { axis, experiences: 0, missing: fewestExperiences, total: 0, clustered: 0, clusters: [] };
    if (!workspace.hasRecords()) return none;
    const { landscapeOf } = await import("../../learned/cluster/landscapes.ts");
    const landscape = await landscapeOf(await workspace.records(), workspace.owner, axis, environment.signal);
    const { page, ...more } = pageOf(landscape.clusters, cursor, input, (each) => [each.members.length, each.id], 1);
    return {
      axis,
      experiences: landscape.experiences,
      missing: landscape.missing,
      total: landscape.clusters.length,
      clustered: landscape.clusters.reduce((sum, cluster) => sum + cluster.members.length, 0),
      ...(landscape.settings && { smallest: landscape.settings.smallest }),
      clusters: page.map((cluster) => shownCluster(cluster, members)),
      ...more,
    };
  },
  text({ axis, experiences, missing, total, clustered, clusters, next }, _input, colour) {
    const p = paint(colour);
    const have = `${counted(experiences, "resolved experience")}${axis === "full" ? "" : ` with the axis ${axis}`}`;
    if (missing > 0)
      return `There ${experiences === 1 ? "is" : "are"} ${have}; clusters are looked for from ${experiences + missing} on: ${missing} more.`;
    if (total === 0) return `${have}, and no group of them that is more alike than the rest.`;
    const summary = p.dim(`${clustered} of ${have} in ${counted(total, "cluster")}.`);
    const rest = next === undefined ? [] : [p.dim(`There are more; after these: ${next}`)];
    return [...clusters.map((cluster) => clusterText(cluster, colour)), summary, ...rest].join("\n");
  },
});
