import type { DropReason } from "../../document.ts";
import type { Request } from "../../options.ts";
import type { Fit } from "./fit-budget.ts";

/** Budgets that are tried in all, whatever is left out. */
const mostTries = 48;
/** The first tries grow by this, up to this many times the budget. */
const growth = 1.5;
const furthest = 64;
const largestBudget = 1_000_000;
/** How exactly a budget is found while there are tries left: within this share of it, and no closer than this. */
const exactness = { share: 0.02, tokens: 8 };

/** What more tokens may bring in; the others are left out for another reason. */
const byBudget: ReadonlySet<DropReason> = new Set(["over-budget", "diversity", "below-score"]);

/** Between these budgets, the first too small and the second enough. */
type Interval = { low: number; high: number };

/**
 * For each item that was left out, a budget with which it is printed. Choices do not simply grow with the budget, so a budget is only
 * told after the document was fitted to it and the item was in it.
 */
export function withEntryBudgets(fit: Fit, request: Request, fitIn: (request: Request) => Fit): Fit {
  if (!request.report?.includes("budgets")) return fit;
  const ids = fit.dropped.filter(({ reason }) => byBudget.has(reason)).map(({ id }) => id);
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
    if (high > budget * furthest || high <= low) break;
    const printed = printedIn(high);
    tries++;
    for (const id of open) if (printed.has(id)) intervals.set(id, { low, high });
    open = open.filter((id) => !printed.has(id));
    low = high;
  }
  // The interval that most items wait for is halved first: one try tells of all of them.
  for (; tries < mostTries; tries++) {
    const widest = mostAwaited(intervals);
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

function mostAwaited(intervals: ReadonlyMap<string, Interval>): Interval | undefined {
  const waiting = new Map<string, Interval & { count: number }>();
  for (const { low, high } of intervals.values()) {
    if (high - low <= Math.max(exactness.tokens, exactness.share * high)) continue;
    const key = `${low} ${high}`;
    waiting.set(key, { low, high, count: (waiting.get(key)?.count ?? 0) + 1 });
  }
  let best: (Interval & { count: number }) | undefined;
  for (const each of waiting.values()) if (!best || each.count > best.count) best = each;
  return best;
}
