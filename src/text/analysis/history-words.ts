import type { Query, QueryTerm } from "./query.ts";
import { stem } from "./stem.ts";

/**
 * What was done, when, and words for doing it: the commit that is meant may use any other word, and many others use
 * these.
 */
const actions = `
change changed add added remove removed rename renamed introduce introduced drop dropped deprecate deprecated revert reverted replace replaced
move moved delete deleted write wrote break broke fix fixed make made start commit commits history blame regression
recent recently lately latest newest last new week month year
`;

let stems: Set<string> | undefined;

/** Whether a term of a question about history names its subject, and not what was done to it. */
export function isOfSubject({ term }: QueryTerm): boolean {
  stems ??= new Set(actions.trim().split(/\s+/).map(stem));
  return !stems.has(term);
}

/** The query without the words for what was done; itself where nothing else is left. */
export function aboutSubject(query: Query): Query {
  const terms = query.terms.filter(isOfSubject);
  return terms.length === 0 || terms.length === query.terms.length ? query : { ...query, terms };
}

const said = "(?:add|introduc|creat|implement|support|land|appear|exist|start)(?:e?d|e?s|ing)?";
const introduction = new RegExp(
  String.raw`\b(?:when|who|since when|(?:which|what) (?:version|release|commit|change|pull request|pr))\b.*\b${said}\b`,
  "i",
);
const isRemoval = /\b(?:remov|delet|drop|deprecat|chang|fix|renam)\w*\b/i;

/** Not "why did it start": what somebody brought has its reason in the commit that brought it. */
const reasonOfIntroduction = /\bwhy (?:was|were|has|have|had)\b.*\b(?:added|introduced|created|implemented)\b/i;

/**
 * True when the beginning of something is asked for: "when was X added", "which commit introduced X", "why was X
 * introduced".
 */
export function asksForIntroduction({ text }: Pick<Query, "text">): boolean {
  return (introduction.test(text) || reasonOfIntroduction.test(text)) && !isRemoval.test(text);
}

const subjectBefore = new RegExp(
  String.raw`\b(?:was|were|is|did|has|have|does)\s+(?:the\s+)?[\x60"']?([\p{L}_$][\p{L}\p{N}_$.:]*)[\x60"']?(?:\(\))?\s+(?:first\s+|been\s+|originally\s+)?${said}\b`,
  "iu",
);
const subjectAfter = new RegExp(
  String.raw`\b${said}\s+(?:the\s+)?[\x60"']?([\p{L}_$][\p{L}\p{N}_$.:]*)[\x60"']?(?:\(\))?\s*\??$`,
  "iu",
);

/** The one word that such a question is about: `lifespan` in "when was lifespan added". */
export function introducedName({ text }: Pick<Query, "text">): string | undefined {
  const [, name] = subjectBefore.exec(text) ?? subjectAfter.exec(text.trim()) ?? [];
  return name?.split(/[.:]+/).at(-1);
}

/** Whether a commit's subject says that something began. */
export function tellsOfIntroduction(subject: string): boolean {
  return /\b(?:add(?:ed|s|ing)?|introduc\w+|implement\w*|support(?:ed|s|ing)?|new|initial|creat\w+|feat)\b/i.test(
    subject,
  );
}

// Code shows what is done; the reason is in what its author wrote.
const asksWhoDidIt =
  /\b(why (?:was|were|did)|when (?:was|were|did)|who (?:changed|wrote|added|removed|introduced|broke|fixed)|since when|since (?:which|what) (?:version|release)|in (?:which|what) (?:version|release|commit)|git (?:log|blame)|what(?:'s|'ve| has| have| was| were)? (?:recently |lately |been )?changed|(?:changed|added|removed|fixed) (?:recently|lately|last (?:week|month|year))|recently (?:changed|added|removed|fixed|renamed)|(?:which|what) (?:version|release|commit|change|pull request|pr) (?:added|introduced|created|implemented|removed|changed|broke|fixed)|(?:was|were|been|got) (?:changed|added|removed|renamed|introduced|dropped|deprecated|reverted|replaced|moved))\b/i;

// "Why does it fail?" asks for the code that does it.
const asksWhyWe = /^\s*why (?:do|don't|did|didn't|are|aren't|have) (?:we|you|they)\b/i;

// "How is the history of queries saved?", "how are commits read?": history as the program's own subject, which its
// code answers.
const namesHistory = /\b(commits?|blame|history of|regressions?|(?:recent|latest|newest|last) (?:\w+ )?changes?)\b/i;
const asksHowItWorks =
  /^\s*(?:how (?:is|are|do|does|can|to)|(?:where|when|why) (?:is|are|do|does)|what (?:happens|decides|triggers|makes|does|do))\b/i;

/** True when the first lines of the question ask how things came to be. */
export function asksForHistory(opening: string): boolean {
  if (asksWhoDidIt.test(opening) || asksWhyWe.test(opening)) return true;
  return namesHistory.test(opening) && !asksHowItWorks.test(opening);
}
