import type { Candidate, Scored, Signals } from "../item.ts";
import type { Ask, ChatRanking, Recipe } from "../recipes/recipe.ts";
import { chunkPlace } from "../sources/document-items.ts";
import { termsBesideTimes } from "../text/asked-times.ts";
import type { Query } from "../text/query.ts";
import type { Finding } from "./1-resolve.ts";
import { scoreTerms, weighQuery } from "./bm25.ts";
import { meaningColumn, meaningShare } from "./meanings.ts";
import { messageRelevance } from "./measure-messages.ts";
import type { Measured } from "./signals.ts";

const hour = 60 * 60 * 1000;
/** Of an item whose time is not known. */
const unknownRecency = 0.5;
const noTerms = new Uint8Array(0);

/** Matches that meet less of the question are chance: such an item is there only for being recent, or not at all. */
const leastMet = 0.2;

/** A document that meets less than this of what the best one meets, and whose text is as much weaker, is not there because there is room. */
const leastOfBest = 0.5;

type Band = keyof ChatRanking["bands"];

/**
 * Ranks what may help with the next message by five signals: how alike the texts are, how many of the question's words it has, how new it
 * is, where it comes from, and how often it proved useful. Each kind has its band of scores, so that what was named by hand is above what
 * was found, and that above what was merely said.
 */
export function scoreChat(
  finding: Finding,
  measured: Measured,
  recipe: Recipe & { chat: ChatRanking },
  newest: number,
): Scored[] {
  const { ask, source, query, candidates, evidence } = finding;
  const { weights, bands, sources, recencyHours } = recipe.chat;
  const near = meaningColumn(candidates, []);
  const keywords = weighQuery(
    query.terms.map(({ term }) => ({ term, weight: 1 })),
    evidence.units,
  );
  const inThread = source.shelf === "message";
  const texts = inThread ? messageRelevance(withDates(measured, ask, candidates)) : (measured.columns.text ?? []);
  const withTime = timeCounted(ask, query);
  const explicit = ask.certain === true;
  const mostMet = Math.max(0, ...candidates.map((candidate, i) => withTime(measured.certainty[i]!, candidate)));
  const scored = candidates.flatMap((candidate, i): Scored[] => {
    const met = withTime(measured.certainty[i]!, candidate);
    const band = bandOf(candidate, explicit, met);
    if (!band) return [];
    const terms = evidence.unitTerms.get(candidate.item.id) ?? noTerms;
    const values: Signals = {
      text: withTime(blended(texts[i] ?? 0, near?.[i], meaningShare(finding, recipe, candidate)), candidate),
      // What was said just before counts as said: a reply seldom repeats the question's words.
      keywords: inThread ? met : share(scoreTerms(terms, keywords, recipe.records.model).matched, query.terms.length),
      recency: recency(candidate, newest, recencyHours),
      source: explicit ? sources.explicit : sources[kindOf(candidate)],
      usage: candidate.signals.usage ?? 0,
    };
    if (band === "document" && met < leastOfBest * mostMet && values.text! < leastOfBest) return [];
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
  return explicit ? placesIn(scored, ask) : withinRoom(scored, ask);
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

function withDates(measured: Measured, { times = [] }: Ask, candidates: Candidate[]): Measured {
  if (times.length === 0) return measured;
  const { date = [] } = measured.columns;
  const dates = candidates.map(({ signals }, i) => Math.max(signals.dated ?? 0, guessed * (date[i] ?? 0)));
  return { ...measured, columns: { ...measured.columns, date: dates } };
}

/** Scores that differ by less are as good: then what stands first in its document comes first. */
const asGood = 0.005;

/**
 * The place of each among what one reference names, the most relevant first, and how much that reference counts. Where there are too many,
 * every reference keeps its best.
 */
function placesIn(scored: Scored[], { references = [], limit = scored.length }: Ask): Scored[] {
  const open = new Map(scored.map((each) => [each.item.id, each]));
  const placed: Scored[] = [];
  for (const { ids, priority } of references) {
    const named = ids.flatMap((id) => open.get(id) ?? []).sort(byRelevance);
    for (const [place, each] of named.entries()) {
      open.delete(each.item.id);
      placed.push({ ...each, signals: { ...each.signals, place, priority } });
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
  if (item.source === "message") return met >= leastMet || signals.recent ? "message" : undefined;
  return met >= leastMet ? "document" : signals.recent ? "recent" : undefined;
}

function kindOf({ item }: Candidate): "file" | "chunk" | "message" {
  if (item.source === "message") return "message";
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
