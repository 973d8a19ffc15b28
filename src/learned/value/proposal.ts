import { analyse } from "../../text/analysis/analyse.ts";
import type { Cluster } from "../cluster/clusters.ts";
import type { Space } from "../cluster/vector-space.ts";
import { type Axis, type Domain, domains, type Experience } from "../experience.ts";
import { longestValue } from "../value.ts";
import { distanceOf } from "./check.ts";

/** The sentences of an experience by axis, the most informative first. */
const lessons: Record<Axis, (experience: Experience) => (string | undefined)[]> = {
  full: ({ lesson, rootCause }) => [lesson?.takeaway, lesson?.whatWorked, rootCause?.description],
  strategy: ({ lesson }) => [lesson?.whatWorked, lesson?.takeaway],
  surprise: ({ surprise, lesson, rootCause }) => [surprise, lesson?.takeaway, rootCause?.description],
  root_cause: ({ rootCause, lesson }) => [rootCause?.description, lesson?.takeaway],
};

const occasions: Record<Domain, string> = {
  debugging: "When debugging",
  refactoring: "When refactoring",
  feature: "When building",
  testing: "When testing",
  configuration: "When configuring",
  documentation: "When documenting",
  performance: "When speeding up",
  security: "When securing",
  integration: "When integrating",
};

/** Members whose sentences are tried, nearest first; more repeat the same. */
const mostMembers = 25;
const mostSentences = 3;
/** A longer lesson is a story; only its first sentence is used. */
const longestSentence = 180;
/** A sentence with a higher share of words already used is a repetition. */
const repeatedShare = 0.7;

/**
 * A text for the cluster made of its members' own sentences: the one nearest to the centroid, extended while it gets
 * nearer. It claims nothing that no member says. It is nearly always valid; `checkText` decides.
 */
export function proposeText(cluster: Cluster, space: Space): string {
  const sentences = sentencesOf(cluster);
  const telling = new Set(cluster.words.flatMap((word) => analyse(word)));
  const own = sentences.filter((sentence) => analyse(sentence).some((term) => telling.has(term)));
  const tries = [own, sentences].flatMap((source) => [few, many].map((counts) => ({ said: source, counts })));
  let best: Proposal | undefined;
  for (const { said: source, counts } of tries) {
    const proposal = nearest(openingsOf(cluster, counts), source, cluster, space);
    if (!best || proposal.distance < best.distance) best = proposal;
    if (best.distance <= cluster.centroid.threshold) break;
  }
  return best!.text;
}

/**
 * Number of the cluster's words in an opening; many read like a list, and are for a cluster where few are not enough.
 */
const few = [2, 3];
const many = [4, 6, 8];

type Proposal = { text: string; distance: number };

function nearest(openings: string[], sentences: string[], cluster: Cluster, space: Space): Proposal {
  return openings
    .map((opening) => extended(opening, sentences, (text) => distanceOf(analyse(text), cluster, space)))
    .reduce((best, each) => (each.distance < best.distance ? each : best));
}

/** The opening extended by the sentence that brings it nearest to the centroid, and by more while they help. */
function extended(opening: string, sentences: string[], distance: (text: string) => number): Proposal {
  let current: Proposal = { text: opening, distance: Number.POSITIVE_INFINITY };
  for (let count = 0; count < mostSentences; count++) {
    const usedTerms = new Set(count === 0 ? [] : analyse(current.text));
    let next = current;
    for (const sentence of sentences) {
      const text = `${current.text} ${sentence}`;
      if (text.length > longestValue || isRepetition(sentence, usedTerms)) continue;
      const candidate = distance(text);
      if (candidate < next.distance) next = { text, distance: candidate };
    }
    if (next === current) break;
    current = next;
  }
  return current;
}

function isRepetition(sentence: string, usedTerms: ReadonlySet<string>): boolean {
  const terms = analyse(sentence);
  return terms.filter((term) => usedTerms.has(term)).length > terms.length * repeatedShare;
}

function sentencesOf({ axis, members, centroid }: Cluster): string[] {
  const central = members
    .filter(({ distance }) => distance <= centroid.threshold)
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, mostMembers);
  const texts = central.flatMap(({ experience }) => lessons[axis](experience));
  // Experiences without reasons still have a goal.
  const statements = texts.some((text) => text?.trim()) ? texts : central.map(({ experience }) => experience.goal);
  return [...new Set(statements.flatMap((text) => sentence(text ?? "")))];
}

/** The text as one sentence: of a long one the first, cut if necessary. */
function sentence(text: string): string[] {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return [];
  const first = line.length <= longestSentence ? line : (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line);
  const short = first.length <= longestSentence ? first : `${head(first)}…`;
  const ended = /[.!?…]$/.test(short) ? short : `${short}.`;
  const [letter, ...rest] = ended;
  return [letter!.toUpperCase() + rest.join("")];
}

/** Cut at a word boundary, or inside a word that alone is too long. */
function head(line: string): string {
  const cut = line.slice(0, longestSentence - 1).replace(/[\ud800-\udbff]$/, "");
  return cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut;
}

function openingsOf({ members, words }: Cluster, wordCounts: number[]): string[] {
  const counts = domains.map((domain) => members.filter(({ experience }) => experience.domain === domain).length);
  const most = Math.max(...counts);
  const occasion = most * 2 > members.length ? occasions[domains[counts.indexOf(most)]!] : "When working on";
  return wordCounts.map((count) => `${occasion} ${orList(words.slice(0, count))}:`);
}

function orList(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "this");
}
