import { type Scored, sourceTraits } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { CallersFound } from "../signals/callers-found.ts";

/** Factor for the shorter overloads. */
const delegateFactor = 0.93;

/**
 * Overloads: functions of one name in one place, and short ones elsewhere that call them. The short ones match best,
 * because of their length, but only delegate to the longest, which does the work. For a question the longest gets the
 * highest score of them, and the others follow. Moshi has nine functions `adapter`: five that call the working one were
 * printed whole, and nothing of the working one.
 */
export function withLongestOverloads(scored: Scored[], { shape }: Query, callers?: CallersFound): Scored[] {
  if (shape !== "question") return scored;
  const functions = scored.filter(isOverloadable);
  const familyNames = familiesOfDelegates(functions, callers);
  const families = new Map<string, Scored[]>();
  for (const each of functions) {
    const name = familyNames.get(each.item.id) ?? each.item.qualifiedName;
    families.set(name, [...(families.get(name) ?? []), each]);
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

/** Lines of a function that only calls another one. */
const mostLinesOfDelegate = 5;

/**
 * Short functions that call one of the same name elsewhere (Go's `WatchConfig` and `Viper.WatchConfig`), by id: the
 * other's qualified name.
 */
function familiesOfDelegates(functions: readonly Scored[], callers: CallersFound = new Map()): Map<string, string> {
  const byId = new Map(functions.map((each) => [each.item.id, each]));
  const names = new Map<string, string>();
  for (const { item } of functions) {
    for (const caller of callers.get(item.id) ?? []) {
      const delegate = byId.get(caller);
      if (delegate?.item.name === item.name && linesOf(delegate) <= mostLinesOfDelegate)
        names.set(caller, item.qualifiedName);
    }
  }
  return names;
}

/**
 * An overload that the query names keeps its place: then every definition is wanted. So does one that prints a pasted
 * message: its overloads print others.
 */
function isOverloadable({ item, signals }: Scored): boolean {
  return (
    sourceTraits[item.source].lines === "code" &&
    (item.kind === "function" || item.kind === "method") &&
    signals.named === undefined &&
    signals.frame === undefined &&
    signals.message === undefined
  );
}

function linesOf({ item }: Scored): number {
  return item.endLine - item.startLine + 1;
}
