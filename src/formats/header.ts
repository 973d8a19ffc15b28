import type { Header } from "../document.ts";
import { briefLine } from "./characters.ts";

/**
 * Most bytes of a header, and of each of its facts except the query. With its markup, a header stays below 200 tokens
 * for any query.
 */
const mostBytes = 170;
const mostOfEach = 24;
/** Most bytes of each warning. */
const warningBytes = 200;

/** The words of a header about a notes graph. The query gets the room that the rest leaves. */
export function headerWords({ query: topic, lens, workspace, backend, matches, warnings = [] }: Header): {
  query: string;
  facts: [name: string, words: string][];
  warnings: string[];
} {
  const values = {
    Lens: lens,
    Workspace: workspace,
    Backend: backend,
    ...(matches && { Matches: String(matches.count) }),
  };
  const facts = Object.entries(values).map(([name, words]): [string, string] => [name, briefLine(words, mostOfEach)]);
  const query = [topic, matches?.where ?? ""].filter((words) => words !== "").join(" · ");
  const usedBytes = facts.reduce((sum, [, words]) => sum + Buffer.byteLength(words), 0);
  return {
    query: briefLine(query, mostBytes - usedBytes),
    facts,
    warnings: warnings.map((words) => briefLine(words, warningBytes)),
  };
}
