import { analyse } from "./analyse.ts";
import { phrasesIn } from "./phrases/phrases.ts";
import { brevityOf } from "./question-words.ts";
import { stem } from "./stem.ts";
import { abbreviations, irregular, related, synonyms } from "./thesaurus.ts";

/**
 * A synonym of one of a query's terms (`of`), or a hint. `share`: how much a match of it counts, relative to the term,
 * or to the heaviest one.
 */
export type Alternative = { term: string; of?: string; share: number };

/** Measured on web questions about functions: a synonym is worth about a third of the word. */
const synonymShare = 0.3;
const formShare = 0.9;
/**
 * With .3 the right file is first in 71.2 % of 226 questions, with .6 in 72.1, with .9 in 69.0; CoSQA 41.5, 41.4, 40.3.
 */
const abbreviationShare = 0.6;
/**
 * What a phrase means is nearly certain. With .4 a function that does it is printed for 76 % of 241 short questions,
 * with .6 and .8 for 77.
 */
const phraseShare = 0.6;

type Shares = Map<string, number>;

/**
 * Synonyms of a text's terms, without those terms. Related words and meanings of phrases count in short questions only.
 * Measured on 241 questions of five terms: with related words the function that does it is first in 37.3 % instead of
 * 35.7, and whole in 64.3 instead of 61.8. CoSQA: 41.9 instead of 41.4. In 226 questions of seventeen terms they would
 * cost half a point of files and lines.
 */
export function alternativesOf(terms: readonly string[], text = ""): Alternative[] {
  const brevity = brevityOf(terms.length);
  const ownTerms = new Set(terms);
  const meant = brevity > 0 ? meantBy(text, ownTerms) : new Map<string, string[]>();
  const joined = joinedWords(text, ownTerms);
  return terms.flatMap((of) => {
    const shares = new Map(closeTo(of));
    const add = (term: string, share: number) => shares.set(term, Math.max(share * brevity, shares.get(term) ?? 0));
    if (brevity > 0) for (const [term, share] of besides(of, looseTables)) add(term, share);
    for (const term of meant.get(of) ?? []) add(term, phraseShare);
    for (const term of joined.get(of) ?? []) shares.set(term, Math.max(joinedShare, shares.get(term) ?? 0));
    return [...shares].filter(([term]) => !ownTerms.has(term)).map(([term, share]) => ({ term, of, share }));
  });
}

/** Code writes as one word what people write as two: "keep alive", "white space", "file name". By each of the two. */
function joinedWords(text: string, terms: ReadonlySet<string>): Map<string, string[]> {
  const joined = new Map<string, string[]>();
  let previous: string | undefined;
  for (const [word] of text
    .slice(0, longestJoined)
    .toLowerCase()
    .matchAll(/[a-z]+|[.,;:?!()"`]/g)) {
    const isTerm = terms.has(stem(word));
    if (isTerm && previous !== undefined) {
      for (const part of [previous, word])
        joined.set(stem(part), [...(joined.get(stem(part)) ?? []), stem(previous + word)]);
    }
    previous = isTerm ? word : undefined;
  }
  return joined;
}

const longestJoined = 400;
const joinedShare = 0.6;

/** What the phrases of a text mean, by the first of its terms in each phrase. */
function meantBy(text: string, terms: ReadonlySet<string>): Map<string, string[]> {
  const meant = new Map<string, string[]>();
  for (const { spoken, words } of phrasesIn(text)) {
    const of = analyse(spoken).find((term) => terms.has(term));
    if (of !== undefined) meant.set(of, [...(meant.get(of) ?? []), ...words.map(stem)]);
  }
  return meant;
}

/** Whether a table lists the word: it is a common one. */
export function isKnownWord(word: string): boolean {
  return besides(stem(word.toLowerCase()), [...closeTables, ...looseTables]).size > 0;
}

/** The synonyms of a term as whole words, for a reader. */
export function synonymsOf(term: string): string[] {
  return `${synonyms};${irregular}`
    .trim()
    .split(/;\s*/)
    .map((group) => group.trim().split(/\s+/))
    .filter((words) => words.some((word) => stem(word) === term))
    .flatMap((words) => words.filter((word) => stem(word) !== term));
}

type Table = { groups: string; share: number };

const closeTables: Table[] = [
  { groups: synonyms, share: synonymShare },
  { groups: abbreviations, share: abbreviationShare },
  { groups: irregular, share: formShare },
];
const looseTables: Table[] = [{ groups: related, share: synonymShare }];

/** Another form of a word has the word's synonyms: a question about what was chosen may be answered by what selects. */
function closeTo(term: string): Shares {
  const others = besides(term, closeTables);
  const all = new Map(others);
  for (const [form, share] of others) {
    if (share !== formShare) continue;
    for (const other of besides(form, closeTables).keys())
      if (other !== term && !all.has(other)) all.set(other, synonymShare);
  }
  return all;
}

/** The other words of all groups that a term is in. */
function besides(term: string, tables: readonly Table[]): Shares {
  const others: Shares = new Map();
  for (const { groups, share } of tables) {
    for (const stems of groupsWith(term, groups)) {
      for (const other of stems) if (other !== term) others.set(other, Math.max(share, others.get(other) ?? 0));
    }
  }
  return others;
}

/**
 * The groups that a term is in, each as its stems, in the order of the table. Only words that begin as the term does
 * are stemmed: all of them take longer than the rest of a question's analysis, and a new process has stemmed none.
 */
function groupsWith(term: string, groups: string): string[][] {
  const found: string[][] = [];
  // A stem is the beginning of its word, but for its last letter: `tri` is that of `try`.
  const beginning = term.slice(0, Math.min(3, Math.max(1, term.length - 1)));
  for (let at = groups.indexOf(beginning); at !== -1; ) {
    let next = at + 1;
    const word = isLetter(groups[at - 1]) ? "" : wordAt(groups, at);
    if (stem(word) === term) {
      next = groups.indexOf(";", at) === -1 ? groups.length : groups.indexOf(";", at);
      const words = groups.slice(groups.lastIndexOf(";", at) + 1, next).trim();
      found.push([...new Set(words.split(/\s+/).map(stem))]);
    }
    at = groups.indexOf(beginning, next);
  }
  return found;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && character !== ";" && character !== " " && character !== "\n";
}

function wordAt(groups: string, start: number): string {
  let end = start;
  while (isLetter(groups[end])) end++;
  return groups.slice(start, end);
}
