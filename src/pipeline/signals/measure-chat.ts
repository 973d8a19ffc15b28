import { type Candidate, isTurn, type Scored, type Signals, sourceTraits } from "../../item.ts";
import type { Ask, ChatRanking, Recipe } from "../../recipes/recipe.ts";
import { chunkPlace } from "../../sources/documents/document-items.ts";
import { bringsTurns } from "../../sources/source.ts";
import type { Query } from "../../text/analysis/query.ts";
import { termsBesideTimes } from "../../text/times/asked-times.ts";
import type { Finding } from "../finding.ts";

import { imaginaryTexts, inverseFrequency, scoreTerms, type WeighedQuery, weighQuery } from "./bm25.ts";
import type { SignalColumns } from "./columns.ts";
import { meaningColumn, meaningShare } from "./meanings.ts";
import { exactMatchOf } from "./measure-documents.ts";
import { messageRelevance } from "./measure-messages.ts";

const hour = 60 * 60 * 1000;
/** Recency of an item without a time. */
const unknownRecency = 0.5;
const noTerms = new Uint8Array(0);

/**
 * Minimum coverage of the question: a match below it is chance. The best match is below it for 2 of 200 questions that
 * a library can answer, and for 140 of 200 that it cannot.
 */
const minCoverage = 0.25;
/** The minimum coverage for a document that was opened recently. */
const minRecentCoverage = 0.12;

/**
 * A document is left out, even if there is room, if both its coverage and its text score are below this share of the
 * best.
 */
const minShareOfBest = 0.5;

type Band = keyof ChatRanking["bands"];

/**
 * Ranks candidates for the next message of a chat by five signals: text similarity, matched words, recency, kind of
 * source, and usage. Each kind has its own band of scores: explicitly named items are above documents, and documents
 * above messages. All signals are absolute, so that the best of unrelated candidates does not score like an answer.
 * `met`: the highest query coverage, 0..1.
 */
export function scoreChat(
  finding: Finding,
  measured: SignalColumns,
  recipe: Recipe & { chat: ChatRanking },
  newest: number,
): { scored: Scored[]; met: number } {
  const { ask, source, query, evidence } = finding;
  const { candidates = finding.candidates } = measured;
  const { weights, bands, sources, recencyHours } = recipe.chat;
  const cosines = meaningColumn(candidates, []);
  const keywords = weighQuery(
    query.terms.map(({ term }) => ({ term, weight: 1 })),
    evidence.units,
  );
  const inThread = bringsTurns(source);
  const weighed = weighQuery(query.terms, evidence.units, query.also);
  const knownShare = knownShareOf(finding, weighed);
  const termsOf = ({ item }: Candidate) => evidence.unitTerms.get(item.id) ?? noTerms;
  const textScore = (candidate: Candidate) =>
    Math.max(
      exactMatchOf(candidate),
      share(scoreTerms(termsOf(candidate), weighed, recipe.records.model).score, highestScore(weighed, recipe)) *
        knownShare,
    );
  const texts = inThread ? messageRelevance(withDates(measured, ask, candidates)) : candidates.map(textScore);
  const withTime = timeBlender(ask, query);
  const explicit = ask.certain === true;
  const coverages = candidates.map((candidate, i) => {
    // Speaker and date alone are no match: without a matching word, coverage is 0.
    const certainty = inThread && !measured.columns.text![i] ? 0 : measured.certainty[i]!;
    return withTime(Math.max(certainty * knownShare, exactMatchOf(candidate)), candidate);
  });
  const bestCoverage = Math.max(0, ...coverages);
  const bestText = Math.max(0, ...texts);
  const scored = candidates.flatMap((candidate, i): Scored[] => {
    const met = coverages[i]!;
    const band = bandOf(candidate, explicit, met);
    if (!band) return [];
    const values: Signals = {
      text: withTime(blended(texts[i] ?? 0, cosines?.[i], meaningShare(finding, recipe, candidate)), candidate),
      // A message's coverage includes the turns before it: a reply seldom repeats the question's words.
      keywords: inThread
        ? met
        : share(scoreTerms(termsOf(candidate), keywords, recipe.records.model).matched, query.terms.length) *
          (finding.known ?? 1),
      recency: recency(candidate, newest, recencyHours),
      source: explicit ? sources.explicit : sources[kindOf(candidate)],
      usage: candidate.signals.usage ?? 0,
    };
    if (band === "document" && met < minShareOfBest * bestCoverage && texts[i]! < minShareOfBest * bestText) return [];
    const [low, high] = bands[band];
    const because: Signals = { [band]: low };
    let score = low;
    for (const name in weights) {
      const part = weights[name as keyof typeof weights] * values[name]! * (high - low);
      if (part > 0) because[name] = part;
      score += part;
    }
    const signals = { ...candidate.signals, ...values };
    const placed = ask.section === undefined ? {} : { section: ask.section };
    return [{ ...candidate, ...placed, signals, score, because }];
  });
  return {
    scored: explicit ? rankReferences(scored, ask, bands.explicit) : withinRoom(scored, ask),
    met: bestCoverage,
  };
}

/**
 * The share of the question's worth in known words, 0..1. An unknown word has the highest idf and cannot be matched.
 */
function knownShareOf({ query, evidence, known = 1 }: Finding, { total }: WeighedQuery): number {
  if (known <= 0 || total === 0) return 0;
  const weight = query.terms.reduce((sum, term) => sum + term.weight, 0);
  const unknownWeight = (weight * (1 - known)) / known;
  return total / (total + unknownWeight * inverseFrequency(0, evidence.units.count + imaginaryTexts));
}

/** The highest possible BM25 score: every term fully saturated. */
function highestScore({ terms }: WeighedQuery, { records }: Recipe): number {
  return (records.model.k1 + 1) * terms.reduce((sum, { gain }) => sum + gain, 0);
}

/** Text similarity: lexical score and embedding cosine, by the model's share. */
function blended(text: number, cosine: number | undefined, share: number): number {
  return cosine === undefined ? text : (1 - share) * text + share * cosine;
}

/** Once better candidates fill the budget this many times, the rest is dropped and not read at all. */
const budgetFactor = 1.5;
/**
 * The most that one candidate counts towards that, as a share of the budget, so that a few long ones do not end the
 * list early.
 */
const mostPerItem = 1 / 8;

function withinRoom(scored: Scored[], { room }: Ask): Scored[] {
  if (room === undefined) return scored;
  let tokens = 0;
  return scored
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1))
    .filter(({ item }) => {
      const before = tokens;
      tokens += Math.min(chunkPlace(item).tokens, mostPerItem * room);
      return before <= budgetFactor * room;
    });
}

/** A time in the message counts as much as one word of it; in a message without other words, only the time counts. */
function timeBlender({ times = [] }: Ask, { terms, text }: Query): (share: number, candidate: Candidate) => number {
  if (times.length === 0) return (share) => share;
  const words = termsBesideTimes(terms, text).length;
  return (share, { signals }) => (share * words + (signals.dated ?? 0)) / (words + 1);
}

/** Factor for a date that was guessed from the times of messages, relative to a date resolved by the clock. */
const guessedDateFactor = 0.5;

function withDates(measured: SignalColumns, { times = [] }: Ask, candidates: Candidate[]): SignalColumns {
  if (times.length === 0) return measured;
  const { date = [] } = measured.columns;
  const dates = candidates.map(({ signals }, i) => Math.max(signals.dated ?? 0, guessedDateFactor * (date[i] ?? 0)));
  return { ...measured, columns: { ...measured.columns, date: dates } };
}

/** Scores with a smaller difference count as equal: the order in the document then decides. */
const scoreStep = 0.005;

/**
 * Ranks the items of each reference, most relevant first (`place`), and scores references of a higher priority above
 * all of a lower one. Within the limit, every reference keeps its best items.
 */
function rankReferences(
  scored: Scored[],
  { references = [], limit = scored.length }: Ask,
  [low, high]: readonly [number, number],
): Scored[] {
  const priorities = [...new Set(references.map(({ priority }) => priority))].sort((a, b) => a - b);
  const step = (high - low) / Math.max(1, priorities.length);
  const open = new Map(scored.map((each) => [each.item.id, each]));
  const placed: Scored[] = [];
  for (const { ids, priority } of references) {
    const referenced = ids.flatMap((id) => open.get(id) ?? []).sort(byRelevance);
    for (const [place, each] of referenced.entries()) {
      open.delete(each.item.id);
      const above = priorities.indexOf(priority) * step;
      const because: Signals = { explicit: low, ...(above > 0 ? { priority: above } : {}) };
      for (const [name, part] of Object.entries(each.because)) {
        if (name !== "explicit") because[name] = part / priorities.length;
      }
      const score = low + above + (each.score - low) / priorities.length;
      placed.push({ ...each, score, because, signals: { ...each.signals, place, priority } });
    }
  }
  return placed
    .sort((a, b) => a.signals.place! - b.signals.place! || b.signals.priority! - a.signals.priority!)
    .slice(0, limit);
}

function byRelevance(a: Scored, b: Scored): number {
  const steps = Math.round(b.score / scoreStep) - Math.round(a.score / scoreStep);
  if (steps !== 0) return steps;
  if (a.item.path !== b.item.path) return a.item.path < b.item.path ? -1 : 1;
  return a.item.startLine - b.item.startLine || (a.item.id < b.item.id ? -1 : 1);
}

function bandOf({ item, signals }: Candidate, explicit: boolean, met: number): Band | undefined {
  if (explicit) return "explicit";
  if (isTurn(item.source)) return met >= minCoverage || signals.recent ? "message" : undefined;
  if (met >= minCoverage) return "document";
  return signals.recent && met >= minRecentCoverage ? "recent" : undefined;
}

function kindOf({ item }: Candidate): "file" | "chunk" | "message" {
  if (isTurn(item.source)) return "message";
  return sourceTraits[item.source].chunks ? "chunk" : "file";
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Age is counted from the newest candidate, not from a clock, so that the same question has the same answer later. */
function recency({ item }: Candidate, newest: number, scale: number): number {
  if (item.changed === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - item.changed) / (scale * hour));
}
