import { heaviestOf, type Query } from "../../../text/analysis/query.ts";

/** Most terms of the query that lines are compared with; the rest of a long issue is noise. */
const mostTerms = 24;

/** Relevance of each line of a text to the query. */
export type WeighLines = (lines: readonly string[]) => number[];

/**
 * Weighs lines by substring search for the query's stems: analysing every line of every candidate would cost more than
 * the rest of the pipeline. A term in most lines of the text counts little, as with idf.
 */
export function lineWeights(query: Query): WeighLines {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => {
    if (term.length > 2) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  };
  for (const { term, weight } of query.terms) add(term.toLowerCase(), weight);
  for (const { term, of, share } of query.also)
    if (of === undefined) add(term.toLowerCase(), share * heaviestOf(query.terms));
  for (const { name, weight } of query.names) add(name.toLowerCase(), weight);
  const heaviest = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostTerms);
  return (lines) => {
    const lower = lines.join("\n").toLowerCase();
    const total = new Array<number>(lines.length).fill(0);
    for (const [term, weight] of heaviest) {
      const hits = linesWith(lower, term);
      const worth = weight * (1 - hits.length / (lines.length + 1));
      for (const line of hits) total[line]! += worth;
    }
    return total;
  };
}

/** Indexes of the lines that contain a text. */
function linesWith(lines: string, text: string): number[] {
  const hits: number[] = [];
  let line = 0;
  let end = lines.indexOf("\n");
  for (let at = lines.indexOf(text); at !== -1; at = end === -1 ? -1 : lines.indexOf(text, end)) {
    for (; end !== -1 && end < at; end = lines.indexOf("\n", end + 1)) line++;
    hits.push(line);
  }
  return hits;
}
