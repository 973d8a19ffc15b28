import type { DropReason } from "../../document.ts";
import type { Request } from "../../options.ts";
import type { Fit } from "./fit-budget.ts";

/** How many budgets are tried in total. */
const mostTries = 48;
/** First the budget grows by this factor, up to `furthest` times the requested one. */
const growth = 1.5;
const mostTimes = 64;
const largestBudget = 1_000_000;
/** The search stops within this share of the budget, or within this many tokens. */
const precision = { share: 0.02, tokens: 8 };

/** Reasons that a larger budget may remove. */
const budgetReasons: ReadonlySet<DropReason> = new Set(["over-budget", "diversity", "below-score"]);

/** An item enters between these budgets: `low` is too small, `high` is large enough. */
type Interval = { low: number; high: number };

/**
 * Adds to each left-out item a budget at which it is printed (`entersAt`). Choices are not monotone in the budget, so a
 * budget is only reported if a real fit contained the item.
 */
export function withEntryBudgets(fit: Fit, request: Request, fitIn: (request: Request) => Fit): Fit {
  if (!request.report?.includes("budgets")) return fit;
  const ids = fit.dropped.filter(({ reason }) => budgetReasons.has(reason)).map(({ id }) => id);
  const { report: _, ...quick } = request;
  const budgets = entryBudgets(ids, request.maxTokens, (maxTokens) => {
    const printed = fitIn({ ...quick, maxTokens }).kept;
    return new Set(printed.map(({ unique }) => unique.item.id));
  });
  const dropped = fit.dropped.map((each) => {
    const entersAt = budgets.get(each.id);
    return entersAt === undefined ? each : { ...each, entersAt };
  });
  return { ...fit, dropped };
}

function entryBudgets(
  wanted: readonly string[],
  budget: number,
  printedIn: (maxTokens: number) => ReadonlySet<string>,
): Map<string, number> {
  const intervals = new Map<string, Interval>();
  let tries = 0;
  let open = [...wanted];
  for (let low = budget; open.length > 0 && tries < mostTries / 2; ) {
    const high = Math.min(largestBudget, Math.ceil(low * growth));
    if (high > budget * mostTimes || high <= low) break;
    const printed = printedIn(high);
    tries++;
    for (const id of open) if (printed.has(id)) intervals.set(id, { low, high });
    open = open.filter((id) => !printed.has(id));
    low = high;
  }
  // Binary search: the interval shared by most items is halved first, because one try answers for all of them.
  for (; tries < mostTries; tries++) {
    const widest = mostCommonInterval(intervals);
    if (!widest) break;
    const middle = Math.floor((widest.low + widest.high) / 2);
    const printed = printedIn(middle);
    for (const [id, { low, high }] of intervals) {
      if (low >= middle || high <= middle) continue;
      intervals.set(id, printed.has(id) ? { low, high: middle } : { low: middle, high });
    }
  }
  return new Map([...intervals].map(([id, { high }]) => [id, high]));
}

function mostCommonInterval(intervals: ReadonlyMap<string, Interval>): Interval | undefined {
  const waiting = new Map<string, Interval & { count: number }>();
  for (const { low, high } of intervals.values()) {
    if (high - low <= Math.max(precision.tokens, precision.share * high)) continue;
    const key = `${low} ${high}`;
    waiting.set(key, { low, high, count: (waiting.get(key)?.count ?? 0) + 1 });
  }
  let best: (Interval & { count: number }) | undefined;
  for (const each of waiting.values()) if (!best || each.count > best.count) best = each;
  return best;
}
