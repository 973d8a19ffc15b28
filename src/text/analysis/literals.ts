import type { Zone } from "./query-parts.ts";

/**
 * A text of the query that may occur verbatim in a file: a setting, a flag, an environment variable, a quoted string.
 */
export type QueryLiteral = {
  text: string;
  /** In prose it may be two plain words (`copy-on-write`), so only a key or a whole string counts. */
  onlyAsKey: boolean;
};

const mostLiterals = 4;
const shortest = 4;
const longest = 80;
const token = /(?<![\w./\\@-])(?:--?)?([\p{L}_][\p{L}\p{N}_]*(?:[-.][\p{L}\p{N}_]+)*)(?![\w/\\@-])/gu;
const quotedText = /(?<!\w)["']([^"'\n]{2,80})["'](?!\w)/g;

/** The literals of a short query, those in quotes first. Paths are looked up as paths. */
export function literalsOf(zones: readonly Zone[], paths: readonly string[], terms: number): QueryLiteral[] {
  const literals = new Map<string, QueryLiteral>();
  const add = (text: string, onlyAsKey: boolean) => {
    if (text.length < shortest || text.length > longest || paths.includes(text) || literals.has(text)) return;
    literals.set(text, { text, onlyAsKey });
  };
  const spoken = zones.filter(({ kind }) => kind === "title" || kind === "prose");
  for (const { text, kind } of zones) if (kind === "quoted") add(withoutDashes(text), false);
  for (const { text } of spoken) for (const [, quoted] of text.matchAll(quotedText)) add(withoutDashes(quoted!), false);
  for (const { text } of spoken) {
    for (const [, word] of text.matchAll(token))
      if (isCompound(word!) && !isProse(word!, terms)) add(word!, !/_/.test(word!));
    for (const [, number] of text.matchAll(code)) add(number!, true);
  }
  return [...literals.values()].slice(0, mostLiterals);
}

/**
 * The number of an error or a warning, which the source writes without letters: the 2304 of `TS2304`. A standard has a
 * number, too.
 */
const code = /(?<![\p{L}\p{N}_-])(?!RFC|ISO|IEEE|IEC|ES|CP|CVE)[A-Z]{1,5}-?(\d{4,5})(?![\p{L}\p{N}_.-])/gu;

/**
 * Words joined by a mark, and not a key to press or a standard's number: `fill-percent`, `os.name`, `BUILD_TLS`; not
 * `Ctrl-C`, `utf-8`.
 */
function isCompound(word: string): boolean {
  return /[\p{L}\p{N}]{2}[-._]+[\p{L}\p{N}]{2}/u.test(word) && !/^\p{L}+-\p{N}+$/u.test(word);
}

/** With this many terms, a question is about more than its literal. */
const manyTerms = 7;

/** "how are objects created when the class lacks a no-args constructor": two words with a hyphen, among many. */
function isProse(word: string, terms: number): boolean {
  return terms >= manyTerms && /^\p{L}+-\p{L}+$/u.test(word);
}

function withoutDashes(text: string): string {
  return text.trim().replace(/^--?(?=\p{L})/u, "");
}
