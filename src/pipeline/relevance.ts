import type { Query } from "../text/query.ts";

/** Terms of the query that lines are compared with; the rest of a long issue is noise. */
const mostTerms = 24;

/** How much of the query each line of a text speaks of. */
export type LineWeight = (line: string) => number;

/**
 * Stems are looked for as parts of the lower-case line: exact analysis of every line of every candidate would cost more
 * than all the rest of the assembly.
 */
export function lineWeights(query: Query): LineWeight {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => {
    if (term.length > 2) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  };
  for (const { term, weight } of query.terms) add(term.toLowerCase(), weight);
  for (const { name, weight } of query.names) add(name.toLowerCase(), weight);
  const wanted = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostTerms);
  return (line) => {
    const lower = line.toLowerCase();
    let weight = 0;
    for (const [term, worth] of wanted) if (lower.includes(term)) weight += worth;
    return weight;
  };
}
