import type { Case } from "./case.ts";

/** One system's answer to one case: places and units, best first, and what the document within the budget holds. */
export type CaseAnswer = {
  places: string[];
  units: string[];
  /** For each expected place, in order: whether the document holds it. */
  held: boolean[];
  /** Tokens that the document took. */
  tokens: number;
};

const cutoffs = [1, 3, 5, 10] as const;

/**
 * `acc@k`: everything that is expected is among the first k. `recall@k`: the share of it. `mrr`: one over the rank of
 * the first of it. `unit…`: the very function or class instead of its file, where it is known. `within`: the share of
 * it that the document holds.
 */
export const measureNames = [
  ...cutoffs.map((k) => `acc@${k}` as const),
  ...cutoffs.map((k) => `recall@${k}` as const),
  "mrr",
  ...cutoffs.map((k) => `unit acc@${k}` as const),
  "unit mrr",
  "within",
] as const;
export type MeasureName = (typeof measureNames)[number];

/** Absent where a case says nothing about it. */
export type CaseMeasures = Partial<Record<MeasureName, number>>;

/** How far a ranking is read: later ranks count as not found. */
const deepest = 100;

export function measure({ expect, hidden }: Case, { places, units, held }: CaseAnswer): CaseMeasures {
  const open = places.filter((place) => !hidden.includes(place)).slice(0, deepest);
  const measured: CaseMeasures = ranked([...new Set(expect.map(({ place }) => place))], open, "");
  const expectedUnits = expect.flatMap(({ unit }) => unit ?? []);
  if (expectedUnits.length > 0) Object.assign(measured, ranked(expectedUnits, units.slice(0, deepest), "unit "));
  measured.within = held.filter(Boolean).length / Math.max(1, held.length);
  return measured;
}

function ranked(expected: readonly string[], ranking: readonly string[], prefix: "" | "unit "): CaseMeasures {
  const ranks = expected.map((each) => ranking.indexOf(each)).map((at) => (at < 0 ? Number.POSITIVE_INFINITY : at + 1));
  const measured: Record<string, number> = { [`${prefix}mrr`]: 1 / Math.min(...ranks) };
  for (const k of cutoffs) {
    const among = ranks.filter((rank) => rank <= k).length;
    measured[`${prefix}acc@${k}`] = among === expected.length ? 1 : 0;
    if (prefix === "") measured[`recall@${k}`] = among / expected.length;
  }
  return measured as CaseMeasures;
}

/** The best rank of an expected place, from 1; absent if none was found. */
export function rankOf({ expect, hidden }: Case, { places }: Pick<CaseAnswer, "places">): number | undefined {
  const open = places.filter((place) => !hidden.includes(place)).slice(0, deepest);
  const expected = new Set(expect.map(({ place }) => place));
  const at = open.findIndex((place) => expected.has(place));
  return at < 0 ? undefined : at + 1;
}
