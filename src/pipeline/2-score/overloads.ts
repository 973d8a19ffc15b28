import { type Scored, sourceTraits } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";

/** Factor for the overloads that are not the longest. */
const delegateFactor = 0.93;

/**
 * Overloads: functions of one name in one place. The short ones name what is asked for and hand it on to the longest, which does the work; by
 * their length they match best. For a question the longest takes the highest score of them, and the others follow. Moshi has nine functions
 * `adapter`: of the one that looks for an adapter nothing was printed, of five that call it everything.
 */
export function withLongestOverloads(scored: Scored[], { shape }: Query): Scored[] {
  if (shape !== "question") return scored;
  const families = new Map<string, Scored[]>();
  for (const each of scored.filter(isOverloadable)) {
    const { qualifiedName } = each.item;
    families.set(qualifiedName, [...(families.get(qualifiedName) ?? []), each]);
  }
  const changed = new Map<string, Scored>();
  for (const family of families.values()) {
    if (family.length < 2) continue;
    const longest = family.reduce((a, b) => (linesOf(b) > linesOf(a) ? b : a));
    const best = Math.max(...family.map(({ score }) => score));
    for (const each of family) {
      const score = each === longest ? best : each.score * delegateFactor;
      if (score !== each.score)
        changed.set(each.item.id, { ...each, score, because: { ...each.because, overload: score - each.score } });
    }
  }
  return changed.size === 0 ? scored : scored.map((each) => changed.get(each.item.id) ?? each);
}

/** What the query names keeps its place: then every definition is wanted. */
function isOverloadable({ item, signals }: Scored): boolean {
  return (
    sourceTraits[item.source].lines === "code" &&
    (item.kind === "function" || item.kind === "method") &&
    signals.named === undefined
  );
}

function linesOf({ item }: Scored): number {
  return item.endLine - item.startLine + 1;
}
