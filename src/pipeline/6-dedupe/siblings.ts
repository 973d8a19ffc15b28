import type { Dropped } from "../../document.ts";
import { type Enriched, sourceTraits } from "../../item.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import { isExplicit } from "../explicit.ts";
import type { Unique } from "../unique.ts";

/** Number of implementations of one method that are printed; the others are named beside the first. */
const mostPrinted = 3;
const mostNamed = 6;

/**
 * Methods of one name and one signature in several classes are implementations of one interface: adapters, visitors,
 * policies. They contain the same words of a question, so ten of them would fill the answer. The best three show how it
 * is done, and one line names the others. An implementation with a word of the question that the best three lack was
 * asked for, and stays.
 */
export function foldSiblings(ranked: readonly Unique[], query: Query, duplicates: Dropped[]): readonly Unique[] {
  const families = new Map<string, Unique[]>();
  for (const unique of ranked) {
    const key = familyOf(unique);
    if (key !== undefined) families.set(key, [...(families.get(key) ?? []), unique]);
  }
  const asked = new Set(query.terms.map(({ term }) => term));
  const folded = new Map<Unique, Unique>();
  const others = new Map<Unique, Unique[]>();
  for (const family of families.values()) {
    const best = onePerPlace(family).slice(0, mostPrinted);
    if (best.length < mostPrinted) continue;
    const [first] = best as [Unique];
    const known = new Set(best.flatMap((each) => placeTerms(each)));
    const rest = family.filter(
      (each) => !best.includes(each) && !placeTerms(each).some((term) => asked.has(term) && !known.has(term)),
    );
    for (const each of rest) folded.set(each, first);
    if (rest.length > 0) others.set(first, rest);
  }
  for (const [each, first] of folded) duplicates.push(droppedFor(each, "duplicate", first.item.id));
  return ranked
    .filter((each) => !folded.has(each))
    .map((each) => (others.has(each) ? withNote(each, others.get(each)!) : each));
}

function familyOf(unique: Unique): string | undefined {
  const { item, signals, pinned } = unique;
  const { source, kind, name, signature } = item;
  const isMethod = (kind === "method" || kind === "function") && sourceTraits[source].lines === "code" && !item.test;
  if (!isMethod || signature === undefined || pinned || isExplicit(unique)) return undefined;
  const isCertain = [signals.named, signals.message, signals.frame, signals.literal].some(
    (signal) => signal !== undefined,
  );
  return isCertain ? undefined : `${name}\0${comparable(signature)}`;
}

const modifiers =
  /^(?:(?:public|private|protected|internal|override|virtual|static|final|async|export|default|pub(?:\([^)]*\))?|open|abstract|sealed|inline)\s+)+/;
const annotations = /^(?:@[\w.]+(?:\([^)]*\))?|#\[[^\]]*\])\s*/;

/** A signature without modifiers, annotations and line breaks, which implementations write in different ways. */
function comparable(signature: string): string {
  let text = signature.replace(/\s+/g, " ").trim();
  while (annotations.test(text)) text = text.replace(annotations, "");
  // Go and C++ name the class in the signature.
  return text
    .replace(modifiers, "")
    .replace(/^func \([^)]*\) /, "func ")
    .replace(/\b[\w:]+::(?=~?\w+\()/, "")
    .replace(/[\s{:]+$/, "");
}

/** The first of each class or file: overloads in one class are not implementations of an interface. */
function onePerPlace(family: readonly Unique[]): Unique[] {
  const places = new Set<string>();
  return family.filter((each) => {
    const place = placeOf(each);
    return !places.has(place) && places.add(place);
  });
}

function placeOf({ item: { qualifiedName, name } }: Enriched): string {
  return qualifiedName.slice(0, qualifiedName.length - name.length);
}

function placeTerms(unique: Enriched): string[] {
  return analyse(placeOf(unique).replace(/[/:.]+/g, " "));
}

function withNote(first: Unique, others: readonly Unique[]): Unique {
  const named = others.slice(0, mostNamed).map(({ citation: { path, startLine } }) => `${path}:${startLine}`);
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : "";
  return { ...first, notes: [...(first.notes ?? []), `also implemented in ${named.join(", ")}${more}`] };
}
