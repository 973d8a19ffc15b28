import { analyse } from "../../text/analysis/analyse.ts";
import { axisTexts } from "../axes.ts";
import { type Axis, type Experience, tierWeights } from "../experience.ts";
import { clusterId } from "../value.ts";
import { type Centroid, centroidOf } from "./centroid.ts";
import { hdbscan } from "./hdbscan.ts";
import { pointsOf } from "./points.ts";
import { learnSpace, type Space } from "./space.ts";
import { apart, contrasts, spelled, tellingTerms, type Vocabulary, vocabularyOf } from "./vocabulary.ts";

/** A resolved experience with its id. */
export type ResolvedCluster = { id: string; created: number; experience: Experience };

type Member = ResolvedCluster & {
  text: string;
  /** Cosine distance to the centroid. */
  distance: number;
  /** How firmly it belongs to the cluster, 0..1. */
  probability: number;
};

export type Cluster = {
  id: string;
  axis: Axis;
  /** Oldest first. */
  members: Member[];
  centroid: Centroid;
  /** The words that its members use more than the others do, best first. */
  words: string[];
};

/** What the experiences look like on one axis. */
export type Landscape = {
  axis: Axis;
  /** Experiences that have this axis. */
  experiences: number;
  /** How many more there must be before clusters are looked for; 0 when there are enough. */
  missing: number;
  /** What made a cluster; undefined when none was found. */
  settings?: Settings;
  /** Largest first. */
  clusters: Cluster[];
  space?: Space;
};

type Settings = { smallest: number; samples: number };

export const fewestExperiences = 20;
/** The second where the first finds nothing. */
const attempts: Settings[] = [
  { smallest: 5, samples: 3 },
  { smallest: 3, samples: 2 },
];

/**
 * In few directions, experiences that have nothing in common but turns of phrase ("it still fails after that") come to lie together, and single
 * ones beside a topic that is not theirs. So their words must agree: the members of a cluster are so many times as alike as they are like
 * the others, the fewer the more, because a few are easily alike by chance; and so is each, less strictly. Without it, half of the clusters
 * among many unrelated experiences were of such phrases. On commit messages, 17 of the 18 that it took out of a cluster were about another
 * part of the code than most in it, and so were most of the clusters that it refused.
 */
const smallestContrast = 3;
const contrastOfFew = 10;
const smallestOwnContrast = 2;

/** Words that describe a cluster, of so many candidates. */
const mostWords = 8;
const candidateWords = 20;

/** The clusters of these experiences on one axis; the same for the same experiences in any order. */
export async function findClusters(
  resolved: readonly ResolvedCluster[],
  axis: Axis,
  pause?: () => Promise<void>,
): Promise<Landscape> {
  const told = resolved
    .flatMap((each) => {
      const text = axisTexts(each.experience)
        [axis]?.fields.map(([, field]) => field)
        .join("\n");
      return text ? [{ ...each, text }] : [];
    })
    .sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  const missing = Math.max(0, fewestExperiences - told.length);
  const none: Landscape = { axis, experiences: told.length, missing, clusters: [] };
  if (missing > 0) return none;

  const analysed = told.map(({ text }) => analyse(text));
  const space = await learnSpace(analysed, pause);
  if (!space) return none;
  const vocabulary = vocabularyOf(analysed);
  for (const settings of attempts) {
    const groups = await groupsOf(space, vocabulary, settings, pause);
    if (groups.length === 0) continue;
    const clusters = groups.map((group) => clusterOf(axis, told, group, space, vocabulary));
    clusters.sort((a, b) => b.members.length - a.members.length || (a.id < b.id ? -1 : 1));
    return { ...none, settings, clusters, space };
  }
  return { ...none, space };
}

type Told = ResolvedCluster & { text: string };
type Group = { index: number; probability: number }[];

async function groupsOf(
  space: Space,
  vocabulary: Vocabulary,
  settings: Settings,
  pause?: () => Promise<void>,
): Promise<Group[]> {
  // What has no direction is near nothing; as points they would all be one.
  const placed = space.vectors.flatMap((vector, index) => (vector ? [{ vector, index }] : []));
  const points = pointsOf(placed.map(({ vector }) => vector));
  const { labels, probabilities, clusters } = await hdbscan(points, { ...settings, pause });
  const groups: Group[] = Array.from({ length: clusters }, () => []);
  for (const [point, { index }] of placed.entries()) {
    groups[labels[point]!]?.push({ index, probability: probabilities[point]! });
  }
  return groups
    .map((group) => {
      const { each } = contrasts(vocabulary, indexes(group));
      return group.filter((_, i) => each[i]! >= smallestOwnContrast);
    })
    .filter((group) => group.length >= settings.smallest)
    .filter((group) => {
      const { together } = contrasts(vocabulary, indexes(group));
      return together >= smallestContrast + contrastOfFew / group.length;
    });
}

function indexes(group: Group): number[] {
  return group.map(({ index }) => index);
}

function clusterOf(axis: Axis, told: Told[], group: Group, space: Space, vocabulary: Vocabulary): Cluster {
  const own = group.map(({ index }) => told[index]!);
  const centroid = centroidOf(
    group.map(({ index }) => space.vectors[index]!),
    own.map(({ experience }) => tierWeights[experience.tier ?? "abandoned"]),
  );
  const members = own.map((each, i) => ({
    ...each,
    distance: centroid.distances[i]!,
    probability: group[i]!.probability,
  }));
  const terms = tellingTerms(vocabulary, indexes(group), candidateWords);
  const texts = own.map(({ text }) => text);
  const words = apart(spelled(terms, texts)).slice(0, mostWords);
  return {
    id: clusterId(
      axis,
      members.map(({ id }) => id),
    ),
    axis,
    members,
    centroid,
    words,
  };
}
