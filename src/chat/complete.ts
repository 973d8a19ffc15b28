import { editDistance } from "../text/edit-distance.ts";
import { foldersOf, nameOf } from "./paths.ts";

/** What a mention may mean. `target`: the id of a document or a thread, or a folder's path. */
export type Mentionable = {
  kind: "document" | "folder" | "thread";
  target: string;
  /** A path, a folder with its slash, a title. */
  label: string;
  /** Last change: of two that fit as well, the newer one comes first. */
  changed: number;
};

export type Completion = Mentionable & { score: number };

/** The folders that these documents are in, each as new as the newest in it. */
export function foldersAmong(documents: readonly { path: string; changed: number }[]): Mentionable[] {
  const newest = new Map<string, number>();
  for (const { path, changed } of documents) {
    for (const folder of foldersOf(path)) newest.set(folder, Math.max(changed, newest.get(folder) ?? 0));
  }
  return [...newest].map(([folder, changed]) => ({ kind: "folder", target: folder, label: `${folder}/`, changed }));
}

/** Names fit in this order; a misspelt one is below all that are spelled right. */
const scores = { exact: 1, beginning: 0.9, word: 0.75, path: 0.7, inside: 0.5, misspelt: 0.4 };

/** What a beginning may become, best first. Nothing typed fits everything: the newest come first. */
export function completions(typed: string, among: readonly Mentionable[], limit: number): Completion[] {
  const wanted = folded(typed.replace(/^@?["'“]?/, "").replace(/["'”]$/, ""));
  return among
    .map((each) => ({ ...each, score: fitness(wanted, each) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.changed - a.changed || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
    .slice(0, limit);
}

/** The one thing that a name means, if any: a path, a path's end, a folder, a title. Of several as good, the newest. */
export function meant(name: string, folder: boolean, among: readonly Mentionable[]): Mentionable | undefined {
  const wanted = folded(name);
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
  return a.changed !== b.changed ? a.changed > b.changed : a.label < b.label;
}

/** 3 for the whole name, 2 for the end of a path, 1 for a file's name without its ending; 0 for another thing. */
function identity(wanted: string, { kind, target, label }: Mentionable): number {
  const whole = folded(label).replace(/\/$/, "");
  if (whole === wanted || target === wanted) return 3;
  if (kind === "thread") return 0;
  if (whole.endsWith(`/${wanted}`)) return 2;
  return kind === "document" && nameOf(whole).replace(/\.[^.]+$/, "") === wanted ? 1 : 0;
}

function fitness(wanted: string, { label }: Mentionable): number {
  if (wanted === "") return scores.inside;
  const whole = folded(label);
  const name = nameOf(whole.replace(/\/$/, ""));
  if (whole.replace(/\/$/, "") === wanted.replace(/\/$/, "") || name === wanted) return scores.exact;
  if (name.startsWith(wanted)) return near(scores.beginning, wanted, name);
  if (whole.startsWith(wanted)) return near(scores.path, wanted, whole);
  if (startsWord(whole, wanted)) return near(scores.word, wanted, whole);
  if (whole.includes(wanted)) return near(scores.inside, wanted, whole);
  return misspelt(wanted, name) || misspelt(wanted, whole);
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

/** A slip in every fourth letter: the typed beginning is compared with as much of the name. */
function misspelt(wanted: string, name: string): number {
  const { length } = wanted;
  if (length < shortestMisspelt || length > longestMisspelt) return 0;
  const allowed = Math.ceil(length / 4);
  const distance = Math.min(
    editDistance(wanted, name.slice(0, length)),
    editDistance(wanted, name.slice(0, length + 1)),
    editDistance(wanted, name.slice(0, length - 1)),
  );
  return distance <= allowed ? scores.misspelt - 0.1 * (distance / length) : 0;
}

/** A title's gaps may be written as hyphens or low lines, in upper or lower case. */
function folded(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}
