import { type Candidate, type Scored, type Signals, sourceTraits } from "../../item.ts";
import type { SearchRequest } from "../../options.ts";
import { type Ask, isReport, type Recipe } from "../../recipes/recipe.ts";
import { bringsLines, bringsTurns } from "../../sources/source.ts";
import { largest } from "../../stores/search/matrix.ts";
import { certainMatch } from "../../text/analysis/message-match.ts";
import type { Query } from "../../text/analysis/query.ts";
import { isTemplate } from "../../tree/roles/templates.ts";
import { isTooling } from "../../tree/roles/tooling.ts";
import type { Finding, Found } from "../finding.ts";
import type { Ranking } from "../ranking.ts";
import { byScore, rankingOf, scaled } from "../ranking.ts";
import { type SignalColumns, weighed, weightedSum } from "../signals/columns.ts";
import { fused, meaningColumn, meaningShare } from "../signals/meanings.ts";
import { measureTogether } from "../signals/measure-briefing.ts";
import { scoreChat } from "../signals/measure-chat.ts";
import { measureDocuments } from "../signals/measure-documents.ts";
import { measureFiles } from "../signals/measure-files.ts";
import { measureMessages, messageSignals } from "../signals/measure-messages.ts";
import { measureNotes } from "../signals/measure-notes.ts";
import { measureTexts } from "../signals/measure-texts.ts";
import { adjust, newestOf } from "../signals/recency.ts";
import { answeringCommits, answersByTime, withAnsweringFirst } from "./answering-commits.ts";
import { withBestOfAskedClass } from "./asked-class.ts";
import { withClarity } from "./clarity.ts";
import { languageFactor } from "./language-factor.ts";
import { withLongestOverloads } from "./overloads.ts";
import { roleFactor } from "./role-factor.ts";
import { testingFactor } from "./testing-factor.ts";
import { decisionsNeeded, workFactor } from "./work-factor.ts";

/**
 * Ranks candidates by a weighted sum of named signals. Signals are normalised within each source; to compare sources,
 * the scores of a source are scaled down by how much less of the query it covers than the best source. A score tells
 * which item is better; `confidence` tells how good the best one is.
 */
export function score(found: Found, request: SearchRequest, recipe: Recipe): Ranking {
  const newest = newestOf(found.findings.flatMap(({ candidates }) => candidates));
  const jointColumns = measureTogether(found.findings, recipe);
  const parts = found.findings.map((finding) =>
    measureFinding(finding, jointColumns.get(finding) ?? measure(finding, request, recipe), request, recipe, newest),
  );
  const bestCoverage = Math.max(...parts.map(({ met, weight }) => met * weight), 0);
  const firstIds = new Set(parts.flatMap(({ scored, isFirst }) => (isFirst ? scored.map(({ item }) => item.id) : [])));
  // Sources do not compete where every section has its own share of the budget.
  const isSeparate = recipe.chat !== undefined || recipe.look.budget === "shares";
  const all = parts.flatMap(({ scored, met, certain, isFirst }) => {
    if (isFirst) return scored;
    const others = firstIds.size === 0 ? scored : scored.filter(({ item }) => !firstIds.has(item.id));
    return certain || isSeparate || bestCoverage === 0
      ? others
      : others.map((each) => scaled(each, Math.min(1, met / bestCoverage) ** sourcePower));
  });
  const evident = Math.max(0, ...parts.map((part) => part.confidence));
  const confidence = found.place?.isMissing ? Math.min(evident, mostWithoutFile) : evident;
  if (recipe.chat) return rankingOf(bestScoreOfEach(all), request, confidence);
  const answering = isSeparate ? [] : parts.flatMap(({ answering }) => answering ?? []);
  const ranking = rankingOf(withAnsweringFirst(all, answering), request, confidence);
  return isSeparate ? ranking : { ...ranking, confidence: withClarity(confidence, ranking.ordered, found.query) };
}

/** Confidence at most where a file is asked for that is not there: whatever is found is another one. */
const mostWithoutFile = 0.2;

/** Exponent of the scaling between sources: higher puts sources that cover less of the query further behind. */
const sourcePower = 1.5;

/** An item may be both named and found: its best score counts. */
function bestScoreOfEach(scored: Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const each of scored) {
    const previous = best.get(each.item.id);
    if (!previous || each.score > previous.score) best.set(each.item.id, each);
  }
  return [...best.values()];
}

/**
 * `met`: query coverage, 0..1: the share of the query's indexed words that the best candidates contain. `weight`: how
 * much of it counts when sources are compared: a commit message that repeats every word of a question must not push the
 * code down.
 */
type ScoredFinding = {
  scored: Scored[];
  met: number;
  weight: number;
  certain: boolean;
  confidence: number;
  isFirst?: true;
  /** Of commits, those that answer a question of history. */
  answering?: Scored[];
};

function measureFinding(
  finding: Finding,
  measured: SignalColumns,
  request: SearchRequest,
  recipe: Recipe,
  newest: number,
): ScoredFinding {
  const { ask, query, candidates: found } = finding;
  const certain = ask.certain === true;
  const weight = askFactor(ask, query);
  if (found.length === 0) return { scored: [], met: 0, weight, certain, confidence: 0 };
  // Items that are always present do not count towards confidence.
  if (ask.alwaysFirst) return { scored: byImportance(finding), met: 0, weight, certain, confidence: 0, isFirst: true };
  const isInFiles = bringsLines(finding.source);
  if (recipe.chat) {
    const { scored, met } = scoreChat(finding, measured, { ...recipe, chat: recipe.chat }, newest);
    const confidence = scored.length === 0 ? 0 : certain ? 1 : confidenceOf(Math.sqrt(met));
    return { scored: scored.sort(byScore).slice(0, ask.limit), met, weight, certain, confidence };
  }
  const { columns, certainty, candidates = found } = measured;
  const defaultWeights = weightsOf(finding, recipe);
  const weightsAt = candidates.map((candidate) => measured.weightsOf?.(candidate) ?? defaultWeights);
  const signalsOf = new Map([...new Set(weightsAt)].map((weights) => [weights, weighed(columns, weights)]));
  const meaning = meaningColumn(candidates, found);
  const signalsAt = weightsAt.map((weights, i) =>
    fused(signalsOf.get(weights)!, meaning, meaningShare(finding, recipe, candidates[i]!)),
  );
  const sums = candidates.map((_, i) => weightedSum(signalsAt[i]!, i));
  const met = coverageOfBest(sums, certainty);
  const needed = decisionsNeeded(candidates);
  // Where there is code beside it: among texts alone, the signals tell what a heading is worth.
  const headings = query.wantsBehaviour && needed > 0 ? measured.headings : undefined;
  const ofLanguage = languageFactor(candidates, query);
  const scored = candidates.map((candidate, i): Scored => {
    const typeFactor = Math.min(
      kindFactor(candidate, query, request, recipe, headings?.[i] ?? 0),
      roleFactor(candidate, query, request, recipe),
    );
    const factors =
      typeFactor * testingFactor(candidate, query, measured.headings?.[i] ?? 0) * ofLanguage(candidate.item);
    const score = calibrated(Math.min(1, sums[i]! * weight * factors * workFactor(candidate, query, needed)));
    const factor = sums[i]! > 0 ? score / sums[i]! : 0;
    const because: Signals = {};
    for (const { name, column, weight } of signalsAt[i]!) {
      const part = weight * column[i]! * factor;
      if (part > 0) because[name] = part;
    }
    const plain = { ...candidate, score, because };
    const base = placed(plain, query);
    const inSection = ask.section === undefined ? base : { ...base, section: ask.section };
    return isInFiles ? inSection : adjust(inSection, recipe.records, newest);
  });
  const ranked = isInFiles ? withBestOfAskedClass(withLongestOverloads(scored, query, finding.callers), query) : scored;
  const best = ask.limit === undefined ? ranked : withinLimit(ranked, ask.limit);
  const evidence = Math.max(evidenceOf(finding, met, recipe, measured.vocabulary), exactMatch(candidates));
  const confidence = certain ? 1 : confidenceOf(evidence);
  const isBriefing = recipe.look.budget === "shares";
  return {
    scored: isBriefing ? best.map((each) => ({ ...each, confidence })) : best,
    met,
    weight,
    certain,
    confidence,
    answering: answeringCommits(finding, best),
  };
}

/** The best items, and commits that are there because they are the newest or the first, whatever their words are. */
function withinLimit(scored: Scored[], limit: number): Scored[] {
  const ranked = scored.sort(byScore);
  return [...ranked.slice(0, limit), ...ranked.slice(limit).filter(answersByTime)];
}

/** Orders by importance, then newest first, whatever the question is. */
function byImportance({ ask, candidates }: Finding): Scored[] {
  const importance = ({ signals }: Candidate) => signals.importance ?? 0;
  return [...candidates]
    .sort(
      (a, b) =>
        importance(b) - importance(a) ||
        (b.item.changed ?? 0) - (a.item.changed ?? 0) ||
        (a.item.id < b.item.id ? -1 : 1),
    )
    .slice(0, ask.limit)
    .map((candidate, place) => {
      const score = 1 - place / 1000;
      return { ...candidate, score, because: { pinned: score }, ...(ask.section && { section: ask.section }) };
    });
}

/**
 * A task has more words than any record, so in a briefing covering this many of them is enough for full confidence. Of
 * 20 tasks, 1 is unsure; without it, 19.
 */
const enoughWords = 6;

/**
 * What is certainly meant comes before all others: the frames of a stack trace, what prints the message, what is named.
 */
function placed(scored: Scored, query: Query): Scored {
  const { frame, named, meant } = scored.signals;
  if (frame !== undefined) return above(scored, "frame", frame);
  if (isPrinter(scored, query)) return aboveAll(scored, query);
  if (named) return aboveUnnamed(scored);
  return meant ? aboveFound(scored, meant) : scored;
}

/** What a hint is the name of comes before what was only found, and after all that the question names itself. */
function aboveFound(scored: Scored, meant: number): Scored {
  const score = Math.max(scored.score, meant * leadOfHint - (1 - scored.score) / 100);
  return { ...scored, score, because: { ...scored.because, meant: score - scored.score } };
}

/** Below the lowest definition of a name (`files.ts`), above any sum of signals but the best. */
const leadOfHint = 0.94;

function above(scored: Scored, signal: string, place: number): Scored {
  const score = place - (1 - scored.score) / 10_000;
  return { ...scored, score, because: { ...scored.because, [signal]: score - scored.score } };
}

/** Items that the query names come before all others; among themselves they keep their order. */
function aboveUnnamed(scored: Scored): Scored {
  const score = scored.signals.named! - (1 - scored.score) / 1000;
  return { ...scored, score, because: { ...scored.because, named: score - scored.score } };
}

/** Whether it surely prints the message that is all of the query, or that of a stack trace. */
function isPrinter({ signals }: Candidate, { messages, trace }: Query): boolean {
  return (signals.message ?? 0) >= certainMatch && (trace?.alone === true || messages.some(({ alone }) => alone));
}

/**
 * What prints a message comes before everything else, by how much of it its literal is: of two that are nearly the
 * same, only one printed it.
 */
function aboveAll(scored: Scored, { trace }: Query): Scored {
  const place = 1 - (1 - scored.signals.message!) / 100;
  return above(scored, "message", trace?.alone ? place - belowRaising : place);
}

/**
 * Beside a stack trace, what prints its message comes after the frame that raised it and before those that called that.
 */
const belowRaising = 0.008;

function measure(finding: Finding, request: SearchRequest, recipe: Recipe): SignalColumns {
  switch (finding.source.measuredAs) {
    case "files":
      return measureFiles(finding, request, recipe);
    case "messages":
      return measureMessages(finding);
    case "documents":
      return measureDocuments(finding, recipe);
    case "notes":
      return measureNotes(finding, recipe);
    case "texts":
      return measureTexts(finding, recipe);
  }
}

function weightsOf({ source, query }: Finding, recipe: Recipe): Record<string, number> {
  if (bringsLines(source)) return recipe.signals[query.shape];
  return bringsTurns(source) ? messageSignals : recipe.records.signals;
}

function askFactor({ factor = 1, historyFactor = factor }: Ask, { wantsHistory }: Query): number {
  return wantsHistory ? historyFactor : factor;
}

/**
 * Square root: a weighted sum is 1 only for an item that is best by every signal, but most relevant items are good by
 * two or three. The root puts those between .3 and .7, where people expect them, and does not change the order.
 */
function calibrated(sum: number): number {
  return Math.sqrt(Math.max(0, sum));
}

/**
 * Whether the workspace can answer the query at all, 0..1: query coverage of the best items, the share of its words in
 * the vocabulary, and how many words it has, since no item covers a long question. Area under the curve: 315 questions
 * that a workspace can answer against 323 that it cannot .96 (.93 by coverage times share alone), 226 questions of
 * SWE-QA against as many asked of another repository .88 (.81).
 */
function evidenceOf(
  { query, known: knownAnywhere = 1 }: Finding,
  coverage: number,
  { look }: Recipe,
  { words, known } = { words: query.terms.length, known: knownAnywhere },
): number {
  // A task has words of its own that no record need have: what matters is that enough of its words are met. That
  // records know most of its words tells best whether they are about it: 50 tasks against 15 of other trades .96,
  // coverage alone .56.
  if (look.budget === "shares")
    return briefingScale * Math.min(1, coverage * Math.max(1, words / enoughWords)) ** 0.25 * known ** 1.5;
  return Math.sqrt(coverage) * known ** 1.5 * Math.max(1, words / fewWords) ** 0.2;
}

/** So that a task of which two thirds of the words are known is certain. */
const briefingScale = 1.5;
const fewWords = 5;
/** Evidence at which confidence is 0 (the best matches may be chance) and 1. Smoothstep between the two. */
const zeroConfidence = 0.45;
const fullConfidence = 0.78;

function confidenceOf(evidence: number): number {
  const x = Math.min(1, Math.max(0, (evidence - zeroConfidence) / (fullConfidence - zeroConfidence)));
  return x * x * (3 - 2 * x);
}

/**
 * An exact match of a path or a message is certain, whatever the other words of the query are; of a name less so, since
 * any word may be a name.
 */
function exactMatch(candidates: readonly Candidate[]): number {
  let best = 0;
  for (const { signals } of candidates) {
    best = Math.max(
      best,
      nameWeight * (signals.symbol ?? 0),
      Math.sqrt(Math.max(signals.path ?? 0, signals.message ?? 0, signals.frame ?? 0, signals.literal ?? 0)),
    );
  }
  return best;
}

const nameWeight = 0.7;

/** Share of the query in its headings from which on a section counts more. */
const leastTold = 0.3;

/** The highest query coverage among the ten best candidates. */
function coverageOfBest(sums: number[], certainty: number[]): number {
  const best = largest(Float64Array.from(sums), 10);
  return Math.max(0, ...best.map((i) => certainty[i]!));
}

/** Lowers tests and prose, unless the query asks for them; a section whose headings have most of the query less. */
function kindFactor(
  { item, signals }: Candidate,
  query: Query,
  request: SearchRequest,
  recipe: Recipe,
  heading: number,
): number {
  if (item.test && !query.wantsTests && request.tests === "auto") return recipe.testFactor;
  if (query.wantsBehaviour && !signals.path && isTooling(item.path ?? "")) return recipe.configFactor;
  if (sourceTraits[item.source].lines !== "text") return 1;
  if (query.wantsUsage && !signals.path && isTemplate(item.path)) return recipe.proseFactors.question;
  if (query.wantsDocs || query.wantsUsage) return 1;
  if (isReport(query.shape)) return recipe.proseFactors.report;
  if (item.kind === "config") return query.wantsBehaviour ? recipe.configFactor : 1;
  const { question, heading: most } = recipe.proseFactors;
  return question + (most - question) * Math.max(0, (heading - leastTold) / (1 - leastTold));
}
