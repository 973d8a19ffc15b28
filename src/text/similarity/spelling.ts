import { tokenCounter } from "../tokens/tokens.ts";
import { contrast, isConnecting, isDecisive, lightClass, notPlural } from "./words.ts";

/** How one word is like another. */
export type WordLikeness = {
  /**
   * `typo`: a misspelt known word. `doubt`: either a typo or an unknown word. `clash`: one letter away from another
   * known word or name. Doubts and clashes count as typos only if the text has other typos.
   */
  kind: "same" | "form" | "typo" | "doubt" | "clash";
  /** Characters to change; 0 for another form of the same word. */
  edits: number;
};

/** A longer word is data that nobody typed by hand. */
const longestWord = 40;

const otherForm: WordLikeness = { kind: "form", edits: 0 };

/**
 * Whether two different lower-case words are forms of one word or one of them is mistyped; undefined when they are two
 * separate words.
 */
export function likeness(a: string, b: string): WordLikeness | undefined {
  if (Math.max(a.length, b.length) > longestWord) return undefined;
  const most = mostEdits(a, b);
  // Forms of a word begin alike; this decides most pairs.
  const alike = a[0] === b[0] && a[1] === b[1];
  if (!alike && (Math.abs(a.length - b.length) > most || !lettersWithin(a, b, most))) return undefined;
  if (!plain(a) || !plain(b)) return undefined;
  const left = baseForms(a);
  const right = baseForms(b);
  if (alike && (left.some((form) => right.includes(form)) || britishToAmerican(a) === britishToAmerican(b)))
    return otherForm;
  const edits = editDistance(a, b, most);
  return edits > most || contrast(left, right) || opposed(a, b) ? undefined : typoOf(a, b, edits);
}

function mostEdits(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 2));
}

/** An edit changes at most two of the letters that a word has. */
function lettersWithin(a: string, b: string, edits: number): boolean {
  let bits = letterSet(a) ^ letterSet(b);
  let different = 0;
  for (; bits !== 0; bits &= bits - 1) different++;
  return different <= 2 * edits;
}

function letterSet(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** A mistyped word is not a known word: if both words are known, one letter makes another word (`stage`, `state`). */
function typoOf(a: string, b: string, edits: number): WordLikeness | undefined {
  const shorter = Math.min(a.length, b.length);
  const longer = Math.max(a.length, b.length);
  const light = lightClass(a) >= 0 || lightClass(b) >= 0;
  if (shorter < (light ? 2 : 3) || (longer < 4 && !light)) return undefined;
  const knownCount = Number(isKnown(a)) + Number(isKnown(b));
  if (knownCount === 2)
    return edits <= longer / 2.5 && !isDecisive(a) && !isDecisive(b) ? { kind: "clash", edits } : undefined;
  if (knownCount === 0)
    return shorter >= 5 && a[0] === b[0] && edits <= shorter / 5 ? { kind: "doubt", edits } : undefined;
  const replaced = a.length === b.length && !isSwap(a, b);
  const longEnough = shorter >= (replaced ? 5 : 4) || (shorter >= 3 && (isConnecting(a) || isConnecting(b)));
  const sure = longEnough && edits <= Math.max(1, shorter / 3.5);
  return { kind: sure ? "typo" : "doubt", edits };
}

/** Whether the words differ in the order of two neighbouring letters. */
function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/**
 * `encode`, `decode`; `lock`, `unlock`: true if the parts before the common end are prefixes with a meaning, or empty.
 */
function opposed(a: string, b: string): boolean {
  let common = 0;
  while (common < a.length && common < b.length && a[a.length - 1 - common] === b[b.length - 1 - common]) common++;
  for (let end = common; end >= Math.max(3, common - 1); end--)
    if (prefixes.has(a.slice(0, a.length - end)) && prefixes.has(b.slice(0, b.length - end))) return true;
  return false;
}

const prefixes = new Set(
  (
    " un in im ir il non dis de re mis pre post sub super over under out up down auto anti multi co inter intra en ex em " +
    "mega giga kilo tera micro milli nano"
  ).split(" "),
);

/**
 * Whether a word is one token of a model's vocabulary, as common words and hardly any mistyped ones are (4 % at 5
 * letters).
 */
function isKnown(word: string): boolean {
  const { count } = tokenCounter("cl100k_base");
  const one = (form: string) => count(` ${form}`) === 1 || count(` ${form[0]!.toUpperCase()}${form.slice(1)}`) === 1;
  return one(word) || (word.length > 5 && word.endsWith("s") && one(word.slice(0, -1)));
}

function plain(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return word.length > 0;
}

const vowels = "aeiou";

/**
 * The word and what it may be a regular form of: `tries` of `try`, `using` of `use`, `stopped` of `stop`. All forms of
 * a word begin with the same three letters, except a third e, i or y; `initials` depends on this.
 */
export function baseForms(word: string): string[] {
  const forms = [word];
  const add = (form: string) => {
    if (form.length >= 3 && [...form].some((letter) => vowels.includes(letter) || letter === "y")) forms.push(form);
  };
  if (word.endsWith("s") && !word.endsWith("ss") && !notPlural.has(word)) {
    if (word.endsWith("ies")) add(`${word.slice(0, -3)}y`);
    if (/(s|x|z|ch|sh|o)es$/.test(word)) add(word.slice(0, -2));
    if (!/(us|is)$/.test(word)) add(word.slice(0, -1));
  }
  const ending = word.endsWith("ing") ? "ing" : word.endsWith("ed") && !word.endsWith("eed") ? "ed" : "";
  if (ending === "") return forms;
  const rest = word.slice(0, -ending.length);
  const [before, last] = [rest.at(-2) ?? "", rest.at(-1) ?? ""];
  if (ending === "ed" && last === "i") add(`${rest.slice(0, -1)}y`);
  if (before === last && !"lsz".includes(last)) add(rest.slice(0, -1));
  // `planed` is not a form of `plan`, which doubles its last letter; `visited` is a form of `visit`, which does not.
  if (!(isShortSyllable(rest) && !"wxy".includes(last))) add(rest);
  if (!vowels.includes(last) || "ue".includes(last)) add(`${rest}e`);
  return forms;
}

/** True for a word with exactly one vowel, between consonants: it doubles its last letter. */
function isShortSyllable(word: string): boolean {
  return /^[^aeiou]*[aeiouy][^aeiou]$/.test(word);
}

/** The American spelling of a British one; the first three letters are unchanged. */
function britishToAmerican(word: string): string {
  if (word.length < 6) return word;
  return word
    .replace(/(?<=.{3})our(?=$|s$|ed$|ing$|ite|al)/, "or")
    .replace(/(?<=.{3})is(?=e$|es$|ed$|ing$|er$|ers$|ation)/, "iz")
    .replace(/(?<=.{3})ys(?=e$|es$|ed$|ing$|er$)/, "yz")
    .replace(/(?<=.{3})tre(?=$|s$)/, "ter")
    .replace(/(?<=.{3})ogue(?=$|s$)/, "og")
    .replace(/(?<=.{3})ll(?=(ed|ing|er)$)(?<=ell)/, "l");
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two words; some number above `most` when there
 * are more.
 */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, above] = [above, row];
  }
  return above[b.length]!;
}
