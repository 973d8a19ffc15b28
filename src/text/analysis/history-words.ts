import type { Query, QueryTerm } from "./query.ts";
import { stem } from "./stem.ts";

/** What was done, when, and words for the act of doing it: a commit may say it in any other word, and many say it of other things. */
const actions = `
change changed add added remove removed rename renamed introduce introduced drop dropped deprecate deprecated revert reverted replace replaced
move moved delete deleted write wrote break broke fix fixed make made start commit commits history blame regression
recent recently lately latest newest last new week month year
`;

let stems: Set<string> | undefined;

/** Whether a term of a question of history says what it is about, and not what was done to it. */
export function isOfSubject({ term }: QueryTerm): boolean {
  stems ??= new Set(actions.trim().split(/\s+/).map(stem));
  return !stems.has(term);
}

/** The query without the words for what was done; itself where nothing else is left. */
export function aboutSubject(query: Query): Query {
  const terms = query.terms.filter(isOfSubject);
  return terms.length === 0 || terms.length === query.terms.length ? query : { ...query, terms };
}
