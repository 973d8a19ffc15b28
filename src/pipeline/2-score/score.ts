import { type Candidate, isWholeFile, type Scored, type Signals, sourceTraits } from "../../item.ts";
import type { SearchRequest } from "../../options.ts";
import { type Ask, isReport, type Recipe } from "../../recipes/recipe.ts";
import { bringsLines } from "../../sources/source.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Finding, Found } from "../finding.ts";
import type { Ranking } from "../ranking.ts";
import { byScore, rankingOf } from "../ranking.ts";

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
import { roleFactor } from "./role-factor.ts";

/**
 * Ranks candidates by a weighted sum of named signals. Each source is ranked among its like; to compare sources, the scores of one fall as
 * it meets less of the query than the best of them does. So a score tells what is better, and `confidence` how good the best is.
 */
export function score(found: Found, request: SearchRequest, recipe: Recipe): Ranking {
  const newest = newestOf(found.findings.flatMap(({ candidates }) => candidates));
  const together = measureTogether(found.findings, recipe);
  const parts = found.findings.map((finding) =>
    measureFinding(finding, together.get(finding) ?? measure(finding, request, recipe), request, recipe, newest),
  );
  const most = Math.max(...parts.map(({ met, weight }) => met * weight), 0);
  const first = new Set(parts.flatMap(({ scored, isFirst }) => (isFirst ? scored.map(({ item }) => item.id) : [])));
  // Where every section has a share of its own, sources do not compete.
  const apart = recipe.chat !== undefined || recipe.look.budget === "shares";
  const all = parts.flatMap(({ scored, met, certain, isFirst }) => {
    if (isFirst) return scored;
    const others = first.size === 0 ? scored : scored.filter(({ item }) => !first.has(item.id));
    return certain || apart || most === 0
      ? others
      : others.map((each) => scaled(each, Math.min(1, met / most) ** sourcePower));
  });
  const confidence = Math.max(0, ...parts.map((part) => part.confidence));
  return rankingOf(recipe.chat ? bestOfEach(all) : all, request, confidence);
}

/** How fast a source falls behind that meets less of the query than another. */
const sourcePower = 1.5;

function scaled(scored: Scored, factor: number): Scored {
  if (factor === 1) return scored;
  const because = Object.fromEntries(Object.entries(scored.because).map(([name, part]) => [name, part * factor]));
  return { ...scored, score: scored.score * factor, because };
}

/** What was named is found as well: it counts as what it counts most as. */
function bestOfEach(scored: Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const each of scored) {
    const previous = best.get(each.item.id);
    if (!previous || each.score > previous.score) best.set(each.item.id, each);
  }
  return [...best.values()];
}

/**
 * `met`: how much of the query, of the words that anybody knows, the best of them meet, 0..1. `weight`: how much of that other sources are
 * compared with: a commit message that repeats every word of a question says nothing against the code.
 */
type ScoredFinding = {
  scored: Scored[];
  met: number;
  weight: number;
  certain: boolean;
  confidence: number;
  isFirst?: true;
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
  // What is there whatever is asked says nothing of how well the question is met.
  if (ask.first) return { scored: inOrder(finding), met: 0, weight, certain, confidence: 0, isFirst: true };
  const inFiles = bringsLines(finding.source);
  if (recipe.chat) {
    const { scored, met } = scoreChat(finding, measured, { ...recipe, chat: recipe.chat }, newest);
    const confidence = scored.length === 0 ? 0 : certain ? 1 : confidenceOf(Math.sqrt(met));
    return { scored: scored.sort(byScore).slice(0, ask.limit), met, weight, certain, confidence };
  }
  const { columns, certainty, candidates = found } = measured;
  const usual = weightsOf(finding, recipe);
  const weightsAt = candidates.map((candidate) => measured.weightsOf?.(candidate) ?? usual);
  const signalsOf = new Map([...new Set(weightsAt)].map((weights) => [weights, weighed(columns, weights)]));
  const meaning = meaningColumn(candidates, found);
  const signalsAt = weightsAt.map((weights, i) =>
    fused(signalsOf.get(weights)!, meaning, meaningShare(finding, recipe, candidates[i]!)),
  );
  const sums = candidates.map((_, i) => weightedSum(signalsAt[i]!, i));
  const met = metByBest(sums, certainty);
  const scored = candidates.map((candidate, i): Scored => {
    const ofKind = Math.min(
      kindFactor(candidate, query, request, recipe),
      roleFactor(candidate, query, request, recipe),
    );
    const score = spread(sums[i]! * weight * ofKind * brevityFactor(candidate, query));
    const factor = sums[i]! > 0 ? score / sums[i]! : 0;
    const because: Signals = {};
    for (const { name, column, weight } of signalsAt[i]!) {
      const part = weight * column[i]! * factor;
      if (part > 0) because[name] = part;
    }
    const base = candidate.signals.named ? lifted({ ...candidate, score, because }) : { ...candidate, score, because };
    const placed = ask.section === undefined ? base : { ...base, section: ask.section };
    return inFiles ? placed : adjust(placed, recipe.records, newest);
  });
  const best = ask.limit === undefined ? scored : scored.sort(byScore).slice(0, ask.limit);
  const evidence = Math.max(evidenceOf(finding, met, recipe), exactMatch(candidates));
  const confidence = certain ? 1 : confidenceOf(evidence);
  return { scored: best, met, weight, certain, confidence };
}

/** By importance, then the newest: the question has no say in it. */
function inOrder({ ask, candidates }: Finding): Scored[] {
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

/** A task is told in more words than any record has: of a brief, to meet this many of them is to be sure. Of 20 tasks one is unsure then, without it 19. */
const wordsMet = 6;

/** What the query names comes before all that was only found; among its like it keeps its order. */
function lifted(scored: Scored): Scored {
  const score = scored.signals.named! - (1 - scored.score) / 1000;
  return { ...scored, score, because: { ...scored.because, named: score - scored.score } };
}

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
  return source.measuredAs === "messages" ? messageSignals : recipe.records.signals;
}

function askFactor({ factor = 1, historyFactor = factor }: Ask, { wantsHistory }: Query): number {
  return wantsHistory ? historyFactor : factor;
}

/**
 * A weighted sum is 1 only for what is best by every signal; most of what is relevant is good by two or three of them. The square root
 * puts that between .3 and .7, where people expect it, and changes no order.
 */
function spread(sum: number): number {
  return Math.sqrt(Math.max(0, sum));
}

/**
 * Whether a workspace can answer a question, 0..1: how much of it the best items meet, the share of its words that any item has, and how many
 * words those are, for a long question is never met whole. A logistic fit would do no better. Told apart (area under the curve): 315 questions
 * that a workspace can answer and 323 that it cannot .931 -> .961, 226 questions of SWE-QA and as many asked of the wrong repository
 * .811 -> .882. Of those 226, 6 % are now said to be uncertain (23 % before), and of the 323 others 83 % (75 % before).
 */
function evidenceOf({ query, known = 1 }: Finding, met: number, { look }: Recipe): number {
  const words = query.terms.length;
  // A task of 30 to 300 words is mostly circumstance: so many of them need be met.
  if (look.budget === "shares") return Math.sqrt(Math.min(1, met * Math.max(1, words / wordsMet))) * known ** 1.5;
  return Math.sqrt(met) * known ** 1.5 * Math.max(1, words / fewWords) ** 0.2;
}

const fewWords = 5;
/** Below `unsure` the best matches meet so little of the query that they may be chance; above `sure` they are what was asked for. */
const unsure = 0.45;
const sure = 0.78;

function confidenceOf(evidence: number): number {
  const x = Math.min(1, Math.max(0, (evidence - unsure) / (sure - unsure)));
  return x * x * (3 - 2 * x);
}

/** A path or a message that is met to the letter speaks for the answer whatever other words were said; a name less, for any word may be one. */
function exactMatch(candidates: readonly Candidate[]): number {
  let best = 0;
  for (const { signals } of candidates) {
    best = Math.max(
      best,
      nameWeight * (signals.symbol ?? 0),
      Math.sqrt(Math.max(signals.path ?? 0, signals.message ?? 0)),
    );
  }
  return best;
}

const nameWeight = 0.7;

/** How much of the query the best ten meet at most. */
function metByBest(sums: number[], certainty: number[]): number {
  const best = sums
    .map((sum, i) => ({ sum, i }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, 10);
  return Math.max(0, ...best.map(({ i }) => certainty[i]!));
}

/** What the sum of a declaration of so few lines is multiplied by, for a question that does not name it: a body that does it leads. */
const bareDeclaration = [
  { lines: 3, factor: 0.7 },
  { lines: 7, factor: 0.85 },
] as const;

/** What declares something and does nothing: types, constants, classes of a line. */
function brevityFactor({ item, signals }: Candidate, { shape }: Query): number {
  if (
    shape !== "question" ||
    sourceTraits[item.source].lines !== "code" ||
    signals.named !== undefined ||
    signals.message
  )
    return 1;
  if (item.kind === "function" || item.kind === "method" || isWholeFile(item.kind)) return 1;
  const size = item.endLine - item.startLine + 1;
  return bareDeclaration.find(({ lines }) => size <= lines)?.factor ?? 1;
}

/** Tests, and texts where code is, are seldom what is asked for. */
function kindFactor({ item }: Candidate, query: Query, request: SearchRequest, recipe: Recipe): number {
  if (item.test && !query.wantsTests && request.tests === "auto") return recipe.testFactor;
  if (sourceTraits[item.source].lines !== "text" || query.wantsDocs || query.wantsUsage) return 1;
  return isReport(query.shape) ? recipe.proseFactors.report : item.kind === "config" ? 1 : recipe.proseFactors.question;
}
