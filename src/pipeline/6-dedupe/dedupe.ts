import type { Dropped } from "../../document.ts";
import { citationIds } from "../../formats/citation.ts";
import { addressOf, type CopyRule, type Enriched, type Item, isInFile, sourceTraits } from "../../item.ts";

import { codeHash } from "../../sources/code/same-code.ts";
import { memoizeRecent } from "../../text/memoize.ts";
import { nearDuplicates } from "../../text/similarity/similarity.ts";
import { droppedFor } from "../dropped.ts";
import { ownSpan, type Unique } from "../unique.ts";
import { oneOfEach } from "./axes.ts";
import { withQuestions } from "./folded-answers.ts";
import { mergeSpans, type RankedSpan } from "./spans.ts";

/** Prose this alike is the same text: versions of one page, translated examples. */
const sameText = 0.9;
/** Shorter texts are alike without being copies. */
const shortestCopy = 200;

/**
 * Every piece of evidence once: same id, overlapping spans of one file, same text in another file. Ranked best first,
 * as given. What is merged away is recorded on the survivor and among `duplicates`.
 */
export function dedupe(ranked: readonly Enriched[]): { unique: Unique[]; duplicates: Dropped[] } {
  const duplicates: Dropped[] = [];
  const once = sameIds(oneOfEach(withQuestions(ranked, duplicates), duplicates), duplicates);
  const spans = [...byFile(once)].flatMap(([, items]) => {
    const { kept, dropped } = mergeSpans(items);
    duplicates.push(...dropped);
    return kept;
  });
  spans.sort((a, b) => a.rank - b.rank);
  const unique = sameTexts(
    spans.map(({ unique }) => unique),
    duplicates,
  );
  const short = citationIds(unique.map(({ item }) => item.id));
  return {
    unique: unique.map((one) => ({ ...one, citation: { ...one.citation, id: short.get(one.item.id)! } })),
    duplicates: byLastSurvivor(duplicates),
  };
}

/** A survivor may be merged away later: every duplicate names the item that stands for it in the end. */
function byLastSurvivor(duplicates: Dropped[]): Dropped[] {
  const standsFor = new Map(duplicates.filter(({ id, by }) => id !== by).map(({ id, by }) => [id, by!]));
  return duplicates.map((dropped) => {
    let by = dropped.by!;
    for (let next = standsFor.get(by); next !== undefined; next = standsFor.get(by)) by = next;
    return { ...dropped, by };
  });
}

function sameIds(ranked: readonly Enriched[], duplicates: Dropped[]): RankedSpan[] {
  const seen = new Set<string>();
  const once: RankedSpan[] = [];
  for (const [rank, unique] of ranked.entries()) {
    if (seen.has(unique.item.id)) duplicates.push(droppedFor(unique, "duplicate", unique.item.id));
    else once.push({ rank, unique });
    seen.add(unique.item.id);
  }
  return once;
}

/** Items of one file and one state of it; what is not in a file is alone. */
function byFile(items: RankedSpan[]): Map<string, RankedSpan[]> {
  const files = new Map<string, RankedSpan[]>();
  for (const ranked of items) {
    const { item, freshness } = ranked.unique;
    const key = isInFile(item.source) ? `${freshness === "stored"} ${item.path}` : `id ${item.id}`;
    files.set(key, [...(files.get(key) ?? []), ranked]);
  }
  return files;
}

/**
 * The same code, or near-same prose, in different files or records: the better ranked stands for both. Items of one file are never copies
 * of each other.
 */
function sameTexts(ranked: Unique[], duplicates: Dropped[]): Unique[] {
  const long = ranked.filter((unique) => !unique.outline && ownText(unique).length >= shortestCopyOf(unique));
  const copies = new Map<Unique, Unique[]>();
  const gone = new Set<Unique>();
  const pairs = nearDuplicates(long.map(ownText), sameText).map(({ of, duplicate }) => [long[of]!, long[duplicate]!]);
  for (const [survivor, copy] of [...sameCode(ranked), ...pairs, ...sameLines(ranked)] as [Unique, Unique][]) {
    if (!mayBeCopies(survivor, copy)) continue;
    gone.add(copy);
    copies.set(survivor, [...(copies.get(survivor) ?? []), copy]);
    duplicates.push(droppedFor(copy, "duplicate", survivor.item.id));
  }
  return ranked
    .filter((unique) => !gone.has(unique))
    .map((unique) => {
      const merged = (copies.get(unique) ?? []).flatMap(({ item, merged }) => [
        { id: item.id, name: item.name, why: whyCopy(item) },
        ...merged,
      ]);
      return merged.length > 0 ? { ...unique, merged: [...unique.merged, ...merged] } : unique;
    });
}

function isCopyBy(rule: CopyRule, { source }: Item): boolean {
  return sourceTraits[source].copies.includes(rule);
}

function whyCopy(item: Item): string {
  if (!isCopyBy("code", item)) return `same text in ${addressOf(item)}`;
  return `same code in ${item.path}:${item.startLine}-${item.endLine}`;
}

/** Shorter code is alike without being a copy: a getter, an empty constructor. In characters, formatting and comments apart. */
const shortestCode = 100;

/** The same code, formatting and comments apart. */
function sameCode(ranked: readonly Unique[]): [Unique, Unique][] {
  const first = new Map<string, Unique>();
  return ranked.flatMap((unique): [Unique, Unique][] => {
    if (!isCopyBy("code", unique.item) || unique.outline) return [];
    const { hash, size } = rememberedHash(`${unique.item.path}\0${ownText(unique)}`);
    if (size < shortestCode) return [];
    const before = first.get(hash);
    if (!before) first.set(hash, unique);
    return before ? [[before, unique]] : [];
  });
}

const rememberedHash = memoizeRecent((text) => {
  const [path] = text.split("\0", 1) as [string];
  return codeHash(text.slice(path.length + 1), path);
}, 2_000_000);

/** From how many characters on a text that is nearly the same is a copy. */
function shortestCopyOf({ item }: Unique): number {
  if (isCopyBy("texts", item)) return 0;
  return isCopyBy("long-texts", item) ? shortestCopy : Number.POSITIVE_INFINITY;
}

/** A bullet says "done" in many places, and means another thing in each. */
const shortestLine = 60;

/** Texts of the very same words: there may be hundreds of them, so they are not compared with each other. */
function sameLines(ranked: readonly Unique[]): [Unique, Unique][] {
  const first = new Map<string, Unique>();
  return ranked.flatMap((unique): [Unique, Unique][] => {
    const text = isCopyBy("words", unique.item) ? ownText(unique).trim().toLowerCase() : "";
    if (text.length < shortestLine || text.length >= shortestCopyOf(unique)) return [];
    const before = first.get(text);
    if (!before) first.set(text, unique);
    return before ? [[before, unique]] : [];
  });
}

function mayBeCopies(a: Unique, b: Unique): boolean {
  // Two contradicting memories, and two commits that say the same of different files, are not one.
  if (a.follows === b.item.id || b.follows === a.item.id) return false;
  if (a.item.source === "commit" && b.item.source === "commit") {
    const [one, other] = [filesOf(a), filesOf(b)];
    // A merge has the files of what it brought, some of them, or none of its own.
    return String(one) === String(other) || isMergeOf(a, one, other) || isMergeOf(b, other, one);
  }
  return addressOf(a.item) !== addressOf(b.item);
}

function filesOf({ facts }: Unique): string[] {
  return Array.isArray(facts?.files_changed) ? facts.files_changed : [];
}

function isMergeOf(merge: Unique, files: string[], others: string[]): boolean {
  return (
    (files.length === 0 || /^\s*merge\b/i.test(merge.lines[0] ?? "")) && files.every((file) => others.includes(file))
  );
}

/** What a commit says, without what a merge or a cherry-pick puts around it. */
function saidByCommit(text: string): string {
  const message = text
    .replace(/^\s*Merge (?:pull request|branch|remote-tracking branch|tag)\b.*$/gim, "")
    .replace(/\s*\(#\d+\)/g, "")
    .replace(/^\s*(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by):.*$|^\(cherry picked from commit .*$/gim, "")
    .trim();
  return message === "" ? text : message;
}

function ownText(unique: Unique): string {
  const text = linesOwn(unique);
  return unique.item.source === "commit" ? saidByCommit(text) : text;
}

function linesOwn(unique: Unique): string {
  const { startLine, endLine } = ownSpan(unique);
  return unique.lines.slice(startLine - unique.startLine, endLine - unique.startLine + 1).join("\n");
}
