import { analyse } from "./analyse.ts";
import { phrasesIn } from "./phrases.ts";
import { brevityOf } from "./question-words.ts";
import { stem } from "./stem.ts";
import { abbreviations, irregular, related, synonyms } from "./thesaurus.ts";

/** A synonym of one of a query's terms. `share`: how much a match of it counts, relative to the term itself. */
export type Alternative = { term: string; of: string; share: number };

/** Measured on web questions about functions: a synonym is worth about a third of the word. */
const synonymShare = 0.3;
const formShare = 0.9;
/** With .3 the right file is first in 71.2 % of 226 questions, with .6 in 72.1, with .9 in 69.0; CoSQA 41.5, 41.4, 40.3. */
const abbreviationShare = 0.6;
/** What a phrase means is nearly certain. With .4 a function that does it is printed for 76 % of 241 short questions, with .6 and .8 for 77. */
const phraseShare = 0.6;

type Alternatives = Map<string, Map<string, number>>;
let close: Alternatives | undefined;
/** Groups of related words, by the first letters of each word. */
let groupsByLetters: Map<string, Set<string>> | undefined;

/**
 * The other words for these terms of a text; nothing that is a term itself. Related words and what phrases mean count in short questions only: 241
 * questions of five terms: with related words a function that does it is first in 37.3 % instead of 35.7, whole in 64.3 instead of 61.8; CoSQA 41.9
 * instead of 41.4; in 226 questions of seventeen terms they would cost half a point of files and lines.
 */
export function alternativesOf(terms: readonly string[], text = ""): Alternative[] {
  close ??= withSynonymsOfForms(
    read([
      [synonyms, synonymShare],
      [abbreviations, abbreviationShare],
      [irregular, formShare],
    ]),
  );
  const brevity = brevityOf(terms.length);
  const ownTerms = new Set(terms);
  const meant = brevity > 0 ? meantBy(text, ownTerms) : new Map<string, string[]>();
  return terms.flatMap((of) => {
    const shares = new Map(close!.get(of));
    const add = (term: string, share: number) => shares.set(term, Math.max(share * brevity, shares.get(term) ?? 0));
    if (brevity > 0) for (const term of relatedTo(of)) add(term, synonymShare);
    for (const term of meant.get(of) ?? []) add(term, phraseShare);
    return [...shares].filter(([term]) => !ownTerms.has(term)).map(([term, share]) => ({ term, of, share }));
  });
}

/** No stem differs from its word in these. */
const firstLetters = 2;

/**
 * The stems of the words that are related to a term. Only groups with a word that begins like it are read: to stem the whole table takes a
 * new process 8 ms, and most of it is about other words.
 */
function relatedTo(term: string): ReadonlySet<string> {
  groupsByLetters ??= readGroups();
  const others = new Set<string>();
  for (const group of groupsByLetters.get(term.slice(0, firstLetters)) ?? []) {
    const stems = group.split(/\s+/).map(stem);
    if (stems.includes(term)) for (const other of stems) if (other !== term) others.add(other);
  }
  return others;
}

function readGroups(): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const group of related.trim().split(/;\s*/)) {
    for (const word of group.split(/\s+/)) {
      const letters = word.slice(0, firstLetters);
      groups.set(letters, (groups.get(letters) ?? new Set()).add(group));
    }
  }
  return groups;
}

/** What the phrases of a text mean, by the first of its terms in each phrase. */
function meantBy(text: string, terms: ReadonlySet<string>): Map<string, string[]> {
  const meant = new Map<string, string[]>();
  for (const { spoken, words } of phrasesIn(text)) {
    const of = analyse(spoken).find((term) => terms.has(term));
    if (of !== undefined) meant.set(of, [...(meant.get(of) ?? []), ...words.map(stem)]);
  }
  return meant;
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

function read(groups: readonly (readonly [groups: string, share: number])[]): Alternatives {
  const alternatives: Alternatives = new Map();
  for (const [text, share] of groups) {
    for (const group of text.trim().split(/;\s*/)) {
      const stems = [...new Set(group.split(/\s+/).map(stem))];
      for (const one of stems) {
        const others = alternatives.get(one) ?? new Map<string, number>();
        alternatives.set(one, others);
        for (const other of stems) if (other !== one) others.set(other, Math.max(share, others.get(other) ?? 0));
      }
    }
  }
  return alternatives;
}

/** Another form of a word has the word's synonyms: a question about what was chosen may be answered by what selects. */
function withSynonymsOfForms(related: Alternatives): Alternatives {
  return new Map(
    [...related].map(([one, others]) => {
      const all = new Map(others);
      for (const [form, share] of others) {
        if (share !== formShare) continue;
        for (const other of related.get(form)!.keys())
          if (other !== one && !all.has(other)) all.set(other, synonymShare);
      }
      return [one, all];
    }),
  );
}
