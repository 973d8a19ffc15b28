import type { Dropped, DropReason, Header, LevelCost } from "../../document.ts";
import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import { sectionOf } from "../layout/groups.ts";
import { type Layouter, layouter } from "../layout/layout.ts";
import type { Layout, LayoutPart, Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";
import { isAlreadySent } from "./already-sent.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, valueOfChoice, withOption } from "./choice.ts";
import { claimOf, shareConversation } from "./conversation-budget.ts";
import { cutToFit, exchangeToFit, softened, spill } from "./cut.ts";
import { diversify } from "./diversity.ts";
import { fill, repair } from "./fill.ts";
import { withForemost } from "./foremost.ts";
import { keepPinned, pinWarnings } from "./keep-pinned.ts";
import { choose, upperBound } from "./knapsack.ts";
import { chooseExactly } from "./knapsack-exact.ts";
import { lineWeights } from "./line-weights.ts";
import { type ItemPrintOptions, optionsFor, type PrintOption } from "./print-options.ts";
import { byChance, byRelevance, tokenPriceFor, withLeads } from "./relevance-floor.ts";
import { levelsOf, withReport } from "./report.ts";
import { shareOut } from "./section-shares.ts";

/** An item with its block as it is printed, and the tokens of that. Where it is asked for: tokens of its text alone, and what its levels take. */
export type Printed = Shown & { tokens: number; block: string; content?: number; levels?: LevelCost[] };

/** The document's parts, in order, and what is in it and what is not. */
export type Fit = {
  kept: Printed[];
  /** What the earlier stages left out, and what found no room. */
  dropped: Dropped[];
  parts: readonly LayoutPart[];
  tokens: { used: number; encoding: string; exact: boolean };
  optimality: number;
  warnings: string[];
  /** Of a document about a notes graph: what it says of itself. */
  header?: Header;
};

/** How sure the ranking is of its best, and what is said where that is little. */
export type Assurance = { confidence: number; notice?: string; nearMisses: readonly Unique[] };

const certain: Assurance = { confidence: 1, nearMisses: [] };

/**
 * Enforces the token budget: chooses the items, and a level for each, that are worth most within it. Everything that is printed is
 * counted, in the format it is printed in; `leftOut` is what earlier stages left out, which the document mentions.
 */
export function fitBudget(
  all: readonly Unique[],
  leftOutBefore: readonly Dropped[],
  request: Request,
  query: Query,
  look: Look,
  { confidence, notice, nearMisses }: Assurance = certain,
): Fit {
  const { likely, unlikely } = byChance(withLeads(all, look), confidence, query, request, look);
  const unique = withForemost(likely, look);
  const leftOut = [...leftOutBefore, ...unlikely.map((each) => droppedFor(each, "below-score"))];
  if (unique.length === 0) return onlyNames(nearMisses, notice ?? nothing, leftOut, request, look);
  const counted = layouter(unique, leftOut, request, look, notice);
  const namesOnly = isTooSmall(look, request);
  const weigh = lineWeights(query);
  const items = optionsFor(unique, request, weigh, counted, {
    price: tokenPriceFor(unique, request, look),
    byChance: byRelevance(look),
    ...(look.budget === "shares" ? { shareOf: (each: Unique) => sectionOf(each, look) } : {}),
    ...(look.conversation ? { shareOf: claimOf, withText: true } : {}),
    namesOnly,
  });
  const problem: BudgetProblem = {
    items,
    layouter: counted,
    budget: request.maxTokens,
    linkedBudget: request.expandTokens ?? Number.POSITIVE_INFINITY,
    unworthy: unworthyOf(items),
    weigh,
  };
  const chosen = chosenFrom(problem, request, look);
  const soft = softened(problem);
  const full =
    request.budget === "soft"
      ? within(soft, keepPinned(soft, spill(problem, chosen, request)))
      : within(problem, keepPinned(problem, chosen));
  const fit = fitOf(problem, withoutGiven(problem, full, request), leftOut, request);
  return namesOnly ? { ...fit, warnings: [...fit.warnings, namesOnlyWarning] } : fit;
}

function chosenFrom(problem: BudgetProblem, request: Request, look: Look): BudgetChoice {
  if (look.budget === "shares") return shareOut(problem, request, look, frame(problem));
  if (!look.conversation) return mostWorth(problem, request, look);
  const best = (items: ItemPrintOptions[], capacity: number) => solve(items, capacity, look.exact === true);
  return shareConversation(problem, request, look.conversation, frame(problem), best);
}

/** Tokens for what is named where there is nothing to print. */
const mostForNames = 150;

/** Where nothing was found: the sentence that says so, and what is called something like it. Or the names alone, where they are asked for. */
export function onlyNames(
  near: readonly Unique[],
  sentence: string,
  leftOut: readonly Dropped[],
  request: Request,
  look: Look,
  budget = Math.min(request.maxTokens, mostForNames),
): Fit {
  if (near.length === 0) return nothingFound(sentence, leftOut, layouter([], leftOut, request, look));
  const isAsked = request.overflowFrom !== undefined;
  const counted = layouter(near, leftOut, request, look, isAsked ? undefined : sentence);
  const items = optionsFor(near, request, () => [], counted, { price: 0, byChance: true, namesOnly: true });
  const problem: BudgetProblem = {
    items,
    layouter: counted,
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
  return isAsked ? fit : { ...fit, warnings: [sentence, ...fit.warnings] };
}

/**
 * The choice without what the reader has already. Nothing takes its place: what ranks lower was not worth printing the first time, and is
 * not now.
 */
function withoutGiven(problem: BudgetProblem, draft: BudgetChoice, { given }: Request): BudgetChoice {
  if (!given || given.size === 0) return draft;
  const isTold = (option: PrintOption) => !option.unique.pinned && isAlreadySent(option, given);
  const alreadySent = new Set(draft.chosen.flatMap((option) => (option && isTold(option) ? [option.rank] : [])));
  const news = draft.chosen.map((option) => (option && alreadySent.has(option.rank) ? undefined : option));
  return alreadySent.size === 0 ? draft : choiceOf(problem, news, { varied: draft.varied, given: alreadySent });
}

/** A smaller budget has no room for what notes say: they are only named. */
const smallestGraph = 500;
export function isTooSmall({ header }: Look, { maxTokens }: Request): boolean {
  return header !== undefined && maxTokens < smallestGraph;
}

export const namesOnlyWarning = `Below ${smallestGraph} tokens notes are only named; raise the budget to read them.`;

/** The choice that is worth most, whatever it comes from. */
function mostWorth(problem: BudgetProblem, request: Request, { exact = false }: Look): BudgetChoice {
  const first = repair(problem, choiceOf(problem, withLead(problem, chooseOptions(problem, exact))));
  const varied = fill(problem, diversify(problem, first));
  if (request.budget === "soft") return varied;
  const cut = cutToFit(problem, varied, request);
  return request.fill ? exchangeToFit(problem, cut, request) : cut;
}

/** What was asked for as well as it fits alone: the knapsack cannot know that nothing else needs to be there. */
function withLead(problem: BudgetProblem, chosen: (PrintOption | undefined)[]): (PrintOption | undefined)[] {
  const lead = problem.items[0];
  if (!lead?.unique.lead) return chosen;
  const alone = lead.options.filter((option) => problem.layouter.lay([option]).tokens <= problem.budget);
  const best = alone.reduce((a, b) => (b.value > a.value ? b : a), alone[0]!);
  return best && best.value > (chosen[0]?.value ?? 0) ? chosen.with(0, best) : chosen;
}

/** The knapsack over all items; those reached by links are first limited to what fits into their own budget. */
function chooseOptions(problem: BudgetProblem, exact: boolean): (PrintOption | undefined)[] {
  const capacity = problem.budget - frame(problem);
  if (problem.linkedBudget >= problem.budget) return solve(problem.items, capacity, exact);
  const linked = problem.items.filter(({ unique }) => unique.distance > 0);
  const within = new Map(
    solve(linked, problem.linkedBudget, exact).map((option, index) => [linked[index]!.rank, option?.cost ?? 0]),
  );
  const limited = problem.items.map((item) => ({
    ...item,
    options: item.options.filter(({ cost }) => cost <= (within.get(item.rank) ?? Number.POSITIVE_INFINITY)),
  }));
  return solve(limited, capacity, exact);
}

function solve(items: ItemPrintOptions[], capacity: number, exact: boolean): (PrintOption | undefined)[] {
  const classes = items.map(({ options }) => options);
  const chosen = (exact ? chooseExactly(classes, capacity) : undefined) ?? choose(classes, capacity).chosen;
  return chosen.map((index, rank) => items[rank]!.options[index]);
}

/** Tokens around the items: titles, opening and closing, what was left out. */
function frame(problem: BudgetProblem): number {
  return leastTokens(problem) - cheapest(problem).reduce((sum, { cost }) => sum + cost, 0);
}

function cheapest({ items }: BudgetProblem): PrintOption[] {
  return items.flatMap(({ options }) => options.slice(-1));
}

const leastByItems = new WeakMap<ItemPrintOptions[], number>();

/** Tokens of the document with everything in it as short as it gets. */
function leastTokens(problem: BudgetProblem): number {
  let tokens = leastByItems.get(problem.items);
  if (tokens === undefined) leastByItems.set(problem.items, (tokens = problem.layouter.lay(cheapest(problem)).tokens));
  return tokens;
}

/**
 * The parts' sum is exact for exact counters. Should the joined text ever count more, the last blocks go until it fits:
 * the budget is hard.
 */
function within(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
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
  const leftNow = missing.map((item) => ({
    ...droppedFor(item.unique, reasonOf(problem, draft, item.rank)),
    ...levelsOf(problem, item, request),
  }));
  const dropped = [...leftNow, ...leftOut];
  if (shown.length === 0 && draft.given.size > 0) return nothingFound(nothingNew, dropped, problem.layouter);
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

/** Items that no way to print is worth its tokens. */
function unworthyOf(items: readonly ItemPrintOptions[]): ReadonlySet<number> {
  const isWorthy = ({ options }: ItemPrintOptions) => options.some(({ value }) => value > 0);
  return new Set(items.filter((item) => item.terms.price > 0 && !isWorthy(item)).map(({ rank }) => rank));
}

function reasonOf({ unworthy }: BudgetProblem, { varied, given }: BudgetChoice, rank: number): DropReason {
  if (given.has(rank)) return "given";
  return varied.has(rank) ? "diversity" : unworthy.has(rank) ? "below-score" : "over-budget";
}

const nothing = "Nothing relevant was found.";
const nothingNew = "Nothing new: all that is relevant was given before.";

function nothingFound(sentence: string, leftOut: readonly Dropped[], counted: Layouter): Fit {
  const layout = counted.nothing(sentence);
  const { counter } = counted;
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

/** The items in the order of print, each with the tokens of its block. */
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

/**
 * Value over an upper bound of every possible choice. What items of one file share (imports, the file's line among the
 * sources) is divided among them here: however many are chosen, that is at most what they cost together.
 */
function optimalityOf(problem: BudgetProblem, draft: BudgetChoice): number {
  const { layouter } = problem;
  const sharers = new Map<string, number>();
  for (const { unique } of problem.items) sharers.set(unique.item.path, (sharers.get(unique.item.path) ?? 0) + 1);
  const costOf = (option: PrintOption) => {
    // Records share nothing.
    if (!isInFile(option.unique.item.source)) return option.cost;
    const alone = layouter.blockTokens(option, []);
    const shared =
      layouter.blockTokens(option, option.printLevel.imports) - alone + layouter.sharedTokens(option, true);
    return alone + shared / sharers.get(option.unique.item.path)!;
  };
  const classes = problem.items.map(({ options, rank }) => {
    const taken = draft.chosen[rank];
    const all = taken && !options.includes(taken) ? [...options, taken] : options;
    return all.map((option) => ({
      cost: costOf(option),
      value: option.value,
      pointer: option.printLevel.level === "pointer",
    }));
  });
  const capacity = Math.max(problem.budget, draft.layout.tokens);
  const pointers = classes.map((options) => options.filter(({ pointer }) => pointer));
  const bound = Math.max(upperBound(classes, capacity - leastFrame(problem)), upperBound(pointers, capacity));
  return bound === 0 ? 1 : Math.min(1, valueOfChoice(draft) / bound);
}

/** Tokens that every document with some text in it needs besides its items, unless nothing at all is left out. */
function leastFrame(problem: BudgetProblem): number {
  const text = problem.items.flatMap(({ options }) => options).find(({ printLevel }) => printLevel.level !== "pointer");
  if (!text || leastTokens(problem) <= problem.budget) return 0;
  const { tokens } = problem.layouter.lay([text]);
  return (
    tokens - problem.layouter.blockTokens(text, text.printLevel.imports) - problem.layouter.sharedTokens(text, true)
  );
}
