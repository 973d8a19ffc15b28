import type { StoredNote } from "../../stores/graph.ts";
import type { TermStatistics } from "../../stores/store.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Query } from "../../text/analysis/query.ts";
import { isEmpty, isEntity, plainName } from "./note-twins.ts";

/**
 * How well a note matches a question by its name instead of its text: a question names a thing by its title or a part
 * of it, by its tag ("project Apollo", "open tasks"), and by the requested field ("who wrote it?").
 */
export type NoteMatch = {
  /** 0..1: confidence that this note is meant. */
  match: number;
  /** Share of the question in its name. */
  named: number;
};

/** Weight of a question word that matches outside the name. */
const shares = { tag: 0.95, field: 0.9, value: 0.6, owner: 0.6 };
/**
 * Lower bound of the factor for names with many other words; and the factor of a line, which is usually a quotation and
 * not the note that is meant.
 */
const leastPrecision = 0.75;
const ofLine = 0.59;
const ofEmpty = 0.8;
/** A name with more words is a sentence. */
const mostNameTerms = 16;
/** Factor for a note whose name does not match: it is meant only if everything else matches. */
const ofNameless = 0.85;

/** Question words, and words in the names of the fields that answer them. */
const answers: readonly [asked: string, fields: string][] = [
  ["write writer written wrote author", "author writer creator by"],
  ["make made creator invent founder", "author creator maker inventor founder by"],
  ["own owner responsible lead", "owner lead assignee responsible"],
  ["assign assigned", "assignee owner"],
  ["attend attendee join", "attendees participants people"],
  ["born birth birthday", "birth born birthday"],
  ["die died dead death", "death died"],
  ["many number count amount", "count number amount total quantity qty"],
  ["long length size", "count length size duration words"],
  ["cost price expensive", "price cost"],
  ["due deadline", "due deadline date"],
  ["introduced came added since", "version since date"],
  ["link address website", "url link source website"],
  ["done finished state", "status state done"],
  ["about", "description summary subject subjects"],
];

const fieldWords = new Map<string, Set<string>>();
for (const [questionWords, fields] of answers) {
  for (const word of analyse(questionWords)) {
    const related = fieldWords.get(word) ?? new Set();
    for (const field of analyse(fields)) related.add(field);
    fieldWords.set(word, related);
  }
}

type NoteTerms = { name: Set<string>; tags: Set<string>; fields: Set<string>; values: Set<string> };

/** Cache by note objects, which the store shares. */
const cache = new WeakMap<StoredNote, NoteTerms>();

function termsOf(note: StoredNote): NoteTerms {
  let terms = cache.get(note);
  if (!terms) {
    terms = {
      name: new Set(analyse(plainName(note.name))),
      tags: new Set([...note.tags, ...(note.inherited ?? [])].flatMap((tag) => analyse(tag))),
      fields: new Set(note.fields.flatMap(({ name }) => analyse(name))),
      values: new Set(
        note.fields.flatMap(({ values }) => values.slice(0, 20).flatMap(({ text }) => analyse(text.slice(0, 200)))),
      ),
    };
    cache.set(note, terms);
  }
  return terms;
}

/** "eval" for "evaluation", "config" for "configuration". */
const ofPrefix = 0.8;
const shortestPrefix = 4;

function isPrefix(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= shortestPrefix && (a.startsWith(b) || b.startsWith(a));
}

/** Smoothing: number of notes added to the real count, since among ten notes every word looks common. */
const imagined = 20;

function rarity(having: number, count: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}

/** Scores notes by the statistics of titles; `owners`: the ancestors of a note. */
export function noteMatcher(
  query: Query,
  { frequencies, count }: TermStatistics,
): (note: StoredNote, owners: readonly StoredNote[]) => NoteMatch {
  const others = new Map<string, { term: string; share: number }[]>();
  for (const { of, term, share } of query.also) {
    if (of !== undefined) others.set(of, [...(others.get(of) ?? []), { term, share }]);
  }
  const words = query.terms.map(({ term }) => ({
    term,
    others: others.get(term) ?? [],
    fields: fieldWords.get(term) ?? new Set<string>(),
    // A word that is in no note cannot distinguish notes, so it counts as a common word.
    worth: rarity(frequencies.get(term) ?? count / 20, count + imagined),
  }));
  const total = words.reduce((sum, { worth }) => sum + worth, 0);
  const matchIn = (terms: ReadonlySet<string>, { term, others }: (typeof words)[number]) => {
    if (terms.has(term)) return 1;
    let best = 0;
    for (const other of others) if (terms.has(other.term)) best = Math.max(best, other.share);
    for (const each of terms) if (best < ofPrefix && isPrefix(term, each)) best = ofPrefix;
    return best;
  };
  return (note, owners) => {
    const own = termsOf(note);
    if (total === 0 || own.name.size > mostNameTerms) return { match: 0, named: 0 };
    const byOwner = (word: (typeof words)[number]) =>
      owners.reduce((best, owner) => Math.max(best, matchIn(termsOf(owner).name, word)), 0);
    let covered = 0;
    let named = 0;
    let tagged = 0;
    let inName = 0;
    for (const word of words) {
      const byName = matchIn(own.name, word);
      if (byName === 1) {
        covered += word.worth;
        named += word.worth;
        inName++;
        continue;
      }
      const byField = matchIn(own.fields, word) || Number([...word.fields].some((field) => own.fields.has(field)));
      const byTag = matchIn(own.tags, word);
      const share = Math.max(
        byName,
        shares.tag * byTag,
        shares.field * byField,
        shares.value * matchIn(own.values, word),
        shares.owner * byOwner(word),
      );
      covered += word.worth * share;
      named += word.worth * byName;
      if (byName > 0) inName++;
      if (byTag > 0) tagged++;
    }
    // Names of fields are the same in all notes of a kind, so they help to answer but do not identify a note.
    if (named === 0 && tagged === 0) return { match: 0, named: 0 };
    const coverage = covered / total;
    const precision = own.name.size === 0 ? 0 : Math.min(1, inName / own.name.size);
    const kind = isEntity(note) ? (isEmpty(note) && note.tags.length === 0 ? ofEmpty : 1) : ofLine;
    const bySound = named === 0 ? ofNameless : leastPrecision + (1 - leastPrecision) * precision;
    return { match: coverage * bySound * kind, named: named / total };
  };
}
