import type { WeightedTerm } from "./store.ts";

/** How much a term counts by where it stands. Phase one only brings candidates: the second phase has its own weights. */
export const columnWeights = { name: 4, path: 3, doc: 2, body: 1 } as const;

/** Terms of a long query beyond the strongest ones change the first candidates little and cost time. */
const mostTerms = 32;
/** Rare terms are searched alone while they occur in at most this share of the items. */
const rareShare = 0.05;

/** Which terms find candidates (`rare`) and which only rank them (`common`). */
export type Plan = { rare: string[]; common: string[] };

/** Keeps the strongest terms, by weight and rarity, and tells the rare from the common. */
export function planTerms(terms: WeightedTerm[], frequencies: Map<string, number>, count: number): Plan {
  const weights = new Map<string, number>();
  for (const { term, weight } of terms) {
    if (weight > 0 && (frequencies.get(term) ?? 0) > 0) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  const frequency = (term: string) => frequencies.get(term)!;
  const strength = (term: string) => weights.get(term)! * Math.log(1 + count / frequency(term));
  const strongest = [...weights.keys()].sort((a, b) => strength(b) - strength(a) || (a < b ? -1 : 1)).slice(0, mostTerms);

  const byRarity = strongest.sort((a, b) => frequency(a) - frequency(b) || (a < b ? -1 : 1));
  let rows = 0;
  let rare = 0;
  while (rare < byRarity.length && (rare === 0 || rows + frequency(byRarity[rare]!) <= count * rareShare)) {
    rows += frequency(byRarity[rare++]!);
  }
  return { rare: byRarity.slice(0, rare), common: byRarity.slice(rare) };
}
