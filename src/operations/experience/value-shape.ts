import * as z from "zod";
import type { Cluster } from "../../learned/cluster/clusters.ts";
import { axes, outcomes, tiers } from "../../learned/experience.ts";
import type { Value } from "../../learned/value.ts";
import { clusterId } from "../../learned/value.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";

const time = z.string().describe("ISO 8601");
const distance = z.number().describe("Cosine distance to the centroid, 0 to 2");

const memberShape = z.object({
  id: z.string(),
  goal: z.string(),
  outcome: z.enum(outcomes).optional(),
  tier: z.enum(tiers).optional(),
  distance,
  membership: z.number().describe("How firmly it belongs to the cluster, 0 to 1"),
});

/** A cluster as results show it. */
export const clusterShape = z.object({
  id: z.string().describe("Named after its oldest member: it stays the same while the cluster grows"),
  axis: z.enum(axes),
  size: z.number().int(),
  words: z.array(z.string()).describe("What its members speak of more than others do"),
  threshold: z.number().describe("How far a value's text may be from the centroid"),
  members: z.array(memberShape).describe("Nearest to the centroid first"),
  centroid: z.array(z.number()).describe("Of length 1; the better the outcomes are known, the more they count"),
});

export type ShownCluster = z.output<typeof clusterShape>;

export function shownCluster({ id, axis, members, words, centroid }: Cluster, mostMembers: number): ShownCluster {
  const nearest = [...members].sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1)).slice(0, mostMembers);
  return {
    id,
    axis,
    size: members.length,
    words,
    threshold: rounded(centroid.threshold),
    members: nearest.map(({ id, experience, distance, probability }) => ({
      id,
      goal: experience.goal,
      outcome: experience.outcome?.status,
      tier: experience.tier,
      distance: rounded(distance),
      membership: rounded(probability),
    })),
    centroid: [...centroid.direction].map(rounded),
  };
}

export function clusterText(cluster: ShownCluster, colour: boolean): string {
  const p = paint(colour);
  const { id, size, words, members } = cluster;
  const lines = [`${p.cyan(id)}  ${counted(size, "experience")}: ${p.bold(plain(words.join(", ")))}`];
  for (const { id, goal, outcome, tier, distance } of members) {
    const state = outcome === tier ? tier : `${outcome} (${tier})`;
    lines.push(`  ${distance.toFixed(2)}  ${id}  ${state}  ${plain(goal)}`);
  }
  if (members.length < size) lines.push(p.dim(`  and ${size - members.length} more`));
  return lines.join("\n");
}

/** A value as results show it. */
export const valueShape = z.object({
  id: z.string(),
  text: z.string(),
  axis: z.enum(axes),
  state: z.enum(["valid", "moved"]).describe("moved: its cluster has changed so that the text no longer fits"),
  cluster: z.string().describe("Id of the cluster that it was last valid for"),
  size: z.number().int().describe("Members of that cluster"),
  distance,
  threshold: z.number().describe("The most that the distance may be"),
  members: z.array(z.string()).describe("The oldest members"),
  created: time,
  validated: time.describe("When its state was last found out, ISO 8601"),
  forgotten: time.optional().describe("When it was forgotten"),
});

export type ShownValue = z.output<typeof valueShape>;

/** More are counted, not listed. */
const mostMembers = 10;

export function shownValue(record: StoredRecord): ShownValue {
  const value = record.body as Value;
  return {
    id: record.id,
    text: value.text,
    axis: value.axis,
    state: value.state,
    cluster: clusterId(value.axis, value.members),
    size: value.members.length,
    distance: rounded(value.distance),
    threshold: rounded(value.threshold),
    members: value.members.slice(0, mostMembers),
    created: new Date(record.created).toISOString(),
    validated: new Date(value.validatedAt).toISOString(),
    ...(record.deleted !== undefined && { forgotten: new Date(record.deleted).toISOString() }),
  };
}

export function valueText(value: ShownValue & { score?: number }, colour: boolean): string {
  const p = paint(colour);
  const state = value.state === "valid" ? p.green(value.state) : p.yellow(value.state);
  const score = value.score === undefined ? "" : `${value.score.toFixed(2)}  `;
  const fit = `${value.distance.toFixed(2)} of at most ${value.threshold.toFixed(2)} away`;
  const facts = `${state}, ${value.axis}, ${counted(value.size, "experience")}, ${fit}`;
  return `${score}${p.cyan(value.id)}  ${facts}\n  ${plain(value.text)}`;
}

/** Four digits tell distances apart, and print the same wherever they were computed. */
export function rounded(number: number): number {
  return Number(number.toFixed(4));
}
