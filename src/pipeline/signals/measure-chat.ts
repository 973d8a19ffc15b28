import { type Candidate, isTurn, type Scored, type Signals } from "../../item.ts";
import type { Ask, ChatRanking, Recipe } from "../../recipes/recipe.ts";
import { chunkPlace } from "../../sources/documents/document-items.ts";
import { bringsTurns } from "../../sources/source.ts";
import type { Query } from "../../text/analysis/query.ts";
import { termsBesideTimes } from "../../text/times/asked-times.ts";
import type { Finding } from "../finding.ts";

import { imagined, inverseFrequency, scoreTerms, type WeighedQuery, weighQuery } from "./bm25.ts";
import type { SignalColumns } from "./columns.ts";
import { meaningColumn, meaningShare } from "./meanings.ts";
import { toTheLetter } from "./measure-documents.ts";
import { messageRelevance } from "./measure-messages.ts";

const hour = 60 * 60 * 1000;
/** Of an item whose time is not known. */
const unknownRecency = 0.5;
const noTerms = new Uint8Array(0);

/**
 * What meets less of the question is there by chance. Of 200 questions that a library answers the best match of two meets less, of 200 that
 * it cannot answer that of 140.
 */
const leastMet = 0.25;
/** The same of a document that was opened lately. */
const leastOfRecent = 0.12;

/** A document that meets less than this of what the best one meets, and whose text is as much weaker, is not there because there is room. */
const leastOfBest = 0.5;

type Band = keyof ChatRanking["bands"];

/**
 * Ranks what may help with the next message by five signals: how alike the texts are, how many of the question's words it has, how new it
 * is, where it comes from, and how often it proved useful. Each kind has its band of scores, so that what was named by hand is above what
 * was found, and that above what was merely said. All of them are absolute: the best of what has nothing to do with the question does
 * not score like an answer. `met`: how much of the question the best one meets, 0..1.
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
  const near = meaningColumn(candidates, []);
  const keywords = weighQuery(
    query.terms.map(({ term }) => ({ term, weight: 1 })),
    evidence.units,
  );
  const inThread = bringsTurns(source);
  const weighed = weighQuery(query.terms, evidence.units, query.also);
  const understood = worthKnown(finding, weighed);
  const termsOf = ({ item }: Candidate) => evidence.unitTerms.get(item.id) ?? noTerms;
  const alike = (candidate: Candidate) =>
    Math.max(
      toTheLetter(candidate),
      share(scoreTerms(termsOf(candidate), weighed, recipe.records.model).score, mostOf(weighed, recipe)) * understood,
    );
  const texts = inThread ? messageRelevance(withDates(measured, ask, candidates)) : candidates.map(alike);
  const withTime = timeCounted(ask, query);
  const explicit = ask.certain === true;
  const mets = candidates.map((candidate, i) => {
    // Who speaks and when is no answer to words that nobody said.
    const certainty = inThread && !measured.columns.text![i] ? 0 : measured.certainty[i]!;
    return withTime(Math.max(certainty * understood, toTheLetter(candidate)), candidate);
  });
  const mostMet = Math.max(0, ...mets);
  const mostAlike = Math.max(0, ...texts);
  const scored = candidates.flatMap((candidate, i): Scored[] => {
    const met = mets[i]!;
    const band = bandOf(candidate, explicit, met);
    if (!band) return [];
    const values: Signals = {
      text: withTime(blended(texts[i] ?? 0, near?.[i], meaningShare(finding, recipe, candidate)), candidate),
      // What was said just before counts as said: a reply seldom repeats the question's words.
      keywords: inThread
        ? met
        : share(scoreTerms(termsOf(candidate), keywords, recipe.records.model).matched, query.terms.length) *
          (finding.known ?? 1),
      recency: recency(candidate, newest, recencyHours),
      source: explicit ? sources.explicit : sources[kindOf(candidate)],
      usage: candidate.signals.usage ?? 0,
    };
    if (band === "document" && met < leastOfBest * mostMet && texts[i]! < leastOfBest * mostAlike) return [];
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
  return { scored: explicit ? placesIn(scored, ask, bands.explicit) : withinRoom(scored, ask), met: mostMet };
}

/** How much of the question is in words that somebody uses here, 0..1: one that nobody does is as rare as can be, and is met by nothing. */
function worthKnown({ query, evidence, known = 1 }: Finding, { total }: WeighedQuery): number {
  if (known <= 0 || total === 0) return 0;
  const weight = query.terms.reduce((sum, term) => sum + term.weight, 0);
  const strange = (weight * (1 - known)) / known;
  return total / (total + strange * inverseFrequency(0, evidence.units.count + imagined));
}

/** What a text scores at most, that says everything again and again. */
function mostOf({ terms }: WeighedQuery, { records }: Recipe): number {
  return (records.model.k1 + 1) * terms.reduce((sum, { gain }) => sum + gain, 0);
}

/** How alike texts are, by their words and by a language model. */
function blended(text: number, near: number | undefined, share: number): number {
  return near === undefined ? text : (1 - share) * text + share * near;
}

/** Once the better ones would fill the room this often, the others are neither read nor compared. */
const roomsFilled = 1.5;
/** What one counts towards it at most, as a share of the room: long ones do not end it early. */
const mostOfRoom = 1 / 8;

function withinRoom(scored: Scored[], { room }: Ask): Scored[] {
  if (room === undefined) return scored;
  let tokens = 0;
  return scored
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1))
    .filter(({ item }) => {
      const before = tokens;
      tokens += Math.min(chunkPlace(item).tokens, mostOfRoom * room);
      return before <= roomsFilled * room;
    });
}

/** A time that the message names counts as much as one of its words; where it names nothing else, it is all that counts. */
function timeCounted({ times = [] }: Ask, { terms, text }: Query): (share: number, candidate: Candidate) => number {
  if (times.length === 0) return (share) => share;
  const words = termsBesideTimes(terms, text).length;
  return (share, { signals }) => (share * words + (signals.dated ?? 0)) / (words + 1);
}

/** What is known of a time by a clock counts more than what is guessed from when the messages were written. */
const guessed = 0.5;

function withDates(measured: SignalColumns, { times = [] }: Ask, candidates: Candidate[]): SignalColumns {
  if (times.length === 0) return measured;
  const { date = [] } = measured.columns;
  const dates = candidates.map(({ signals }, i) => Math.max(signals.dated ?? 0, guessed * (date[i] ?? 0)));
  return { ...measured, columns: { ...measured.columns, date: dates } };
}

/** Scores that differ by less are as good: then what stands first in its document comes first. */
const asGood = 0.005;

/**
 * The place of each among what one reference names, the most relevant first, and how much that reference counts: what has a higher priority
 * scores above all that has a lower one. Where there are too many, every reference keeps its best.
 */
function placesIn(
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
  const steps = Math.round(b.score / asGood) - Math.round(a.score / asGood);
  if (steps !== 0) return steps;
  if (a.item.path !== b.item.path) return a.item.path < b.item.path ? -1 : 1;
  return a.item.startLine - b.item.startLine || (a.item.id < b.item.id ? -1 : 1);
}

function bandOf({ item, signals }: Candidate, explicit: boolean, met: number): Band | undefined {
  if (explicit) return "explicit";
  if (isTurn(item.source)) return met >= leastMet || signals.recent ? "message" : undefined;
  if (met >= leastMet) return "document";
  return signals.recent && met >= leastOfRecent ? "recent" : undefined;
}

function kindOf({ item }: Candidate): "file" | "chunk" | "message" {
  if (isTurn(item.source)) return "message";
  return item.source === "document" ? "chunk" : "file";
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Counted from the newest of them, not from a clock: the same question has the same answer later. */
function recency({ item }: Candidate, newest: number, scale: number): number {
  if (item.changed === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - item.changed) / (scale * hour));
}
