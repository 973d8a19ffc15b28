/**
 * The Snowball English stemmer ("Porter 2"): https://snowballstem.org/algorithms/english/stemmer.html.
 * Measured over a light stemmer: +0.9 points on text search (see docs/ranking).
 * Words with digits, underscores or non-Latin letters are left as they are.
 */
const vowel = /[aeiouy]/;
const doubles = /(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const liEnding = /[cdeghkmnrt]li$/;
const cache = new Map<string, string>();

const whole: Record<string, string> = {
  skis: "ski",
  skies: "sky",
  dying: "die",
  lying: "lie",
  tying: "tie",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
  sky: "sky",
  news: "news",
  howe: "howe",
  atlas: "atlas",
  cosmos: "cosmos",
  bias: "bias",
  andes: "andes",
};
const exceptions = new Set(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]);

const endings2: Endings = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];
const endings3: Endings = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const endings4: Endings = [
  ["ement", ""],
  ["ance", ""],
  ["ence", ""],
  ["able", ""],
  ["ible", ""],
  ["ment", ""],
  ["ant", ""],
  ["ent", ""],
  ["ism", ""],
  ["ate", ""],
  ["iti", ""],
  ["ous", ""],
  ["ive", ""],
  ["ize", ""],
  ["ion", ""],
  ["al", ""],
  ["er", ""],
  ["ic", ""],
];

/** What the stemmer knows, for another implementation of it. */
export const stemmerTables = {
  step2: endings2,
  step3: endings3,
  step4: endings4,
  irregular: whole,
  kept: exceptions,
};

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** Few endings of a step share a word's last letter; their order stays. */
function byLastLetter(endings: Endings): Record<string, Endings | undefined> {
  const groups: Record<string, (readonly [string, string])[]> = {};
  for (const each of endings) (groups[each[0].at(-1)!] ??= []).push(each);
  return groups;
}

const step2 = byLastLetter(endings2);
const step3 = byLastLetter(endings3);
const step4 = byLastLetter(endings4);

/** The stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z']+$/.test(word)) return word;
  let result = cache.get(word);
  if (result === undefined) {
    result = compute(word);
    // Source code has an endless supply of new words, so the cache is bounded: when full it is emptied, which is
    // cheap to refill.
    if (cache.size > 50_000) cache.clear();
    cache.set(word, result);
  }
  return result;
}

function compute(input: string): string {
  if (Object.hasOwn(whole, input)) return whole[input]!;
  const marked = withConsonantY(input.replace(/^'/, ""));
  const r1 = regionOne(marked);
  const r2 = region(marked, r1);
  const singular = withoutPlural(withoutPossessive(marked));
  if (exceptions.has(singular)) return singular;
  let word = withFinalI(withoutPast(singular, r1));
  word = withShorterSuffix(word, r1);
  word = withoutAdjective(word, r1, r2);
  word = withoutSuffix(word, r2);
  return withoutFinal(word, r1, r2).toLowerCase();
}

/** A y that is a consonant is written as Y. */
function withConsonantY(word: string): string {
  return word.includes("y") ? word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y") : word;
}

function withoutPossessive(word: string): string {
  return word.includes("'") ? word.replace(/'s'$|'s$|'$/, "") : word;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/(ied|ies)$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  const isPlural = word.endsWith("s") && !/(us|ss)$/.test(word) && vowel.test(word.slice(0, -2));
  return isPlural ? word.slice(0, -1) : word;
}

/** Without "ed" and "ing". */
function withoutPast(word: string, r1: number): string {
  const double = /(eedly|eed)$/.exec(word)?.[0];
  if (double) {
    const at = word.length - double.length;
    return at >= r1 ? word.slice(0, at) + "ee" : word;
  }
  const ending = /(ingly|edly|ing|ed)$/.exec(word)?.[0];
  if (!ending || !vowel.test(word.slice(0, -ending.length))) return word;
  const rest = word.slice(0, -ending.length);
  if (/(at|bl|iz)$/.test(rest)) return rest + "e";
  if (doubles.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && endsShort(rest) ? rest + "e" : rest;
}

function withFinalI(word: string): string {
  return /[^aeiouy][yY]$/.test(word) && word.length > 2 ? word.slice(0, -1) + "i" : word;
}

/** "ization" becomes "ize". */
function withShorterSuffix(word: string, r1: number): string {
  const found = step2[word.at(-1)!]?.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const [ending, replacement] = found;
  const at = word.length - ending.length;
  if (at < r1) return word;
  if (ending === "ogi") return word.at(-4) === "l" ? word.slice(0, -1) : word;
  if (ending === "li") return liEnding.test(word) ? word.slice(0, at) : word;
  return word.slice(0, at) + replacement;
}

/** Without "ness", "ful", "ative". */
function withoutAdjective(word: string, r1: number, r2: number): string {
  const found = step3[word.at(-1)!]?.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const [ending, replacement] = found;
  const at = word.length - ending.length;
  return at >= r1 && (ending !== "ative" || at >= r2) ? word.slice(0, at) + replacement : word;
}

/** Without "ment", "able", "ion". */
function withoutSuffix(word: string, r2: number): string {
  const found = step4[word.at(-1)!]?.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const at = word.length - found[0].length;
  return at >= r2 && (found[0] !== "ion" || /[st]$/.test(word.slice(0, at))) ? word.slice(0, at) : word;
}

/** Without a final e, and with one l instead of two. */
function withoutFinal(word: string, r1: number, r2: number): string {
  const at = word.length - 1;
  const drops = word.endsWith("e")
    ? at >= r2 || (at >= r1 && !endsShort(word.slice(0, at)))
    : word.endsWith("ll") && at >= r2;
  return drops ? word.slice(0, at) : word;
}

/** Where the part after the first consonant that follows a vowel begins. */
function region(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (!isVowel(word.charCodeAt(i)) && isVowel(word.charCodeAt(i - 1))) return i + 1;
  }
  return word.length;
}

function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121;
}

function regionOne(word: string): number {
  const prefix = /^(gener|commun|arsen)/.exec(word)?.[0];
  return prefix ? prefix.length : region(word, 0);
}

function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);
}
