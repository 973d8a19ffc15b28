import type { Candidate } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import { stem } from "../../text/analysis/stem.ts";

/** What languages are called in questions. */
const names: Record<string, string[]> = {
  python: ["python", "py"],
  javascript: ["javascript", "js"],
  typescript: ["typescript", "ts"],
  go: ["golang"],
  java: ["java"],
  rust: ["rust"],
  ruby: ["ruby"],
  php: ["php"],
  swift: ["swift"],
  kotlin: ["kotlin"],
  csharp: ["csharp"],
  cpp: ["cpp"],
  dart: ["dart"],
};

/** What is left of such a word: measured on web questions about Python functions, half of which say so. */
const share = 0.2;

/** Of a question to code of one language, what says that language tells nothing apart: the word counts little. */
export function withoutLanguage(query: Query, candidates: Candidate[]): Query {
  if (query.shape !== "question") return query;
  const counts = new Map<string, number>();
  for (const { item } of candidates) {
    if (item.language !== undefined) counts.set(item.language, (counts.get(item.language) ?? 0) + 1);
  }
  const called = [...counts]
    .filter(([, count]) => count > candidates.length / 2)
    .flatMap(([language]) => (names[language] ?? []).map(stem));
  if (called.length === 0 || !query.terms.some(({ term }) => called.includes(term))) return query;
  const terms = query.terms.map(({ term, weight }) => ({
    term,
    weight: called.includes(term) ? share * weight : weight,
  }));
  return { ...query, terms };
}
