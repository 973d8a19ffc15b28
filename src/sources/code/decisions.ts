import type { Unit } from "./extraction.ts";

/**
 * Decision points of all languages: branches, loops, cases, handlers, early exits, and the operators that may skip
 * their right side.
 */
const decision =
  /(?<![.\w$@])(?:if|elif|elsif|elseif|unless|guard|for|foreach|while|until|loop|case|when|match|switch|cond|catch|except|rescue|raise|throw|panic|and|or|andalso|orelse)\b(?!\s*[:=](?![:=]))|&&|\|\||\?\?|\s\?\s/g;

/**
 * The number of decision points of each unit, its members included: McCabe's cyclomatic complexity minus one.
 * Declarations, assignments and calls are not decision points.
 */
export function decisionsOf(units: readonly Unit[]): number[] {
  const counts = units.map(({ own }) => own.code.match(decision)?.length ?? 0);
  // Members come after their container. The text of an inner function is already part of the outer function's text.
  for (let i = units.length - 1; i >= 0; i--) {
    const { parent, inner } = units[i]!;
    if (parent !== undefined && !inner) counts[parent]! += counts[i]!;
  }
  return counts;
}
