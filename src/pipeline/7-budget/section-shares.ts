import { isInFile, sourceTraits } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { sectionOf } from "../layout/groups.ts";
import type { Unique } from "../unique.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, withOption } from "./choice.ts";
import { fill, repair } from "./fill.ts";
import { cutOption, headTokens } from "./levels/cut-option.ts";
import type { ItemPrintOptions, PrintOption } from "./levels/print-options.ts";
import { isShortRecord } from "./levels/short-records.ts";

/**
 * The budget of one section: `entitled` by weight, `tokens` it may spend, `cap` per item, `limit` for the whole
 * section.
 */
type Share = {
  weight: number;
  items: ItemPrintOptions[];
  entitled: number;
  tokens: number;
  cap: number;
  limit: number;
};

/** Tokens. A smaller cap would have room for headings only. */
const smallestCap = 48;
const smallestCut = 16;
/** Tokens for one short item, in any format. */
const smallestLimit = 100;

/**
 * Divides the budget among the sections by weight; no item takes more than `itemCap` of its section's share. Tokens
 * that a section does not need go to the others, by weight, until none needs more.
 */
export function shareOut(problem: BudgetProblem, request: Request, look: Look, frame: number): BudgetChoice {
  // If everything fits, shares do not matter.
  const shares = sharesOf(problem, look);
  const whole = choiceOf(problem, problem.items.map(fullOption));
  const isAllowed = shares.every(
    ({ items, limit }) => items.reduce((sum, item) => sum + (fullOption(item)?.cost ?? 0), 0) <= limit,
  );
  if (isAllowed && problem.items.every((item) => fullOption(item)) && fits(problem, whole)) return whole;
  allotAll(shares, problem.budget - frame, look);
  const capped = { ...problem, items: [...problem.items] };
  const chosen: (PrintOption | undefined)[] = problem.items.map(() => undefined);
  for (const share of shares) {
    let spent = 0;
    for (const item of share.items) {
      const left = share.tokens - spent;
      const limited = cappedItem(item, share, problem, request, left);
      const option = firstOption(limited, left);
      capped.items[item.rank] = limited;
      chosen[item.rank] = option;
      spent += option?.cost ?? 0;
    }
  }
  const limited = withoutOverLimit(capped, chosen, shares);
  const shared = fill(limited, repair(limited, choiceOf(limited, chosen)));
  return lastCut(limited, fill(uncapped(problem, limited, shared, shares), shared), shares, request);
}

/**
 * Items that did not fit into their section may use the rest of the budget: in a small budget, a share may be too small
 * for any item.
 */
function uncapped(
  problem: BudgetProblem,
  limited: BudgetProblem,
  { chosen }: BudgetChoice,
  shares: readonly Share[],
): BudgetProblem {
  const items = limited.items.map((item) => {
    if (chosen[item.rank] || !mayGrow(shareOf(item, shares))) return item;
    return {
      ...item,
      options: problem.items[item.rank]!.options.filter(({ printLevel }) => printLevel.level !== "pointer"),
    };
  });
  return { ...limited, items };
}

function sharesOf(problem: BudgetProblem, look: Look): Share[] {
  return look.sections.flatMap((section) => {
    const items = problem.items.filter(({ unique }) => sectionOf(unique, look) === section);
    if (items.length === 0) return [];
    const limit = section.maxShare === undefined ? Number.POSITIVE_INFINITY : limitOf(problem.budget, section.maxShare);
    return [{ weight: section.weight ?? 1, items, entitled: 0, tokens: 0, cap: smallestCap, limit }];
  });
}

/** The token limit of a section, raised for a small budget so that one short item fits. */
function limitOf(budget: number, share: number): number {
  return Math.max(Math.floor(budget * share), Math.min(smallestLimit, Math.floor(budget / 2)));
}

function allotAll(shares: Share[], capacity: number, look: Look): void {
  let left = capacity;
  // Sections with their own limit are served first.
  for (const share of shares.filter((each) => !mayGrow(each))) {
    entitle(share, Math.min(share.limit, left), look);
    share.tokens = Math.min(share.tokens, spendable(share));
    left -= share.tokens;
  }
  for (let open = shares.filter(mayGrow); open.length > 0; ) {
    const total = weightOf(open);
    for (const share of open) entitle(share, Math.floor((Math.max(0, left) * share.weight) / total), look);
    const satisfied = open.filter((share) => spendable(share) <= share.tokens);
    if (satisfied.length === 0) return;
    // The cap stays that of the whole share: a section that needs few tokens must not be cut because of that.
    for (const share of satisfied) share.tokens = spendable(share);
    left -= satisfied.reduce((sum, { tokens }) => sum + tokens, 0);
    open = open.filter((share) => !satisfied.includes(share));
  }
  raiseCaps(shares, left, look);
}

/** How often the rest is offered to sections whose items are cut. */
const mostRounds = 3;

/** Gives the rest of the budget to sections whose items are cut, so that they are cut less. */
function raiseCaps(shares: Share[], rest: number, look: Look): void {
  let left = rest;
  for (let round = 0; round < mostRounds && left > 0; round++) {
    const cutShares = shares.filter(({ items, cap }) => items.some((item) => startCost(item) > cap));
    const total = weightOf(cutShares);
    for (const share of cutShares) {
      const { tokens } = share;
      entitle(share, share.entitled + Math.floor((left * share.weight) / total), look);
      share.tokens = Math.min(tokens + left, spendable(share));
      left -= share.tokens - tokens;
    }
  }
}

function weightOf(shares: Share[]): number {
  return shares.reduce((sum, { weight }) => sum + weight, 0);
}

function entitle(share: Share, tokens: number, look: Look): void {
  share.entitled = Math.min(tokens, share.limit);
  share.tokens = share.entitled;
  // In a section with its own limit, one item may take all of it.
  const part = mayGrow(share) ? (look.itemCap ?? 1) : 1;
  share.cap = Math.max(smallestCap, Math.floor(share.tokens * part));
}

/** The tokens that a section can spend: all its items whole, or cut at their cap. */
function spendable({ items, cap, limit }: Share): number {
  return Math.min(
    limit,
    items.reduce((sum, item) => sum + Math.min(startCost(item), cap), 0),
  );
}

function fullOption({ options }: ItemPrintOptions): PrintOption | undefined {
  return options.find(({ printLevel }) => printLevel.level === "full");
}

/**
 * The option an item starts with: its short form, or its full text. Caps and section limits reduce it later; spare room
 * lengthens it.
 */
function startOption(item: ItemPrintOptions): PrintOption | undefined {
  return item.options.find(isShortRecord) ?? fullOption(item) ?? item.options[0];
}

function startCost(item: ItemPrintOptions): number {
  return startOption(item)?.cost ?? 0;
}

/** The item's options within its cap. If the full text is too long, a cut is added that states where the rest is. */
function cappedItem(
  item: ItemPrintOptions,
  { cap }: Share,
  problem: BudgetProblem,
  request: Request,
  left: number,
): ItemPrintOptions {
  const fitting = item.options.filter(({ cost, printLevel }) => cost <= cap && printLevel.level !== "pointer");
  // Cutting is the most expensive step, so it is skipped if the section has no room anyway.
  const isText = (option: PrintOption) => option.printLevel.level === "full" || isShortRecord(option);
  const needsCut = left >= smallestCap && !fitting.some(isText);
  const cut = needsCut ? cutTo(item, cap, problem, request) : undefined;
  const options = [...fitting, ...(cut ? [cut] : [])].sort((a, b) => b.cost - a.cost);
  return { ...item, options };
}

/** Removes the options of items that did not fit into a section with its own limit. */
function withoutOverLimit(
  problem: BudgetProblem,
  chosen: readonly (PrintOption | undefined)[],
  shares: readonly Share[],
): BudgetProblem {
  const over = new Set(
    shares
      .filter((share) => !mayGrow(share))
      .flatMap(({ items }) => items.map(({ rank }) => rank).filter((rank) => !chosen[rank])),
  );
  if (over.size === 0) return problem;
  return { ...problem, items: problem.items.map((item) => (over.has(item.rank) ? { ...item, options: [] } : item)) };
}

function shareOf({ rank }: ItemPrintOptions, shares: readonly Share[]): Share {
  return shares.find(({ items }) => items.some((item) => item.rank === rank))!;
}

function mayGrow({ limit }: Share): boolean {
  return limit === Number.POSITIVE_INFINITY;
}

function cutTo(item: ItemPrintOptions, cap: number, problem: BudgetProblem, request: Request): PrintOption | undefined {
  const rest = restOf(item.unique);
  const head = headTokens(item, problem.layouter, rest);
  for (let tokens = cap - head, tries = 0; tokens >= smallestCut && tries < 4; tries++) {
    const option = cutOption(item, tokens, request, problem.layouter, rest);
    if (!option) return undefined;
    if (option.cost <= cap) return option;
    tokens -= option.cost - cap;
  }
  return undefined;
}

function restOf({ item, citation, facts }: Unique): string {
  if (isInFile(item.source)) return `see full at ${item.path}:${citation.startLine}`;
  return sourceTraits[item.source].axes ? `full ${item.source} ID: ${facts?.id ?? item.id}` : "";
}

/** The starting option, or the largest option that fits. */
function firstOption(item: ItemPrintOptions, tokens: number): PrintOption | undefined {
  const start = startOption(item);
  return start && start.cost <= tokens ? start : item.options.find(({ cost }) => cost <= tokens);
}

/** Fills the remaining room with a cut of the best missing item. */
function lastCut(problem: BudgetProblem, draft: BudgetChoice, shares: Share[], request: Request): BudgetChoice {
  const slack = problem.budget - draft.layout.tokens;
  for (const item of problem.items) {
    if (draft.chosen[item.rank] || item.options.length === 0) continue;
    const option = cutTo(item, Math.min(slack, shareOf(item, shares).cap), problem, request);
    const next = option && withOption(problem, draft, item.rank, option);
    if (next && fits(problem, next)) return next;
  }
  return draft;
}
