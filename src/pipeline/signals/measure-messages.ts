import type { Candidate } from "../../item.ts";
import { type MessagePlace, marks, messagePlace } from "../../sources/messages/message-items.ts";
import { spreadScale } from "../../sources/messages/neighbour-terms.ts";
import { namedIn, spokenTerms } from "../../sources/messages/speakers.ts";
import { fields, frequencies } from "../../text/analysis/terms.ts";
import { asksWhen, namedTimes, relativeTimes, timeMatch } from "../../text/times/times.ts";
import type { Finding } from "../finding.ts";

import { lengthOf, type WeighedQuery, weighQuery } from "./bm25.ts";
import { type SignalColumns, weighed, weightedSum } from "./columns.ts";
import { newestOf } from "./recency.ts";

/**
 * Weights of a message's signals. They were measured as 1, .1, .1, .1, .3 and .1 for columns that are not normalised:
 * coverage reaches 1.9, that of the session 2.2. Here columns are 0..1. The speaker is only a hint: at five times the
 * weight, every sixth question that names the wrong person is lost.
 */
export const messageSignals = {
  text: 1.9,
  session: 0.22,
  speaker: 0.1,
  statement: 0.1,
  date: 0.45,
  when: 0.1,
  recent: 0,
} as const;

const turnModel = { k1: 0.9, b: 0.3 };
const sessionModel = { k1: 1.2 };
const noTerms = new Uint8Array(0);

/** The signals of messages: the text with the turns around it, the session, the speaker and the time. */
export function measureMessages({ query, candidates, evidence }: Finding): SignalColumns {
  const places = candidates.map(({ item }) => messagePlace(item));
  const mentions = namedIn(query.text, new Set(places.map(({ speaker }) => speaker)));
  const terms = weighQuery(spokenTerms(query.terms, query.text, mentions), evidence.units);
  const own = candidates.map(({ item }) => evidence.unitTerms.get(item.id) ?? noTerms);
  const spread = candidates.map(({ item }) => evidence.spreadTerms.get(item.id) ?? noTerms);
  const texts = coverages(spread, terms, Math.max(1, evidence.files.averageLength));
  const times = namedTimes(query.text);
  const ranges = relativeTimes(query.text, newestOf(candidates));
  const isWhenQuestion = asksWhen(query.text);
  const isOneSpeaker = mentions.speakers.size === 1;
  const columns = {
    text: texts.map((score) => score / (turnModel.k1 + 1)),
    session: sessionCoverages(places, own, terms),
    speaker: places.map(({ speaker }) => (isOneSpeaker && mentions.speakers.has(speaker) ? 1 : 0)),
    statement: own.map((each, i) => (texts[i]! > 0 && !hasMark(each, marks.question) ? 1 : 0)),
    date: candidates.map(({ item }) => (item.changed === undefined ? 0 : timeMatch(times, ranges, item.changed))),
    when: own.map((each) => (isWhenQuestion && hasMark(each, marks.time) ? 1 : 0)),
    recent: candidates.map(({ signals }: Candidate) => signals.recent ?? 0),
  };
  return { columns, certainty: sumsOf(columns).map((sum) => Math.min(1, sum / fullCertainty)) };
}

/**
 * The sum of signals that counts as full certainty: few questions name a day or a speaker, so the sum of a real answer
 * is below 1. At the same rate of "nothing" for questions about another conversation (seven of ten), 94 of 100 are
 * answered instead of 92 by coverage alone (LoCoMo).
 */
const fullCertainty = 0.62;

/** All signals of a message in one number, 0..1, for a recipe that weighs other signals too. */
export function messageRelevance({ columns }: SignalColumns): number[] {
  return sumsOf(columns).map((sum) => Math.min(1, sum));
}

function sumsOf(columns: SignalColumns["columns"]): number[] {
  const counted = weighed(columns, messageSignals);
  return columns.text!.map((_, i) => weightedSum(counted, i));
}

/** BM25 as a share of the query's total idf: up to k1 + 1 if every term is saturated. */
function coverages(packed: Uint8Array[], query: WeighedQuery, averageLength: number): number[] {
  const { k1, b } = turnModel;
  const gains = totalGain(query) || 1;
  return packed.map((each) => {
    const norm = k1 * (1 - b + (b * lengthOf(each)) / averageLength) * spreadScale;
    let score = 0;
    for (const { hash, gain } of query.terms) {
      const frequency = frequencyOf(each, hash);
      if (frequency > 0) score += (gain * frequency * (k1 + 1)) / (frequency + norm);
    }
    return score / gains;
  });
}

/** Coverages of sessions, 0..1, from the turns that were found: other turns have none of the question's words. */
function sessionCoverages(places: MessagePlace[], own: Uint8Array[], query: WeighedQuery): number[] {
  const sessions = new Map<string, number[]>();
  const keys = places.map(({ thread, session }) => (session === undefined ? undefined : `${thread}/${session}`));
  keys.forEach((key, i) => {
    if (key === undefined) return;
    let sums = sessions.get(key);
    if (!sums) sessions.set(key, (sums = query.terms.map(() => 0)));
    query.terms.forEach(({ hash }, at) => {
      sums[at]! += frequencyOf(own[i]!, hash, contentFields);
    });
  });
  const { k1 } = sessionModel;
  const gains = totalGain(query);
  const covered = new Map(
    [...sessions].map(([key, sums]) => {
      const sum = query.terms.reduce((all, { gain }, at) => all + (gain * sums[at]!) / (sums[at]! + k1), 0);
      return [key, gains === 0 ? 0 : sum / gains];
    }),
  );
  return keys.map((key) => (key === undefined ? 0 : covered.get(key)!));
}

/** The sum of all terms' gains: the normaliser of a coverage. */
function totalGain({ terms }: WeighedQuery): number {
  return terms.reduce((sum, { gain }) => sum + gain, 0);
}

const scratch = new Uint16Array(fields.length);
/** Fields of the message's content, without the speaker's. */
const contentFields = fields.map((field) => (field === "name" || field === "path" ? 0 : 1));

function frequencyOf(packed: Uint8Array, hash: number, fieldWeights?: readonly number[]): number {
  scratch.fill(0);
  if (!frequencies(packed, hash, scratch)) return 0;
  let sum = 0;
  for (let field = 0; field < fields.length; field++) sum += scratch[field]! * (fieldWeights?.[field] ?? 1);
  return sum;
}

function hasMark(packed: Uint8Array, mark: number): boolean {
  return frequencyOf(packed, mark) > 0;
}
