import { foldersOf, nameOf } from "./paths.ts";

/** What a mention may mean. `target`: the id of a document or a thread, or a folder's path. */
export type Mentionable = {
  kind: "document" | "folder" | "thread";
  target: string;
  /** A path, a folder with its slash, a title. */
  label: string;
  /** Last change: of two that fit as well, the newer one comes first. */
  changed: number;
  /** The label as names are compared: see `foldName`. */
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

/** Names fit in this order; a misspelt one is below all that are spelled right. */
const scores = { exact: 1, beginning: 0.9, word: 0.75, path: 0.7, inside: 0.5, misspelt: 0.4 };

/** What a beginning may become, best first. Nothing typed fits everything: the newest come first. */
export function completions(typed: string, among: readonly Mentionable[], limit: number): Completion[] {
  const wanted = foldName(typed.replace(/^@?["'“]?/, "").replace(/["'”]$/, ""));
  const found = rated(among, (each) => fitness(wanted, each.folded));
  // Guesses are made where there is room for them: they cost the most and come last anyway.
  const known = new Set(found.map(({ each }) => each));
  const guesses = found.length < limit ? rated(among, guesser(wanted, known)) : [];
  return [...found, ...guesses]
    .sort(byScore)
    .slice(0, limit)
    .map(({ each, score }) => ({ ...each, score }));
}

type Rated = { each: Mentionable; score: number };

function rated(among: readonly Mentionable[], rate: (each: Mentionable) => number): Rated[] {
  const found: Rated[] = [];
  for (const each of among) {
    const score = rate(each);
    if (score > 0) found.push({ each, score });
  }
  return found;
}

function byScore(a: Rated, b: Rated): number {
  return b.score - a.score || (precedes(a.each, b.each) ? -1 : 1);
}

/** The one thing that a name means, if any: a path, a path's end, a folder, a title. Of several as good, the newest. */
export function meant(name: string, folder: boolean, among: readonly Mentionable[]): Mentionable | undefined {
  const wanted = foldName(name);
  let best: { each: Mentionable; rank: number } | undefined;
  for (const each of among) {
    if (folder && each.kind !== "folder") continue;
    const rank = identity(wanted, each);
    if (rank === 0) continue;
    if (!best || rank > best.rank || (rank === best.rank && precedes(each, best.each))) best = { each, rank };
  }
  return best?.each;
}

function precedes(a: Mentionable, b: Mentionable): boolean {
  if (a.changed !== b.changed) return a.changed > b.changed;
  return a.label !== b.label ? a.label < b.label : a.target < b.target;
}

/** 3 for the whole name, 2 for the end of a path, 1 for a file's name without its ending; 0 for another thing. */
function identity(wanted: string, { kind, target, folded }: Mentionable): number {
  const whole = kind === "folder" ? folded.slice(0, -1) : folded;
  if (whole === wanted || target === wanted) return 3;
  if (kind === "thread") return 0;
  if (whole.endsWith(`/${wanted}`)) return 2;
  return kind === "document" && nameOf(whole).replace(/\.[^.]+$/, "") === wanted ? 1 : 0;
}

function fitness(wanted: string, whole: string): number {
  if (wanted === "") return scores.inside;
  if (!whole.includes(wanted)) return 0;
  const name = lastName(whole);
  if (name === wanted || bare(whole) === bare(wanted)) return scores.exact;
  if (name.startsWith(wanted)) return near(scores.beginning, wanted, name);
  if (whole.startsWith(wanted)) return near(scores.path, wanted, whole);
  return near(startsWord(whole, wanted) ? scores.word : scores.inside, wanted, whole);
}

function bare(name: string): string {
  return name.endsWith("/") ? name.slice(0, -1) : name;
}

/** Of a folder too. */
function lastName(whole: string): string {
  return nameOf(bare(whole));
}

/** Of names that fit in the same way, the shorter one fits better; never enough to change the order of ways. */
function near(score: number, wanted: string, name: string): number {
  return score + 0.04 * (wanted.length / name.length);
}

function startsWord(whole: string, wanted: string): boolean {
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(whole[at - 1]!)) return true;
  }
  return false;
}

const shortestMisspelt = 3;
const longestMisspelt = 64;

/**
 * A slip in every fourth letter: the typed beginning is compared with as much of the name; where nothing fits as typed, from the beginning
 * of any of its words.
 */
function guesser(wanted: string, except: Set<Mentionable>): (each: Mentionable) => number {
  const { length } = wanted;
  if (length < shortestMisspelt || length > longestMisspelt) return () => 0;
  const allowed = Math.ceil(length / 4);
  const letters = new Set(wanted);
  const distanceTo = prefixDistance(wanted);
  return (each) => {
    if (except.has(each)) return 0;
    const { folded } = each;
    const name = wanted.includes("/") ? 0 : folded.length - lastName(folded).length - (folded.endsWith("/") ? 1 : 0);
    let best = 0;
    for (const start of except.size > 0 ? [name] : wordStarts(folded)) {
      // Every letter that the name lacks is a slip: most names are told apart by that alone.
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

/** What a guess loses that is not at a name's beginning: in the name, or in a folder above it. */
const laterWord = 0.11;
const folderWord = 0.22;
const mostWords = 24;

/** Where the words of a name and of the folders above it begin; the last of many are its own. */
function wordStarts(folded: string): number[] {
  const starts = [0];
  for (let i = 1; i < folded.length; i++) if (/[/\-.:]/.test(folded[i - 1]!)) starts.push(i);
  return starts.slice(-mostWords);
}

/**
 * Slips between what was typed and the beginning of a name, wherever that ends: insertions, deletions, replacements, swapped neighbours.
 * More than allowed need not be exact. The rows are used again for every name: there are thousands.
 */
function prefixDistance(wanted: string): (name: string, allowed: number) => number {
  const size = wanted.length + 2;
  let [beforeLast, last, current] = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];
  return (name, allowed) => {
    const width = Math.min(name.length, size - 1);
    for (let j = 0; j <= width; j++) last[j] = j;
    for (let i = 1; i <= wanted.length; i++) {
      current[0] = i;
      let least = i;
      for (let j = 1; j <= width; j++) {
        const same = wanted.charCodeAt(i - 1) === name.charCodeAt(j - 1);
        let best = Math.min(last[j]! + 1, current[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
        const swapped =
          i > 1 &&
          j > 1 &&
          wanted.charCodeAt(i - 1) === name.charCodeAt(j - 2) &&
          wanted.charCodeAt(i - 2) === name.charCodeAt(j - 1);
        if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1);
        current[j] = best;
        least = Math.min(least, best);
      }
      if (least > allowed + 1) return least;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    let best = last[0]!;
    for (let j = 1; j <= width; j++) best = Math.min(best, last[j]!);
    return best;
  };
}

/** A title's gaps may be written as hyphens or low lines, in upper or lower case. */
export function foldName(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}
