import { isStopWord } from "../../text/analysis/analyse.ts";
import type { LiveHit } from "./api-responses.ts";
import type { LiveQuery } from "./client.ts";

/** Limit of conditions per search; the API allows twenty, and names have few words. */
const mostWords = 8;
/** With this many results of the strict search the lenient one is skipped. */
const enough = 10;

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'-]*/gu;

/**
 * The words of a topic to search in names, as substrings: the search finds "project" in "projects", not the reverse.
 */
export function topicWords(topic: string): string[] {
  const all = [...new Set((topic.slice(0, 1000).toLowerCase().match(word) ?? []).map(withoutPlural))];
  const contentWords = all.filter((each) => !isStopWord(each));
  return (contentWords.length > 0 ? contentWords : all).slice(0, mostWords);
}

function withoutPlural(each: string): string {
  return each.length > 4 && each.endsWith("s") ? each.slice(0, -1) : each;
}

/** A search for all words in the name, and one for any of them when that finds little. */
export function searchesFor(words: string[]): { strict: LiveQuery; lenient?: LiveQuery } | undefined {
  const conditions = words.map((textContains) => ({ textContains }));
  const [only] = conditions;
  if (!only) return undefined;
  return conditions.length === 1 ? { strict: only } : { strict: { and: conditions }, lenient: { or: conditions } };
}

export function isEnough(hits: LiveHit[]): boolean {
  return hits.length >= enough;
}

/** Results with most words of the topic first; among equals tagged notes first, then the API's order. */
export function rankHits(hits: LiveHit[], topic: string, words: string[]): LiveHit[] {
  const phrase = topic.trim().toLowerCase();
  const scored = hits.map((hit) => {
    const name = hit.name.toLowerCase();
    const count = words.filter((each) => name.includes(each)).length;
    return { hit, score: (name === phrase ? 100 : 0) + count + (hit.tags.length > 0 ? 0.5 : 0) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}
