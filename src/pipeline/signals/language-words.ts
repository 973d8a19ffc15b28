import type { Candidate } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import { stem } from "../../text/analysis/stem.ts";

/** Names of languages in questions. */
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

/** Factor for such a word, measured on web questions about Python functions, half of which contain "python". */
const languageWordFactor = 0.2;

/** Lowers the weight of a language's name if most candidates are in it: the name matches them all alike. */
export function withoutLanguage(query: Query, candidates: Candidate[]): Query {
  if (query.shape !== "question") return query;
  const counts = new Map<string, number>();
  for (const { item } of candidates) {
    if (item.language !== undefined) counts.set(item.language, (counts.get(item.language) ?? 0) + 1);
  }
  const languageNames = [...counts]
    .filter(([, count]) => count > candidates.length / 2)
    .flatMap(([language]) => (names[language] ?? []).map(stem));
  if (languageNames.length === 0 || !query.terms.some(({ term }) => languageNames.includes(term))) return query;
  const terms = query.terms.map(({ term, weight }) => ({
    term,
    weight: languageNames.includes(term) ? languageWordFactor * weight : weight,
  }));
  return { ...query, terms };
}
