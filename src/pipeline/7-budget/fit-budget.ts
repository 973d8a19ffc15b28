import type { Dropped, DropReason, Header, LevelCost } from "../../document.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { isHistoryQuestion, type Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import { sectionOf } from "../layout/groups.ts";
import { type Layouter, layouter } from "../layout/layout.ts";
import type { Layout, LayoutPart, Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";
import { hasText, withoutLostSurvivors } from "./absorbed.ts";
import { isAlreadySent } from "./already-sent.ts";
import { chancesFor } from "./chance.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, frameTokens, withOption } from "./choice.ts";
import { claimOf, shareConversation } from "./conversation-budget.ts";
import { exceedSoftly, softened } from "./cut.ts";
import { highestValue, solve } from "./highest-value.ts";
import { keepPinned, pinWarnings } from "./keep-pinned.ts";
import { lineWeights } from "./levels/line-weights.ts";
import { type ItemPrintOptions, optionsFor, type PrintOption, type Valuation } from "./levels/print-options.ts";
import { optimalityOf } from "./optimality.ts";
import { byRelevanceFloor, hasRelevanceFloor, tokenPriceFor, withLeads } from "./relevance-floor.ts";
import { levelsOf, withReport } from "./report.ts";
import { shareOut } from "./section-shares.ts";

/**
 * An item with its printed block and the block's tokens. On request: `content`, the tokens of its text alone, and the
 * cost of its levels.
 */
export type Printed = Shown & { tokens: number; block: string; content?: number; levels?: LevelCost[] };

/** The parts of the document in order, with the printed and the dropped items. */
export type Fit = {
  kept: Printed[];
  /** Items that earlier stages left out, and items without room. */
  dropped: Dropped[];
  parts: readonly LayoutPart[];
  tokens: { used: number; encoding: string; exact: boolean };
  optimality: number;
  warnings: string[];
  /** Set for a document about a notes graph. */
  header?: Header;
};

/** The confidence of the ranking, and what is printed if it is low. */
export type Assurance = { confidence: number; notice?: string; nearMisses: readonly Unique[] };

const fullConfidence: Assurance = { confidence: 1, nearMisses: [] };

/**
 * Fits the document into the budget, as below. If an item is left out, the items merged into it are candidates in a
 * second choice.
 */
export function fitBudget(
  all: readonly Unique[],
  leftOutBefore: readonly Dropped[],
  request: Request,
  query: Query,
  look: Look,
  assurance: Assurance = fullConfidence,
): Fit {
  const fit = enforceBudget(all, leftOutBefore, request, query, look, assurance);
  const restored = hasRelevanceFloor(look) ? withoutLostSurvivors(all, fit, leftOutBefore) : undefined;
  if (!restored) return fit;
  const second = enforceBudget(restored.unique, restored.leftOut, request, query, look, assurance);
  return second.kept.some(({ unique, printLevel }) => restored.isRestored(unique) && hasText(printLevel.level))
    ? second
    : fit;
}

/**
 * Enforces the token budget: chooses the items and print levels with the highest value within it. Everything printed is
 * counted in its output format. `leftOutBefore`: items that earlier stages left out, which the document mentions.
 */
function enforceBudget(
  all: readonly Unique[],
  leftOutBefore: readonly Dropped[],
  request: Request,
  query: Query,
  usualLook: Look,
  { confidence, notice, nearMisses }: Assurance,
): Fit {
  const look = withHistoryFirst(usualLook, all, query);
  const ranked = withLeads(all, look, query);
  const chanceOf = chancesFor(query, request);
  const { likely, unlikely } = byRelevanceFloor(ranked, chanceOf, confidence, query, request, look);
  const unique = withMostRelevant(likely, look);
  const leftOut = [...leftOutBefore, ...unlikely.map((each) => droppedFor(each, "below-score"))];
  if (unique.length === 0) return onlyNames(nearMisses, notice ?? nothingRelevant, leftOut, request, look);
  const unitLayouter = layouter(unique, leftOut, request, look, notice);
  const namesOnly = isTooSmall(look, request);
  const weigh = lineWeights(query);
  const items = optionsFor(unique, request, weigh, unitLayouter, {
    price: tokenPriceFor(unique, confidence, query, request, look),
    ...(hasRelevanceFloor(look) ? { chanceOf: (each: Unique, rank: number) => chanceOf(each, rank, confidence) } : {}),
    ...(look.budget === "shares" ? { shareOf: (each: Unique) => sectionOf(each, look) } : {}),
    ...(look.conversation ? { shareOf: claimOf, withText: true } : {}),
    ...shortForms(unique, look),
    namesOnly,
  });
  const problem: BudgetProblem = {
    items,
    layouter: unitLayouter,
    budget: request.maxTokens,
    linkedBudget: request.expandTokens ?? Number.POSITIVE_INFINITY,
    unworthy: unworthyOf(items),
    weigh,
  };
  const chosen = chosenFrom(problem, request, look);
  const softProblem = softened(problem);
  const complete =
    request.budget === "soft"
      ? withinHardBudget(softProblem, keepPinned(softProblem, exceedSoftly(problem, chosen, request)))
      : withinHardBudget(problem, keepPinned(problem, chosen));
  const fit = fitOf(problem, withoutAlreadySent(problem, complete, request), leftOut, request);
  return namesOnly ? { ...fit, warnings: [...fit.warnings, namesOnlyWarning] } : fit;
}

/** If a commit answers a question about history, the section of commits comes first. */
function withHistoryFirst(look: Look, [best]: readonly Unique[], query: Query): Look {
  if (!isHistoryQuestion(query) || look.budget === "shares" || !best) return look;
  const first = sectionOf(best, look);
  if (!first.holds.includes("commit")) return look;
  return { ...look, sections: [first, ...look.sections.filter((section) => section !== first)] };
}

function chosenFrom(problem: BudgetProblem, request: Request, look: Look): BudgetChoice {
  if (look.budget === "shares") return shareOut(problem, request, look, frameTokens(problem));
  if (!look.conversation) return highestValue(problem, request, look);
  const best = (items: ItemPrintOptions[], capacity: number) => solve(items, capacity, look.exact === true);
  return shareConversation(problem, request, look.conversation, frameTokens(problem), best);
}

/**
 * Moves the best items of several kinds into a first section, so that a reader of only the beginning has the most
 * relevant ones. Does nothing if the section would contain all items.
 */
function withMostRelevant(ranked: readonly Unique[], { mostRelevant }: Look): readonly Unique[] {
  if (!mostRelevant) return ranked;
  const records = ranked.filter(
    ({ item, section }) => section === undefined && mostRelevant.sources.includes(item.source),
  );
  if (records.length <= mostRelevant.count) return ranked;
  const first = new Set(records.slice(0, mostRelevant.count));
  return ranked.map((unique) => (first.has(unique) ? { ...unique, section: mostRelevant.title } : unique));
}

/**
 * Records after the most relevant ones may be printed in their short form: at the end, more records are worth more than
 * longer ones.
 */
function shortForms(all: readonly Unique[], { mostRelevant }: Look): Pick<Valuation, "mayBeShort"> {
  if (!mostRelevant || all.every(({ section }) => section !== mostRelevant.title)) return {};
  return {
    mayBeShort: ({ item, section, pinned }) =>
      section === undefined && !pinned && mostRelevant.sources.includes(item.source),
  };
}

/** Tokens for near misses if there is nothing to print. */
const mostForNames = 150;

const byRank = (_: Unique, rank: number) => 1 / (1 + rank);

/**
 * A document of pointers only: near misses after the sentence that nothing was found, or a page of the overflow of a
 * notes graph.
 */
export function onlyNames(
  near: readonly Unique[],
  sentence: string,
  leftOut: readonly Dropped[],
  request: Request,
  look: Look,
  budget = Math.min(request.maxTokens, mostForNames),
): Fit {
  if (near.length === 0) return nothingFound(sentence, leftOut, layouter([], leftOut, request, look));
  const isOverflowPage = request.overflowFrom !== undefined;
  const nearLayouter = layouter(near, leftOut, request, look, isOverflowPage ? undefined : sentence);
  const items = optionsFor(near, request, () => [], nearLayouter, { price: 0, chanceOf: byRank, namesOnly: true });
  const problem: BudgetProblem = {
    items,
    layouter: nearLayouter,
    budget,
    linkedBudget: Number.POSITIVE_INFINITY,
    unworthy: new Set(),
    weigh: () => [],
  };
  const pointers = items.map(({ options }) => options.at(-1));
  let draft = choiceOf(problem, pointers);
  for (let rank = items.length - 1; rank >= 0 && !fits(problem, draft); rank--)
    draft = withOption(problem, draft, rank, undefined);
  if (draft.chosen.every((option) => !option)) {
    return nothingFound(sentence, leftOut, layouter([], leftOut, request, look));
  }
  const fit = fitOf(problem, draft, leftOut, request);
  return isOverflowPage ? fit : { ...fit, warnings: [sentence, ...fit.warnings] };
}

/**
 * Removes items that the reader already has. Nothing takes their place: lower ranked items were not worth printing the
 * first time either.
 */
function withoutAlreadySent(problem: BudgetProblem, draft: BudgetChoice, { given }: Request): BudgetChoice {
  if (!given || given.size === 0) return draft;
  const isKnown = (option: PrintOption) => !option.unique.pinned && isAlreadySent(option, given);
  const alreadySent = new Set(draft.chosen.flatMap((option) => (option && isKnown(option) ? [option.rank] : [])));
  const remaining = draft.chosen.map((option) => (option && alreadySent.has(option.rank) ? undefined : option));
  return alreadySent.size === 0
    ? draft
    : choiceOf(problem, remaining, { forDiversity: draft.forDiversity, alreadySent });
}

/** Tokens. A smaller budget has no room for the text of notes: they are only named. */
const smallestGraph = 500;

/** Whether a document about a notes graph only names its notes. */
export function isTooSmall({ header }: Look, { maxTokens }: Request): boolean {
  return header !== undefined && maxTokens < smallestGraph;
}

export const namesOnlyWarning = `Below ${smallestGraph} tokens notes are only named; raise the budget to read them.`;

/**
 * The sum of the parts is exact for exact counters. If the joined text counts more, the last blocks are removed, since
 * the budget is hard.
 */
function withinHardBudget(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (problem.layouter.tokensOf(textOf(current.layout)) > problem.budget) {
    const last = current.layout.parts.findLast(({ owner }) => owner)?.owner;
    if (!last) return current;
    current = withOption(problem, current, last.rank, undefined);
  }
  return current;
}

function fitOf(problem: BudgetProblem, draft: BudgetChoice, leftOut: readonly Dropped[], request: Request): Fit {
  const { counter } = problem.layouter;
  const shown = draft.chosen.filter((option) => option !== undefined);
  const missing = problem.items.filter(({ rank }) => !draft.chosen[rank]);
  const withoutRoom = missing.map((item) => ({
    ...droppedFor(item.unique, reasonOf(problem, draft, item.rank)),
    ...levelsOf(problem, item, request),
  }));
  const dropped = [...withoutRoom, ...leftOut];
  if (shown.length === 0 && draft.alreadySent.size > 0) return nothingFound(nothingNew, dropped, problem.layouter);
  const warnings = pinWarnings(problem, draft);
  let { layout } = draft;
  if (shown.length === 0) {
    layout = problem.layouter.nothing(`Nothing fits into ${request.maxTokens} tokens.`);
    warnings.push(`Not even the name and place of the best result fit into ${request.maxTokens} tokens.`);
  }
  const used = problem.layouter.tokensOf(textOf(layout));
  if (used > request.maxTokens)
    warnings.push(`The soft budget of ${request.maxTokens} tokens is exceeded by ${used - request.maxTokens}.`);
  return {
    kept: printedOrder(layout).map((printed) => withReport(problem, printed, request)),
    dropped,
    parts: layout.parts,
    tokens: { used, encoding: counter.encoding, exact: counter.exact },
    optimality: optimalityOf(problem, draft),
    warnings,
  };
}

/** Ranks of items that have no print option worth its tokens. */
function unworthyOf(items: readonly ItemPrintOptions[]): ReadonlySet<number> {
  const isWorthy = ({ options }: ItemPrintOptions) => options.some(({ value }) => value > 0);
  return new Set(items.filter((item) => item.valuation.price > 0 && !isWorthy(item)).map(({ rank }) => rank));
}

function reasonOf({ unworthy }: BudgetProblem, { forDiversity, alreadySent }: BudgetChoice, rank: number): DropReason {
  if (alreadySent.has(rank)) return "given";
  return forDiversity.has(rank) ? "diversity" : unworthy.has(rank) ? "below-score" : "over-budget";
}

const nothingRelevant = "Nothing relevant was found.";
const nothingNew = "Nothing new: all that is relevant was given before.";

function nothingFound(sentence: string, leftOut: readonly Dropped[], emptyLayouter: Layouter): Fit {
  const layout = emptyLayouter.nothing(sentence);
  const { counter } = emptyLayouter;
  return {
    kept: [],
    dropped: [...leftOut],
    parts: layout.parts,
    tokens: { used: layout.tokens, encoding: counter.encoding, exact: counter.exact },
    optimality: 1,
    warnings: [sentence],
  };
}

function textOf({ parts }: Layout): string {
  return parts.map(({ text }) => text).join("");
}

/** The items in printed order, each with the tokens of its block. */
function printedOrder({ parts }: Layout): Printed[] {
  const byRank = new Map<number, Printed>();
  for (const { owner, tokens, text } of parts) {
    if (!owner) continue;
    const { rank, unique, printLevel } = owner;
    const { tokens: before, block } = byRank.get(rank) ?? { tokens: 0, block: "" };
    byRank.set(rank, { rank, unique, printLevel, tokens: before + tokens, block: block + text });
  }
  return [...byRank.values()];
}
