import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { sectionOf } from "../layout/groups.ts";
import type { Unique } from "../unique.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, withOption } from "./choice.ts";
import { fill, repair } from "./fill.ts";
import { cutOption, headTokens, type ItemPrintOptions, type PrintOption } from "./print-options.ts";

/** One section of the document: its share, what it spends of that or more, and what one item of it may take. */
type Share = {
  weight: number;
  items: ItemPrintOptions[];
  entitled: number;
  tokens: number;
  cap: number;
  most: number;
};

/** A smaller cap would leave no item room for more than its heading. */
const smallestCap = 48;
const smallestCut = 16;
/** One short item, in any format. */
const smallestMost = 100;

/**
 * Each section has its share of the budget by weight, and no item takes more than a part of its section's. What a section
 * does not need goes to those that do, by their weights, until nobody needs it.
 */
export function shareOut(problem: BudgetProblem, request: Request, look: Look, frame: number): BudgetChoice {
  // Where there is room for all of it, nobody needs to be kept from taking more than a share.
  const shares = sharesOf(problem, look);
  const whole = choiceOf(problem, problem.items.map(startOf));
  const isAllowed = shares.every(
    ({ items, most }) => items.reduce((sum, item) => sum + (startOf(item)?.cost ?? 0), 0) <= most,
  );
  if (isAllowed && problem.items.every((item) => startOf(item)) && fits(problem, whole)) return whole;
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
  const limited = withoutOver(capped, chosen, shares);
  const shared = fill(limited, repair(limited, choiceOf(limited, chosen)));
  return lastCut(limited, fill(uncapped(problem, limited, shared, shares), shared), shares, request);
}

/** What found no place within its part may have what is left over: a part of a small budget may be too small for any item. */
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
    const most = section.most === undefined ? Number.POSITIVE_INFINITY : mostOf(problem.budget, section.most);
    return [{ weight: section.weight ?? 1, items, entitled: 0, tokens: 0, cap: smallestCap, most }];
  });
}

/** Of a small budget more, so that one short item fits. */
function mostOf(budget: number, share: number): number {
  return Math.max(Math.floor(budget * share), Math.min(smallestMost, Math.floor(budget / 2)));
}

function allotAll(shares: Share[], capacity: number, look: Look): void {
  let left = capacity;
  // What has a limit of its own is there in any case.
  for (const share of shares.filter((each) => !mayGrow(each))) {
    entitle(share, Math.min(share.most, left), look);
    share.tokens = Math.min(share.tokens, spendable(share));
    left -= share.tokens;
  }
  for (let open = shares.filter(mayGrow); open.length > 0; ) {
    const total = weightOf(open);
    for (const share of open) entitle(share, Math.floor((Math.max(0, left) * share.weight) / total), look);
    const content = open.filter((share) => spendable(share) <= share.tokens);
    if (content.length === 0) return;
    // Its cap stays what its whole share allowed: to need little is no reason to be cut.
    for (const share of content) share.tokens = spendable(share);
    left -= content.reduce((sum, { tokens }) => sum + tokens, 0);
    open = open.filter((share) => !content.includes(share));
  }
  loosen(shares, left, look);
}

/** How often what is left over is offered to those whose items are cut. */
const rounds = 3;

/** Everyone has what it can spend, and something is left: sections whose items are cut may cut them less. */
function loosen(shares: Share[], rest: number, look: Look): void {
  let left = rest;
  for (let round = 0; round < rounds && left > 0; round++) {
    const wanting = shares.filter(({ items, cap }) => items.some(({ options }) => (options[0]?.cost ?? 0) > cap));
    const total = weightOf(wanting);
    for (const share of wanting) {
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
  share.entitled = Math.min(tokens, share.most);
  share.tokens = share.entitled;
  // What has a limit of its own may be one long text.
  const part = mayGrow(share) ? (look.itemCap ?? 1) : 1;
  share.cap = Math.max(smallestCap, Math.floor(share.tokens * part));
}

/** What a section could spend: all of its items in full, or cut at their cap. */
function spendable({ items, cap, most }: Share): number {
  return Math.min(
    most,
    items.reduce((sum, { options }) => sum + Math.min(options[0]?.cost ?? 0, cap), 0),
  );
}

/** How an item enters: whole. What its cap does not allow enters as much as it does, what its section has no room for as much as that has. */
function startOf({ options }: ItemPrintOptions): PrintOption | undefined {
  return options.find(({ printLevel }) => printLevel.level === "full");
}

/** The item with what its cap allows: an option that is too large is cut to it, and says where the rest is. */
function cappedItem(
  item: ItemPrintOptions,
  { cap }: Share,
  problem: BudgetProblem,
  request: Request,
  left: number,
): ItemPrintOptions {
  const fitting = item.options.filter(({ cost, printLevel }) => cost <= cap && printLevel.level !== "pointer");
  // Cutting is the dearest of all: where its section has no room for it, there is no need to.
  const needsCut = left >= smallestCap && !fitting.some(({ printLevel }) => printLevel.level === "full");
  const cut = needsCut ? cutTo(item, cap, problem, request) : undefined;
  const options = [...fitting, ...(cut ? [cut] : [])].sort((a, b) => b.cost - a.cost);
  return { ...item, options: options };
}

/** What found no room in a section that may not grow is offered no other. */
function withoutOver(
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

function mayGrow({ most }: Share): boolean {
  return most === Number.POSITIVE_INFINITY;
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
  return item.source === "experience" ? `full experience ID: ${facts?.id ?? item.id}` : "";
}

/** The first level that an item enters with, or the largest that fits. */
function firstOption(item: ItemPrintOptions, tokens: number): PrintOption | undefined {
  const start = startOf(item) ?? item.options[0];
  return start && start.cost <= tokens ? start : item.options.find(({ cost }) => cost <= tokens);
}

/** The room that no whole item fits into is given to the best one that is missing, cut. */
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
