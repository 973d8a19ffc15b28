import { oneLine } from "../text/one-line.ts";
/** A source of a reply, as an application lists it below. */
export type UsedCitation = {
  /** With its brackets: `[chk-1k3f]`. */
  id: string;
  source: string;
  excerpt?: string;
  usedInResponse: boolean;
};

const longestExcerpt = 50;

/** What an application appends to a reply: the sources that it cites, one in a line. Empty when it cites none. */
export function formatCitationsForResponse(citations: readonly UsedCitation[]): string {
  const used = citations.filter(({ usedInResponse }) => usedInResponse);
  if (used.length === 0) return "";
  const lines = used.map(({ id, source, excerpt }) => {
    const beginning = cut(oneLine(excerpt ?? ""));
    return `${id}: ${oneLine(source)}${beginning === "" ? "" : ` - ${beginning}...`}`;
  });
  return `\n\n---\nSources:\n${lines.join("\n")}`;
}

function cut(text: string): string {
  return text
    .slice(0, longestExcerpt)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
}

/** A citation in a reply. `id` may be a prefix of an item's id. */
export type FoundCitation = { id: string; start: number; end: number };

/** Prefixes of ids, one for each source. */
const sources = "cod|fil|mem|exp|val|com|not|msg|thr|chk|doc|ref";
const id = `(?:${sources})-[0-9a-z]{1,64}(?:-[a-z_]{1,20})?`;
/**
 * Models write one or several ids in brackets, some in full-width brackets. Every part is bounded, so that a long reply
 * takes linear time.
 */
const bracketed = new RegExp(`[[【]\\s{0,3}(${id}(?:\\s{0,3}[,;|&\\s]\\s{0,3}${id}){0,30})\\s{0,3}[\\]】]`, "giu");
const one = new RegExp(id, "giu");

/** Every citation in a text, in order, repeated ones included. */
export function citationsIn(text: string): FoundCitation[] {
  const citations: FoundCitation[] = [];
  for (const match of text.matchAll(bracketed)) {
    const offset = match.index + match[0].indexOf(match[1]!);
    for (const each of match[1]!.matchAll(one)) {
      const start = offset + each.index;
      citations.push({ id: each[0].toLowerCase(), start, end: start + each[0].length });
    }
  }
  return citations;
}
