import { stem } from "../stem.ts";
import { everyday } from "./everyday.ts";
import { infrastructure } from "./infrastructure.ts";

/**
 * What people say in several words and code in one: "at the same time" is concurrent. A line of a table is an entry: the ways to say it, then the
 * words that names and bodies have for it. Only what means the same nearly always when it is said about software.
 *
 * Written from general knowledge, without looking at any set of questions. A function that does it is the first item for 36.9 % of 241 short questions
 * without tables, 40.7 with the first and 41.5 with both; for 80 others 25.0 with the first and 32.5 with both. Three further tables of as many
 * entries each (build tools, applications, plain verbs) were written likewise and changed nothing.
 */
const tables = [everyday, infrastructure];

/** A phrase as the question has it, and what code calls it. */
type Phrase = { spoken: string; words: string[] };

/**
 * The phrases in a text. Words are compared by their stems and articles are passed over, so that "turned the page" is
 * "turns pages". The tables are searched as text: reading them into a map would take longer than the rest of a short
 * question's analysis.
 */
export function phrasesIn(text: string): Phrase[] {
  const spoken = withoutArticles(
    text
      .slice(0, longestRead)
      .toLowerCase()
      .split(/[^a-z0-9']+/)
      .filter((word) => word !== ""),
  );
  if (spoken.length < 2) return [];
  const stems = spoken.map(stem);
  const likely = likelyWays(spoken);
  const found = new Map<string, Phrase>();
  for (const table of tables) {
    for (const { 0: way, index } of table.matchAll(likely)) {
      const meant = withoutArticles(way.split(" ")).map(stem);
      const start = stems.findIndex((_, at) => meant.every((stem, next) => stems[at + next] === stem));
      if (start === -1) continue;
      const run = spoken.slice(start, start + meant.length).join(" ");
      found.set(run, { spoken: run, words: wordsAfter(table, index) });
    }
  }
  return [...found.values()];
}

/** The ways whose first two words begin as words of the question do: other forms of a word begin alike. */
function likelyWays(spoken: readonly string[]): RegExp {
  const starts = [...new Set(spoken.map((word) => word.slice(0, startLetters)))].join("|");
  const word = `(?:(?:${articles.join("|")}) )*(?:${starts})[^ |=]*`;
  return new RegExp(`(?<=^|\\| )${word} ${word}[^|=]*(?= [|=])`, "gm");
}

/** What code calls the entry that has something at `index`. */
function wordsAfter(table: string, index: number): string[] {
  const from = table.indexOf(" = ", index) + " = ".length;
  return table.slice(from, table.indexOf("\n", from)).split(" ");
}

function withoutArticles(words: readonly string[]): string[] {
  return words.filter((word) => !articles.includes(word));
}

/** Words that a phrase may have or not. */
const articles = "a an the its their his her your our my this that these those".split(" ");
const startLetters = 3;
/** Characters that are read: longer texts are no questions. */
const longestRead = 2000;
