import type { Unit } from "./extraction.ts";

/**
 * What decides in one of the languages: branches, loops, cases, handlers, refusals, and the operators that skip their
 * right side.
 */
const decision =
  /(?<![.\w$@])(?:if|elif|elsif|elseif|unless|guard|for|foreach|while|until|loop|case|when|match|switch|cond|catch|except|rescue|raise|throw|panic|and|or|andalso|orelse)\b(?!\s*[:=](?![:=]))|&&|\|\||\?\?|\s\?\s/g;

/**
 * How many places of each unit decide something, those of its members included: McCabe's cyclomatic complexity without
 * its first path. What is declared, stored or handed on decides nothing.
 */
export function decisionsOf(units: readonly Unit[]): number[] {
  const counts = units.map(({ own }) => own.code.match(decision)?.length ?? 0);
  // Members come after what contains them. The text of an inner function is already part of the outer one's.
  for (let i = units.length - 1; i >= 0; i--) {
    const { parent, inner } = units[i]!;
    if (parent !== undefined && !inner) counts[parent]! += counts[i]!;
  }
  return counts;
}
