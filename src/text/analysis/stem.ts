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
  let word = input;
  if (word.includes("'")) word = word.replace(/^'/, "");
  if (word.includes("y")) word = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = regionOne(word);
  const r2 = region(word, r1);

  if (word.includes("'")) word = word.replace(/'s'$|'s$|'$/, "");

  if (word.endsWith("sses")) word = word.slice(0, -2);
  else if (/(ied|ies)$/.test(word)) word = word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  else if (word.endsWith("s") && !/(us|ss)$/.test(word) && vowel.test(word.slice(0, -2))) word = word.slice(0, -1);

  if (exceptions.has(word)) return word;

  if (/(eedly|eed)$/.test(word)) {
    const ending = word.endsWith("eedly") ? 5 : 3;
    if (word.length - ending >= r1) word = word.slice(0, -ending) + "ee";
  } else {
    const ending = /(ingly|edly|ing|ed)$/.exec(word)?.[0];
    if (ending && vowel.test(word.slice(0, -ending.length))) {
      word = word.slice(0, -ending.length);
      if (/(at|bl|iz)$/.test(word)) word += "e";
      else if (doubles.test(word)) word = word.slice(0, -1);
      else if (r1 >= word.length && endsShort(word)) word += "e";
    }
  }

  if (/[^aeiouy][yY]$/.test(word) && word.length > 2) word = word.slice(0, -1) + "i";

  for (const [ending, replacement] of step2[word.at(-1)!] ?? []) {
    if (!word.endsWith(ending)) continue;
    if (word.length - ending.length >= r1) {
      if (ending === "ogi") {
        if (word.at(-4) === "l") word = word.slice(0, -1);
      } else if (ending === "li") {
        if (liEnding.test(word)) word = word.slice(0, -2);
      } else word = word.slice(0, -ending.length) + replacement;
    }
    break;
  }

  for (const [ending, replacement] of step3[word.at(-1)!] ?? []) {
    if (!word.endsWith(ending)) continue;
    const at = word.length - ending.length;
    if (at >= r1 && (ending !== "ative" || at >= r2)) word = word.slice(0, at) + replacement;
    break;
  }

  for (const [ending] of step4[word.at(-1)!] ?? []) {
    if (!word.endsWith(ending)) continue;
    const at = word.length - ending.length;
    if (at >= r2 && (ending !== "ion" || /[st]$/.test(word.slice(0, at)))) word = word.slice(0, at);
    break;
  }

  if (word.endsWith("e")) {
    const at = word.length - 1;
    if (at >= r2 || (at >= r1 && !endsShort(word.slice(0, -1)))) word = word.slice(0, -1);
  } else if (word.endsWith("ll") && word.length - 1 >= r2) word = word.slice(0, -1);

  return word.toLowerCase();
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
