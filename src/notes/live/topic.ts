import { isStopWord } from "../../text/analysis/analyse.ts";
import type { LiveQuery } from "./client.ts";
import type { LiveHit } from "./shapes.ts";

/** Conditions in one search; the API allows twenty, and names have few words. */
const mostWords = 8;
/** Hits of the strict search that make a lenient one needless. */
const enough = 10;

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'-]*/gu;

/** The words of a topic that may stand in a name, as parts of words: the search finds "project" in "projects", not the other way. */
export function topicWords(topic: string): string[] {
  const all = [...new Set((topic.slice(0, 1000).toLowerCase().match(word) ?? []).map(withoutPlural))];
  const telling = all.filter((each) => !isStopWord(each));
  return (telling.length > 0 ? telling : all).slice(0, mostWords);
}

function withoutPlural(each: string): string {
  return each.length > 4 && each.endsWith("s") ? each.slice(0, -1) : each;
}

/** All words in the name; and any of them, for when that finds little. */
export function searchesFor(words: string[]): { strict: LiveQuery; lenient?: LiveQuery } | undefined {
  const conditions = words.map((textContains) => ({ textContains }));
  const [only] = conditions;
  if (!only) return undefined;
  return conditions.length === 1 ? { strict: only } : { strict: { and: conditions }, lenient: { or: conditions } };
}

export function isEnough(hits: LiveHit[]): boolean {
  return hits.length >= enough;
}

/** Hits that say most of the topic first; of equals, notes with tags, and then as the API has them. */
export function rankHits(hits: LiveHit[], topic: string, words: string[]): LiveHit[] {
  const whole = topic.trim().toLowerCase();
  const scored = hits.map((hit) => {
    const name = hit.name.toLowerCase();
    const said = words.filter((each) => name.includes(each)).length;
    return { hit, score: (name === whole ? 100 : 0) + said + (hit.tags.length > 0 ? 0.5 : 0) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}
