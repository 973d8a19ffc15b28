import { sentencesOf } from "../../text/analysis/sentences.ts";
import { stemsOf } from "./phrases.ts";

/** A sentence with fewer words than this, without its link, asks nothing: "See [[Plan]]". */
const fewestTerms = 4;
const longestSentence = 600;
/** A shorter name also occurs in sentences that do not mean the note. */
const shortestName = 3;

/**
 * The first sentence of a text in which a note is mentioned by one of its names, without the mention; none where too
 * little is left.
 */
export function sentenceAround(text: string, names: readonly string[]): string | undefined {
  const mentions = names.map((name) => name.trim().toLowerCase()).filter((name) => name.length >= shortestName);
  if (mentions.length === 0) return undefined;
  for (const sentence of sentencesOf(text)) {
    if (sentence.length > longestSentence || /^\s*(?:[-*]\s*)?[\w-]+::/.test(sentence)) continue;
    const rest = withoutMentions(sentence, mentions);
    if (rest === undefined) continue;
    const query = plain(rest);
    if (stemsOf(query).size >= fewestTerms) return query;
  }
  return undefined;
}

/** Undefined where it is not mentioned at all. */
function withoutMentions(sentence: string, names: readonly string[]): string | undefined {
  // A link whose target or text is the note goes as a whole: both say its name.
  let rest = sentence.replace(/\[\[([^\]\n]{1,300})\]\]|\[([^\]\n]{1,300})\]\(([^)\n]{0,600})\)/g, (link) =>
    names.some((name) => link.toLowerCase().includes(name)) ? "" : link,
  );
  const isLinked = rest !== sentence;
  let lower = rest.toLowerCase();
  let isNamed = isLinked;
  for (const name of names) {
    for (let at = wordAt(lower, name); at >= 0; at = wordAt(lower, name)) {
      rest = `${rest.slice(0, at)} ${rest.slice(at + name.length)}`;
      lower = rest.toLowerCase();
      isNamed = true;
    }
  }
  return isNamed ? rest : undefined;
}

/** The position at which a name occurs as whole words. */
function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + name.length] ?? " ";
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return at;
  }
  return -1;
}

/** The text without the marks of other links, lists and headings. */
function plain(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|\n]*\|)?([^\]\n]*)\]\]/g, "$1")
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(/^[\s\-*#>+]+/, "")
    .replace(/\[\s*\]|\(\s*\)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
