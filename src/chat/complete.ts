import { foldersOf, nameOf } from "./paths.ts";

/** What a mention may mean. `target`: the id of a document or a thread, or a folder's path. */
export type Mentionable = {
  kind: "document" | "folder" | "thread";
  target: string;
  /** A path, a folder with its slash, a title. */
  label: string;
  /** Time of the last change; the newer one wins a tie. */
  changed: number;
  /** The label folded for comparison: see `foldName`. */
  folded: string;
};

export type Completion = Mentionable & { score: number };

export function mentionable(kind: Mentionable["kind"], target: string, label: string, changed: number): Mentionable {
  return { kind, target, label, changed, folded: foldName(label) };
}

/** The folders that these documents are in, each as new as the newest in it. */
export function foldersAmong(documents: readonly { path: string; changed: number }[]): Mentionable[] {
  const newest = new Map<string, number>();
  for (const { path, changed } of documents) {
    for (const folder of foldersOf(path)) newest.set(folder, Math.max(changed, newest.get(folder) ?? 0));
  }
  return [...newest].map(([folder, changed]) => mentionable("folder", folder, `${folder}/`, changed));
}

/** Scores by the kind of match; a misspelt name ranks below every name that is spelled right. */
const scores = { exact: 1, beginning: 0.9, word: 0.75, path: 0.7, inside: 0.5, misspelt: 0.4 };

/** Completions of a typed beginning, best first. An empty query matches everything, newest first. */
export function completions(typed: string, among: readonly Mentionable[], limit: number): Completion[] {
  const query = foldName(typed.replace(/^@?["'“]?/, "").replace(/["'”]$/, ""));
  const matches = rated(among, (each) => fitness(query, each.folded));
  // Fuzzy matches are computed only where results are missing: they cost the most and rank last anyway.
  const matched = new Set(matches.map(({ each }) => each));
  const guesses = matches.length < limit ? rated(among, guesser(query, matched)) : [];
  return [...matches, ...guesses]
    .sort(byScore)
    .slice(0, limit)
    .map(({ each, score }) => ({ ...each, score }));
}

type Rated = { each: Mentionable; score: number };

function rated(among: readonly Mentionable[], rate: (each: Mentionable) => number): Rated[] {
  const results: Rated[] = [];
  for (const each of among) {
    const score = rate(each);
    if (score > 0) results.push({ each, score });
  }
  return results;
}

function byScore(a: Rated, b: Rated): number {
  return b.score - a.score || (precedes(a.each, b.each) ? -1 : 1);
}

/** The one thing that a name refers to, if any: a path, the end of a path, a folder, a title. The newest wins a tie. */
export function resolveName(name: string, folder: boolean, among: readonly Mentionable[]): Mentionable | undefined {
  const query = foldName(name);
  let best: { each: Mentionable; rank: number } | undefined;
  for (const each of among) {
    if (folder && each.kind !== "folder") continue;
    const rank = identity(query, each);
    if (rank === 0) continue;
    if (!best || rank > best.rank || (rank === best.rank && precedes(each, best.each))) best = { each, rank };
  }
  return best?.each;
}

function precedes(a: Mentionable, b: Mentionable): boolean {
  if (a.changed !== b.changed) return a.changed > b.changed;
  return a.label !== b.label ? a.label < b.label : a.target < b.target;
}

/**
 * Rank of a match: 3 for the whole name, 2 for the end of a path, 1 for a file name without its extension, 0 for none.
 */
function identity(query: string, { kind, target, folded }: Mentionable): number {
  const label = kind === "folder" ? folded.slice(0, -1) : folded;
  if (label === query || target === query) return 3;
  if (kind === "thread") return 0;
  if (label.endsWith(`/${query}`)) return 2;
  return kind === "document" && nameOf(label).replace(/\.[^.]+$/, "") === query ? 1 : 0;
}

function fitness(query: string, label: string): number {
  if (query === "") return scores.inside;
  if (!label.includes(query)) return 0;
  const name = lastName(label);
  if (name === query || bare(label) === bare(query)) return scores.exact;
  if (name.startsWith(query)) return withLengthBonus(scores.beginning, query, name);
  if (label.startsWith(query)) return withLengthBonus(scores.path, query, label);
  return withLengthBonus(startsWord(label, query) ? scores.word : scores.inside, query, label);
}

function bare(name: string): string {
  return name.endsWith("/") ? name.slice(0, -1) : name;
}

/** The last segment, of a file or a folder. */
function lastName(label: string): string {
  return nameOf(bare(label));
}

/** Among matches of one kind the shorter name ranks higher; the bonus is too small to reorder the kinds. */
function withLengthBonus(score: number, query: string, name: string): number {
  return score + 0.04 * (query.length / name.length);
}

function startsWord(label: string, query: string): boolean {
  for (let at = label.indexOf(query); at >= 0; at = label.indexOf(query, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(label[at - 1]!)) return true;
  }
  return false;
}

const shortestMisspelt = 3;
const longestMisspelt = 64;

/**
 * Fuzzy matcher that allows one error in every four letters: the query is compared with a prefix of the name of about
 * the same length. Where nothing matches exactly, every word of the name is tried as the start.
 */
function guesser(query: string, except: Set<Mentionable>): (each: Mentionable) => number {
  const { length } = query;
  if (length < shortestMisspelt || length > longestMisspelt) return () => 0;
  const allowed = Math.ceil(length / 4);
  const letters = new Set(query);
  const distanceTo = prefixDistance(query);
  return (each) => {
    if (except.has(each)) return 0;
    const { folded } = each;
    const name = query.includes("/") ? 0 : folded.length - lastName(folded).length - (folded.endsWith("/") ? 1 : 0);
    let best = 0;
    for (const start of except.size > 0 ? [name] : wordStarts(folded)) {
      // Every missing letter is an error: this alone rules out most names without computing the distance.
      const beginning = folded.slice(start, start + length + 1);
      let lacking = 0;
      for (const letter of letters) if (!beginning.includes(letter)) lacking++;
      if (lacking > allowed) continue;
      const distance = distanceTo(beginning, allowed);
      if (distance > allowed) continue;
      const within = start === name ? 0 : start > name ? laterWord : folderWord;
      best = Math.max(best, scores.misspelt - 0.1 * (distance / length) - within);
    }
    return best;
  };
}

/**
 * Penalty of a fuzzy match that does not start at the beginning of the name: at a later word of it, or in a folder
 * above it.
 */
const laterWord = 0.11;
const folderWord = 0.22;
const mostWords = 24;

/** Offsets at which the words of a name and of its folders begin, the name's own last. */
function wordStarts(folded: string): number[] {
  const starts = [0];
  for (let i = 1; i < folded.length; i++) if (/[/\-.:]/.test(folded[i - 1]!)) starts.push(i);
  return starts.slice(-mostWords);
}

/**
 * Damerau-Levenshtein distance between the query and the best prefix of a name: insertions, deletions, replacements,
 * swapped neighbours. Distances above `allowed` may be inexact. The rows are reused for every name: there are
 * thousands.
 */
function prefixDistance(query: string): (name: string, allowed: number) => number {
  const size = query.length + 2;
  let [beforeLast, last, current] = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];
  return (name, allowed) => {
    const width = Math.min(name.length, size - 1);
    for (let j = 0; j <= width; j++) last[j] = j;
    for (let i = 1; i <= query.length; i++) {
      current[0] = i;
      let rowMinimum = i;
      for (let j = 1; j <= width; j++) {
        const same = query.charCodeAt(i - 1) === name.charCodeAt(j - 1);
        let best = Math.min(last[j]! + 1, current[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
        const swapped =
          i > 1 &&
          j > 1 &&
          query.charCodeAt(i - 1) === name.charCodeAt(j - 2) &&
          query.charCodeAt(i - 2) === name.charCodeAt(j - 1);
        if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1);
        current[j] = best;
        rowMinimum = Math.min(rowMinimum, best);
      }
      if (rowMinimum > allowed + 1) return rowMinimum;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    let best = last[0]!;
    for (let j = 1; j <= width; j++) best = Math.min(best, last[j]!);
    return best;
  };
}

/** Spaces, hyphens and underscores are the same, and so are upper and lower case. */
export function foldName(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}
