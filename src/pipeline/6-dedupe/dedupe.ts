import type { Dropped } from "../../document.ts";
import { citationIds } from "../../formats/citation.ts";
import { addressOf, type CopyRule, type Enriched, type Item, isChange, isInFile, sourceTraits } from "../../item.ts";

import { codeHash } from "../../sources/code/same-code.ts";
import type { Query } from "../../text/analysis/query.ts";
import { memoizeRecent } from "../../text/memoize.ts";
import { nearDuplicates } from "../../text/similarity/similarity.ts";
import { droppedFor } from "../dropped.ts";
import { ownSpan, type Unique } from "../unique.ts";
import { oneAxisPerSection } from "./axes.ts";
import { foldQuestions } from "./folded-answers.ts";
import { foldSiblings } from "./siblings.ts";
import { mergeSpans, type RankedSpan } from "./spans.ts";

/** Similarity from which two texts count as the same: versions of one page, translated examples. */
const copySimilarity = 0.9;
/** In characters. Shorter texts may be similar without being copies. */
const shortestCopy = 200;

/**
 * Every piece of evidence once: merges equal ids, overlapping spans of one file, and equal texts in different files.
 * Keeps the given order. For a question, of many implementations of one method the best stay. What is merged away is
 * recorded on the survivor and in `duplicates`.
 */
export function dedupe(ranked: readonly Enriched[], query?: Query): { unique: Unique[]; duplicates: Dropped[] } {
  const duplicates: Dropped[] = [];
  const once = sameIds(oneAxisPerSection(foldQuestions(ranked, duplicates), duplicates), duplicates);
  const spans = [...byFile(once)].flatMap(([, items]) => {
    const { kept, dropped } = mergeSpans(items);
    duplicates.push(...dropped);
    return kept;
  });
  spans.sort((a, b) => a.rank - b.rank);
  const texts = sameTexts(
    spans.map(({ unique }) => unique),
    duplicates,
  );
  const unique = query?.shape === "question" ? foldSiblings(texts, query, duplicates) : texts;
  const ids = unique.flatMap(({ item, absorbed = [] }) => [item.id, ...absorbed.map((each) => each.item.id)]);
  const short = citationIds([...new Set(ids)]);
  const withShortId = (one: Unique): Unique => ({
    ...one,
    citation: { ...one.citation, id: short.get(one.item.id)! },
  });
  return {
    unique: unique.map((one) => ({
      ...withShortId(one),
      ...(one.absorbed && { absorbed: one.absorbed.map(withShortId) }),
    })),
    duplicates: byLastSurvivor(duplicates),
  };
}

/** A survivor may itself be merged away later: follows the chain, so that every duplicate names its final survivor. */
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

/** Groups items by file and version (disk or store); a record is a group of its own. */
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
 * Merges equal code and near-duplicate prose of different files or records, and equal prose of one file: the better
 * ranked survives.
 */
function sameTexts(ranked: Unique[], duplicates: Dropped[]): Unique[] {
  const texts = new Map(ranked.map((unique) => [unique, ownText(unique)]));
  const textOf = (unique: Unique) => texts.get(unique)!;
  const long = ranked.filter((unique) => !unique.outline && textOf(unique).length >= shortestCopyOf(unique));
  const copies = new Map<Unique, Unique[]>();
  const removed = new Set<Unique>();
  const pairs = nearDuplicates(long.map(textOf), copySimilarity).map(({ of, duplicate }) => [
    long[of]!,
    long[duplicate]!,
  ]);
  for (const [survivor, copy] of [...sameCode(ranked, textOf), ...pairs, ...sameLines(ranked, textOf)] as [
    Unique,
    Unique,
  ][]) {
    if (!mayBeCopies(survivor, copy)) continue;
    removed.add(copy);
    copies.set(survivor, [...(copies.get(survivor) ?? []), copy]);
    duplicates.push(droppedFor(copy, "duplicate", survivor.item.id));
  }
  return ranked
    .filter((unique) => !removed.has(unique))
    .map((unique) => {
      const merged = (copies.get(unique) ?? []).flatMap(({ item, merged }) => [
        { id: item.id, name: item.name, why: whyCopy(item, unique.item) },
        ...merged,
      ]);
      return merged.length > 0 ? { ...unique, merged: [...unique.merged, ...merged] } : unique;
    });
}

function isCopyBy(rule: CopyRule, { source }: Item): boolean {
  return sourceTraits[source].copies.includes(rule);
}

function whyCopy(item: Item, survivor: Item): string {
  if (isInFile(item.source) && item.path === survivor.path)
    return `same text in lines ${item.startLine}-${item.endLine}`;
  if (!isCopyBy("code", item)) return `same text in ${addressOf(item)}`;
  return `same code in ${item.path}:${item.startLine}-${item.endLine}`;
}

/**
 * In characters, without formatting and comments. Shorter code may be equal without being a copy: a getter, an empty
 * constructor.
 */
const shortestCode = 100;

/** Pairs of equal code, ignoring formatting and comments. */
function sameCode(ranked: readonly Unique[], textOf: (unique: Unique) => string): [Unique, Unique][] {
  const first = new Map<string, Unique>();
  return ranked.flatMap((unique): [Unique, Unique][] => {
    if (!isCopyBy("code", unique.item) || unique.outline) return [];
    const { hash, size } = memoizedHash(`${unique.item.path}\0${textOf(unique)}`);
    if (size < shortestCode) return [];
    const before = first.get(hash);
    if (!before) first.set(hash, unique);
    return before ? [[before, unique]] : [];
  });
}

const memoizedHash = memoizeRecent((text) => {
  const [path] = text.split("\0", 1) as [string];
  return codeHash(text.slice(path.length + 1), path);
}, 2_000_000);

/** The length in characters from which a near-duplicate counts as a copy. */
function shortestCopyOf({ item }: Unique): number {
  if (isCopyBy("texts", item)) return 0;
  return isCopyBy("long-texts", item) ? shortestCopy : Number.POSITIVE_INFINITY;
}

/** In characters. A shorter bullet such as "done" occurs in many places with a different meaning. */
const shortestLine = 60;

/** Pairs of texts with exactly the same words, by hash: there may be hundreds, too many to compare pairwise. */
function sameLines(ranked: readonly Unique[], textOf: (unique: Unique) => string): [Unique, Unique][] {
  const first = new Map<string, Unique>();
  return ranked.flatMap((unique): [Unique, Unique][] => {
    const text = isCopyBy("words", unique.item) ? textOf(unique).trim().toLowerCase() : "";
    if (text.length < shortestLine || text.length >= shortestCopyOf(unique)) return [];
    const before = first.get(text);
    if (!before) first.set(text, unique);
    return before ? [[before, unique]] : [];
  });
}

function mayBeCopies(a: Unique, b: Unique): boolean {
  // Not copies: two memories that contradict each other, and two commits with the same message but different files.
  if (a.follows === b.item.id || b.follows === a.item.id) return false;
  if (isChange(a.item.source) && isChange(b.item.source)) {
    const [one, other] = [filesOf(a), filesOf(b)];
    // A merge commit lists all, some or none of the files of the merged commits.
    return String(one) === String(other) || isMergeOf(a, one, other) || isMergeOf(b, other, one);
  }
  return addressOf(a.item) !== addressOf(b.item) || isRepeated(a, b);
}

/** Equal sections of one document. Similar ones, equal code of one file and what the caller named are printed each. */
function isRepeated(a: Unique, b: Unique): boolean {
  const isProse = ({ item }: Unique) => isCopyBy("long-texts", item) && !sourceTraits[item.source].named;
  return isProse(a) && isProse(b) && ownText(a).trim() === ownText(b).trim();
}

function filesOf({ facts }: Unique): string[] {
  return Array.isArray(facts?.files_changed) ? facts.files_changed : [];
}

function isMergeOf(merge: Unique, files: string[], others: string[]): boolean {
  return (
    (files.length === 0 || /^\s*merge\b/i.test(merge.lines[0] ?? "")) && files.every((file) => others.includes(file))
  );
}

/** A commit message without the lines that a merge or a cherry-pick adds. */
function commitMessage(text: string): string {
  const message = text
    .replace(/^\s*Merge (?:pull request|branch|remote-tracking branch|tag)\b.*$/gim, "")
    .replace(/\s*\(#\d+\)/g, "")
    .replace(/^\s*(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by):.*$|^\(cherry picked from commit .*$/gim, "")
    .trim();
  return message === "" ? text : message;
}

function ownText(unique: Unique): string {
  const text = ownLines(unique);
  return isChange(unique.item.source) ? commitMessage(text) : text;
}

function ownLines(unique: Unique): string {
  const { startLine, endLine } = ownSpan(unique);
  return unique.lines.slice(startLine - unique.startLine, endLine - unique.startLine + 1).join("\n");
}
