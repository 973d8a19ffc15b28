import { stem } from "../../text/analysis/stem.ts";
import { isProduct } from "../grounding/products.ts";
import { type Quantity, quantityOf } from "./quantities.ts";
import * as table from "./word-lists.ts";

/** A word of a statement, as it is compared and as it is shown. */
export type ClauseToken = {
  /** Equal for words with the same meaning. */
  key: string;
  /** Lower case, as inflected in the text. */
  word: string;
  shown: string;
  /** `relation`: connects other words, and has no meaning by itself. */
  kind: "word" | "relation" | "number" | "name" | "path";
  quantity?: Quantity;
};

/** One statement of a text. */
export type Clause = {
  tokens: ClauseToken[];
  keys: ReadonlySet<string>;
  /** The clause denies what its tokens say. */
  negative: boolean;
  /** What it excludes: `spaces` of "tabs, not spaces". */
  rejected: ClauseToken[];
  /** Holds for some cases only: the clause and its denial can both be true. */
  partial: boolean;
  /** Reports an event, not a state. */
  event: boolean;
  /** States a requirement: then "at least" is a value. */
  obliges: boolean;
  /** The first clause of its text: no earlier sentence names its subject. */
  first: boolean;
};

const mostClauses = 12;
export const mostWords = 40;
/** A longer word is data; only its beginning is compared. */
const longestWord = 120;
/** A longer text is a document; what it states in passing is not compared. */
const longestText = 4000;

export function clausesOf(text: string): Clause[] {
  if (text.length > longestText) return [];
  return sentencesOf(text)
    .slice(0, mostClauses)
    .flatMap((sentence, index) => clauseOf(sentence, index === 0) ?? []);
}

/** After these words something is wanted, supposed or temporary, and not stated as fact. */
const tentative =
  /^\W*(goal|hypothesis|prediction|idea|plan|todo|fixme|example|e\.g\.|question|status|outcome|result|attempt)s?\b\s*:/i;

/** The text without reasons, remarks in parentheses and questions, which are not statements. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/\([^()]*\)/g, " ")
    .replace(/^[^\w\n]*(decision|decided|note|fact|preference|remember|important|rule)\s*:/gim, "")
    .split(/\n+|;\s|(?<=[^\s.][.!?])\s+/)
    .map((sentence) => sentence.replace(/,?\s+(because|since (?:it|they|we|that)|so that|due to|which)\s.*$/i, ""))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !/\?\s*$/.test(sentence) && !tentative.test(sentence));
}

function clauseOf(sentence: string, first: boolean): Clause | undefined {
  const words = wordsOf(sentence);
  if (words.length > mostWords) return undefined;
  const contrast = contrastIn(words);
  const stated = parseClause(words.slice(0, contrast?.at));
  if (!stated) return undefined;
  const rejected = contrast ? (parseClause(words.slice(contrast.after))?.tokens ?? []) : [];
  return { ...stated, rejected, first };
}

type Word = { word: string; shown: string; quoted: boolean };

/** Single words with contractions expanded; `,` `=` and `:` are words of their own. */
function wordsOf(sentence: string): Word[] {
  const withoutBullet = sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "");
  const words: Word[] = [];
  for (const run of expandContractions(withoutBullet).split(/\s+/)) {
    const chunk = run.slice(0, longestWord);
    for (const part of /^[\w.-]+=[^=]/.test(chunk) ? chunk.split(/(=)/) : [chunk]) addWord(part, words);
  }
  return words;
}

/** Expands contractions and phrases that stand for one word; text in back-ticks stays together. */
function expandContractions(sentence: string): string {
  if (!/['’`]|\bto\b|cannot|turned|switched/i.test(sentence)) return sentence;
  return sentence
    .replace(/\b(do|does|did|is|are|was|were|has|have|had|must|should|would|could|need)n['’]t\b/gi, "$1 not")
    .replace(/\bcan(?:['’]t|not)\b/gi, "can not")
    .replace(/\bwon['’]t\b/gi, "will not")
    .replace(/\b(?:has|have|needs?|ought) to\b/gi, "must")
    .replace(/\b(?:decided|agreed|chose) to\b/gi, "")
    .replace(/\b(?:turned|switched) (on|off)\b/gi, "$1")
    .replace(/`([^`]{1,80})`/g, (_, inner: string) => `\u0001${inner.replace(/\s+/g, "\u0002")}\u0001`);
}

function addWord(run: string, words: Word[]): void {
  if (/^(=|:=|=>|->|:)$/.test(run)) {
    words.push({ word: ":", shown: run, quoted: false });
    return;
  }
  const quoted = run.includes("\u0001");
  const trimmed = run.replace(/^["'“‘([{*_<]+/, "").replace(/["'”’)\]}*_>.!]+(?=[,:]?$)/, "");
  const [, body = "", mark = ""] = /^(.*?)([,:]?)$/.exec(trimmed) ?? [];
  const shown = body
    .replace(/\u0001/g, "")
    .replace(/\u0002/g, " ")
    .replace(/['’]s?$/, "")
    .replace(/[.!]+$/, "");
  if (shown !== "") words.push({ word: shown.toLowerCase(), shown, quoted });
  if (mark !== "") words.push({ word: mark, shown: mark, quoted: false });
}

/** Where "…, not spaces", "instead of spaces" or "over inheritance" begins, and where the rejected part begins. */
function contrastIn(words: Word[]): { at: number; after: number } | undefined {
  const prefers = words.slice(0, 4).some(({ word }) => word.startsWith("prefer"));
  for (let i = 1; i + 1 < words.length; i++) {
    const pair = `${words[i]!.word} ${words[i + 1]!.word}`;
    const isPair = /^(, not|instead of|rather than|and not)$/.test(pair);
    const after = isPair ? i + 2 : i + 1;
    const left = words.length - after;
    if ((isPair || (prefers && words[i]!.word === "over")) && left > 0 && left <= 4) {
      return { at: words[i - 1]?.word === "," ? i - 1 : i, after };
    }
  }
  return undefined;
}

function parseClause(words: Word[]): Omit<Clause, "rejected" | "first"> | undefined {
  const tokens: ClauseToken[] = [];
  for (let at = 0; at < words.length; ) {
    const read = readWord(words, at);
    if (!read) return undefined;
    // "Is set to be" counts as a single copula.
    const isSaid = (each: ClauseToken) => isBe(each) && tokens.at(-1)?.key === "be";
    tokens.push(...read.tokens.filter((each) => !isSaid(each)));
    at += read.used;
  }
  if (tokens.length === 0) return undefined;
  const negations = words.filter(({ word, quoted }) => !quoted && table.negators.has(word)).length;
  return {
    tokens,
    keys: new Set(tokens.map(({ key }) => key)),
    negative: negations % 2 === 1,
    partial: words.some(({ word }) => table.quantifiers.has(word)),
    event: isEvent(words),
    obliges: words.some(({ word }) => /^(must|should|shall|needs?|requires?|required|minimum|maximum)$/.test(word)),
  };
}

function isBe({ key, kind }: ClauseToken): boolean {
  return key === "be" && kind === "relation";
}

/** The tokens of the word at `at`, and how many words they cover; undefined for a pronoun whose noun is elsewhere. */
function readWord(words: Word[], at: number): { tokens: ClauseToken[]; used: number } | undefined {
  const { word, shown, quoted } = words[at]!;
  const before = words[at - 1]?.word ?? "";
  const next = words[at + 1]?.word ?? "";
  if (!quoted && table.negators.has(word)) {
    const kept: ClauseToken = { key: "with", word: "with", shown: "with", kind: "relation" };
    return { tokens: word === "without" ? [kept] : [], used: 1 };
  }
  const isSwitch = (word === "on" || word === "off") && table.copulas.has(before) && at === words.length - 1;
  if (isSwitch) return { tokens: [{ key: word, word, shown, kind: "word" }], used: 1 };
  if (!quoted && table.pronouns.has(word)) {
    // "This project" is definite; "this" alone may be anything.
    const isDefinite = (word === "this" || word === "that") && table.ownNouns.has(next);
    return isDefinite ? { tokens: [], used: 2 } : undefined;
  }
  if (!quoted && table.copulas.has(word)) {
    // "is called", "is set to".
    const afterNaming = words[at + 2]?.word;
    const naming = table.namings.has(next) ? (afterNaming === "to" || afterNaming === "as" ? 2 : 1) : 0;
    return { tokens: [{ key: "be", word, shown, kind: "relation" }], used: 1 + naming };
  }
  if (!quoted && (word === "," || table.fillers.has(word))) return { tokens: [], used: 1 };
  const quantity = quantityOf(word, next);
  const hasUnit = quantity !== undefined && quantityOf(word)?.dimension !== quantity.dimension;
  const token = tokenOf(words[at]!, at === 0, hasUnit ? words[at + 1]!.shown : undefined, quantity);
  return { tokens: [token], used: hasUnit ? 2 : 1 };
}

function tokenOf({ word, shown, quoted }: Word, first: boolean, unit?: string, quantity?: Quantity): ClauseToken {
  if (quantity && !quoted) {
    const key = quantity.digits !== "" ? quantity.digits : `${quantity.value} ${quantity.dimension}`;
    return { key, word, shown: unit === undefined ? shown : `${shown} ${unit}`, kind: "number", quantity };
  }
  const common = table.synonyms.get(word) ?? word.replace(/(?<=\w)\.?js$/, "");
  if (!quoted && table.relations.has(word)) return { key: word, word, shown, kind: "relation" };
  const key = /^[a-z]+$/.test(common) ? stem(common) : common;
  const isPath = /^[^\s/\\]*[/\\][^\s]*$/.test(shown) || /^\.\w/.test(shown);
  if (isPath && /[a-z]{2}/i.test(shown)) return { key: common, word, shown, kind: "path" };
  const capital = /^\p{Lu}/u.test(shown) && !first;
  const isName = quoted || capital || isProduct(word) || /\p{Ll}\p{Lu}|^\p{Lu}{2}|[_\d]|\p{L}-\p{L}.*-/u.test(shown);
  return { key, word, shown, kind: isName ? "name" : "word" };
}

/** True with a date, a time word, or a verb in the past tense: "deployed v1.2", "the incident lasted an hour". */
function isEvent(words: Word[]): boolean {
  for (const [i, { word, shown, quoted }] of words.entries()) {
    if (quoted) continue;
    if (table.moments.has(word) || /^\d{4}-\d\d-\d\d/.test(word) || /^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(word))
      return true;
    if (table.months.test(word) && /^\p{Lu}/u.test(shown)) return true;
    if (table.pastForms.has(word) && !isPassive(words, i)) return true;
    if (/.[^e]ed$/.test(word) && word !== "embed" && !isProduct(word) && !isPassive(words, i) && isVerbPlace(words, i))
      return true;
  }
  return false;
}

function isPassive(words: Word[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at).map(({ word }) => word);
  return before.some((word) => table.copulas.has(word) || /^(be|been|get|gets|being)$/.test(word));
}

/**
 * "Fixed 3 bugs", "we merged nine": the verb comes first, or is followed by something that is not a noun. "Retry failed
 * uploads" is not past tense.
 */
function isVerbPlace(words: Word[], at: number): boolean {
  if (at === 0) return true;
  const next = words[at + 1]?.word;
  if (next === undefined) return true;
  return table.relations.has(next) || /^(the|a|an|our|my|it|them)$/.test(next) || quantityOf(next) !== undefined;
}
