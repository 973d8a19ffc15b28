import { analyse } from "../../text/analysis/analyse.ts";
import { axisTexts } from "../axis-texts.ts";
import { type Axis, type Experience, tierWeights } from "../experience.ts";
import { clusterId } from "../value.ts";
import { type Centroid, centroidOf } from "./centroid.ts";
import { hdbscan } from "./hdbscan.ts";
import { pointsOf } from "./points.ts";
import { learnSpace, type Space } from "./vector-space.ts";
import { contrasts, distinctiveTerms, spelled, type Vocabulary, vocabularyOf, withoutOverlap } from "./vocabulary.ts";

/** A resolved experience with its id. */
export type ResolvedExperience = { id: string; created: number; experience: Experience };

type Member = ResolvedExperience & {
  text: string;
  /** Cosine distance to the centroid. */
  distance: number;
  /** Degree of membership in the cluster, 0..1. */
  probability: number;
};

export type Cluster = {
  id: string;
  axis: Axis;
  /** Oldest first. */
  members: Member[];
  centroid: Centroid;
  /** The words that its members use more than the other experiences, best first. */
  words: string[];
};

/** The clusters of the experiences on one axis. */
export type Landscape = {
  axis: Axis;
  /** Experiences that have this axis. */
  experiences: number;
  /** How many more experiences are needed before clusters are computed; 0 when there are enough. */
  missing: number;
  /** The settings that found clusters; undefined when none did. */
  settings?: Settings;
  /** Largest first. */
  clusters: Cluster[];
  space?: Space;
};

type Settings = { smallest: number; samples: number };

export const fewestExperiences = 20;
/** The second settings are tried if the first find nothing. */
const attempts: Settings[] = [
  { smallest: 5, samples: 3 },
  { smallest: 3, samples: 2 },
];

/**
 * The words of a cluster must agree: its members are this many times more similar to each other than to the others. In
 * few dimensions, experiences that share only turns of phrase ("it still fails after that") end up close together, and
 * single ones beside a foreign topic. A small cluster needs more, because a few texts are easily similar by chance. For
 * each single member the rule is less strict.
 * Without it, half of the clusters among many unrelated experiences were such phrases. On commit messages, 17 of the 18
 * members that it removed were about another part of the code, and so were most of the clusters that it refused.
 */
const smallestContrast = 3;
const contrastOfFew = 10;
const smallestOwnContrast = 2;

/** Number of words that describe a cluster, and of candidates for them. */
const mostWords = 8;
const candidateWords = 20;

/** The clusters of these experiences on one axis; independent of their order. */
export async function findClusters(
  resolved: readonly ResolvedExperience[],
  axis: Axis,
  pause?: () => Promise<void>,
): Promise<Landscape> {
  const entries = resolved
    .flatMap((each) => {
      const text = axisTexts(each.experience)
        [axis]?.fields.map(([, field]) => field)
        .join("\n");
      return text ? [{ ...each, text }] : [];
    })
    .sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  const missing = Math.max(0, fewestExperiences - entries.length);
  const none: Landscape = { axis, experiences: entries.length, missing, clusters: [] };
  if (missing > 0) return none;

  const analysed = entries.map(({ text }) => analyse(text));
  const space = await learnSpace(analysed, pause);
  if (!space) return none;
  const vocabulary = vocabularyOf(analysed);
  for (const settings of attempts) {
    const groups = await groupsOf(space, vocabulary, settings, pause);
    if (groups.length === 0) continue;
    const clusters = groups.map((group) => clusterOf(axis, entries, group, space, vocabulary));
    clusters.sort((a, b) => b.members.length - a.members.length || (a.id < b.id ? -1 : 1));
    return { ...none, settings, clusters, space };
  }
  return { ...none, space };
}

type AxisEntry = ResolvedExperience & { text: string };
type Group = { index: number; probability: number }[];

async function groupsOf(
  space: Space,
  vocabulary: Vocabulary,
  settings: Settings,
  pause?: () => Promise<void>,
): Promise<Group[]> {
  // Texts without a vector are similar to nothing; as points they would all coincide.
  const located = space.vectors.flatMap((vector, index) => (vector ? [{ vector, index }] : []));
  const points = pointsOf(located.map(({ vector }) => vector));
  const { labels, probabilities, clusters } = await hdbscan(points, { ...settings, pause });
  const groups: Group[] = Array.from({ length: clusters }, () => []);
  for (const [point, { index }] of located.entries()) {
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

function clusterOf(axis: Axis, entries: AxisEntry[], group: Group, space: Space, vocabulary: Vocabulary): Cluster {
  const own = group.map(({ index }) => entries[index]!);
  const centroid = centroidOf(
    group.map(({ index }) => space.vectors[index]!),
    own.map(({ experience }) => tierWeights[experience.tier ?? "abandoned"]),
  );
  const members = own.map((each, i) => ({
    ...each,
    distance: centroid.distances[i]!,
    probability: group[i]!.probability,
  }));
  const terms = distinctiveTerms(vocabulary, indexes(group), candidateWords);
  const texts = own.map(({ text }) => text);
  const words = withoutOverlap(spelled(terms, texts)).slice(0, mostWords);
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
