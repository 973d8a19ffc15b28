import type { Scored } from "../../item.ts";
import { asksForIntroduction, isOfSubject, tellsOfIntroduction } from "../../text/analysis/history-words.ts";
import { asksForNewest, isHistoryQuestion } from "../../text/analysis/query.ts";
import type { Finding } from "../finding.ts";
import { byScore, scaled } from "../ranking.ts";
import { scoreTerms, weighQuery } from "../signals/bm25.ts";

/** The share of the rare words of a question about history that a commit's subject must contain, by idf. */
const enoughOfSubject = 0.6;
/**
 * How many commits lead an answer, and how many if the question is what changed lately. The others are ranked among
 * everything else.
 */
const mostLeading = 3;
const mostNewest = 5;
/** Only the names in a subject count, not its length or how often it repeats a word. */
const subjectModel = {
  k1: 1.2,
  b: 0,
  weights: { name: 1, path: 0, signature: 0, doc: 0, comment: 0, string: 0, code: 0 },
};

/**
 * The commits that answer a question about history, best first: their subjects contain the rare words of the question,
 * or they are the newest of its files. Code with a name always matches better than the sentence that explains it, so if
 * sources were only compared, such a commit would come last, or not at all.
 */
export function answeringCommits({ ask, query, evidence }: Finding, scored: readonly Scored[]): Scored[] {
  if (!isHistoryQuestion(query) || ask.historyFactor === undefined) return [];
  const subjectTerms = query.terms.filter(isOfSubject);
  if (subjectTerms.length === 0) return [];
  const needed = weighQuery(subjectTerms, evidence.units, query.also);
  const whole = weighQuery(query.terms, evidence.units, query.also);
  const shareOf = (id: string, terms: typeof needed) => {
    const packed = evidence.unitTerms.get(id);
    return packed ? scoreTerms(packed, terms, subjectModel, "name").coverage : 0;
  };
  const answering = scored
    .filter((each) => answersByTime(each) || shareOf(each.item.id, needed) >= enoughOfSubject)
    .map((each) => ({ each, share: shareOf(each.item.id, whole) }))
    .sort((a, b) => b.share * b.each.score - a.share * a.each.score || byScore(a.each, b.each))
    .map(({ each }) => each);
  const once = withoutRetold(answering);
  if (asksForIntroduction(query)) return once.sort(firstBefore).slice(0, mostLeading);
  if (!asksForNewest(query)) return once.slice(0, mostLeading);
  const touches = ({ signals }: Scored) => signals.newest ?? 0;
  return once
    .sort((a, b) => touches(b) - touches(a) || (b.item.changed ?? 0) - (a.item.changed ?? 0) || byScore(a, b))
    .slice(0, mostNewest);
}

/**
 * Leaves out commits with the title of one that touches the asked files: these only merge that change, or describe it
 * in a change log.
 */
function withoutRetold(commits: readonly Scored[]): Scored[] {
  const isTouching = ({ signals }: Scored) => signals.touching !== undefined;
  const titles = new Set(commits.filter(isTouching).map(titleOf));
  return commits.filter((commit) => isTouching(commit) || !titles.has(titleOf(commit)));
}

/** Without the number of its pull request and its full stop. */
function titleOf({ item }: Scored): string {
  return item.name
    .replace(/\s*\(#\d+\)/g, "")
    .replace(/[.\s]+$/, "")
    .toLowerCase();
}

/** Whether a commit is a candidate because of its time, whatever its message says. */
export function answersByTime({ signals }: Scored): boolean {
  return signals.newest !== undefined || signals.introduced !== undefined;
}

/** The commit that introduced the name, then those whose messages say so, oldest first, then later edits. */
function firstBefore(a: Scored, b: Scored): number {
  const step = ({ item, signals }: Scored) =>
    signals.introduced !== undefined ? 0 : tellsOfIntroduction(item.name) ? 1 : 2;
  return step(a) - step(b) || (a.item.changed ?? 0) - (b.item.changed ?? 0) || byScore(a, b);
}

/** Factor for everything else: it ranks just below the commits that answer, in the same order. */
const behind = 0.99;

/** Puts the commits that answer before everything else. */
export function withAnsweringFirst(all: readonly Scored[], answering: readonly Scored[]): readonly Scored[] {
  if (answering.length === 0) return all;
  const places = new Map(answering.map(({ item }, place) => [item.id, place]));
  return all.map((each) => {
    const place = places.get(each.item.id);
    if (place === undefined) return scaled(each, behind);
    const score = 1 - place / 1000;
    return { ...each, score, because: { ...each.because, history: score - each.score } };
  });
}
