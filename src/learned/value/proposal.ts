import { analyse } from "../../text/analysis/analyse.ts";
import type { Cluster } from "../cluster/clusters.ts";
import type { Space } from "../cluster/space.ts";
import { type Axis, type Domain, domains, type Experience } from "../experience.ts";
import { longestValue } from "../value.ts";
import { distanceOf } from "./check.ts";

/** What an experience has to say to the next one, by axis, the most telling first. */
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

/** Members whose sentences are tried, nearest first; more say the same again. */
const mostMembers = 25;
const mostSentences = 3;
/** A longer lesson is a story; its first sentence is taken. */
const longestSentence = 180;
/** A sentence of which so much has been said says it again in other words. */
const saidShare = 0.7;

/**
 * A text for the cluster made of its members' own sentences: the one nearest to the centroid, with those that bring it nearer still. Nothing
 * is claimed that no member says. It is valid nearly always; `checkText` knows.
 */
export function proposeText(cluster: Cluster, space: Space): string {
  const sentences = sentencesOf(cluster);
  const telling = new Set(cluster.words.flatMap((word) => analyse(word)));
  const own = sentences.filter((sentence) => analyse(sentence).some((term) => telling.has(term)));
  const tries = [own, sentences].flatMap((said) => [few, many].map((counts) => ({ said, counts })));
  let best: Proposal | undefined;
  for (const { said, counts } of tries) {
    const found = nearest(openingsOf(cluster, counts), said, cluster, space);
    if (!best || found.distance < best.distance) best = found;
    if (best.distance <= cluster.centroid.threshold) break;
  }
  return best!.text;
}

/** How many of the cluster's words an opening has; many read like a list, and are for a cluster that few do not meet. */
const few = [2, 3];
const many = [4, 6, 8];

type Proposal = { text: string; distance: number };

function nearest(openings: string[], sentences: string[], cluster: Cluster, space: Space): Proposal {
  return openings
    .map((opening) => continued(opening, sentences, (text) => distanceOf(analyse(text), cluster, space)))
    .reduce((best, each) => (each.distance < best.distance ? each : best));
}

/** The opening with the sentence that brings it nearest, and more while they help. */
function continued(opening: string, sentences: string[], distance: (text: string) => number): Proposal {
  let reached: Proposal = { text: opening, distance: Number.POSITIVE_INFINITY };
  for (let count = 0; count < mostSentences; count++) {
    const said = new Set(count === 0 ? [] : analyse(reached.text));
    let next = reached;
    for (const sentence of sentences) {
      const text = `${reached.text} ${sentence}`;
      if (text.length > longestValue || isSaid(sentence, said)) continue;
      const found = distance(text);
      if (found < next.distance) next = { text, distance: found };
    }
    if (next === reached) break;
    reached = next;
  }
  return reached;
}

function isSaid(sentence: string, said: ReadonlySet<string>): boolean {
  const terms = analyse(sentence);
  return terms.filter((term) => said.has(term)).length > terms.length * saidShare;
}

function sentencesOf({ axis, members, centroid }: Cluster): string[] {
  const central = members
    .filter(({ distance }) => distance <= centroid.threshold)
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, mostMembers);
  const said = central.flatMap(({ experience }) => lessons[axis](experience));
  // Experiences that ended without a word of why still had a goal.
  const found = said.some((text) => text?.trim()) ? said : central.map(({ experience }) => experience.goal);
  return [...new Set(found.flatMap((text) => sentence(text ?? "")))];
}

/** The text as one sentence: a long one as its first, or as far as it goes. */
function sentence(text: string): string[] {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return [];
  const first = line.length <= longestSentence ? line : (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line);
  const short = first.length <= longestSentence ? first : `${head(first)}…`;
  const ended = /[.!?…]$/.test(short) ? short : `${short}.`;
  const [letter, ...rest] = ended;
  return [letter!.toUpperCase() + rest.join("")];
}

/** Whole words, or the beginning of a word that alone is too long. */
function head(line: string): string {
  const cut = line.slice(0, longestSentence - 1).replace(/[\ud800-\udbff]$/, "");
  return cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut;
}

function openingsOf({ members, words }: Cluster, wordCounts: number[]): string[] {
  const counts = domains.map((domain) => members.filter(({ experience }) => experience.domain === domain).length);
  const most = Math.max(...counts);
  const occasion = most * 2 > members.length ? occasions[domains[counts.indexOf(most)]!] : "When working on";
  return wordCounts.map((count) => `${occasion} ${listed(words.slice(0, count))}:`);
}

function listed(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "this");
}
