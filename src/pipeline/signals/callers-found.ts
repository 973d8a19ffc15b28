import { type Candidate, sourceTraits } from "../../item.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Callers among the candidates, by the id of the item they call. */
export type CallersFound = ReadonlyMap<string, readonly string[]>;

/** How many candidates' calls are read, best text match first. */
const mostCallers = 50;

/** Reads the calls of the best candidates. Leaves out tests, which call everything, and prose. */
export async function callersFound(
  candidates: readonly Candidate[],
  { store, owner }: Workspace,
): Promise<CallersFound> {
  const best = candidates
    .filter(
      ({ item, signals }) => sourceTraits[item.source].lines === "code" && !item.test && (signals.matched ?? 0) > 0,
    )
    .sort((a, b) => b.signals.matched! - a.signals.matched! || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, mostCallers)
    .map(({ item }) => item.id);
  const callers = new Map<string, string[]>();
  for (const { from, to } of await store.links(owner, best, "from", ["calls"])) {
    const list = callers.get(to);
    if (list) list.push(from);
    else callers.set(to, [from]);
  }
  return callers;
}

/**
 * The signal `called`: the best score among each candidate's callers. The code that does the work is called by the code
 * that names it.
 */
export function calledByBest(
  candidates: readonly Candidate[],
  scores: readonly number[],
  callers: CallersFound | undefined,
): number[] {
  if (!callers || callers.size === 0) return candidates.map(() => 0);
  const scoreOf = new Map(candidates.map(({ item }, i) => [item.id, scores[i]!]));
  return candidates.map(({ item }) =>
    Math.max(0, ...(callers.get(item.id) ?? []).map((caller) => scoreOf.get(caller) ?? 0)),
  );
}
