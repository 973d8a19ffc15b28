import type { Asked, Measured, Scores } from "../set.ts";
import { bootstrap, type Figure, resamples, seed } from "./bootstrap.ts";

/** One measure over all questions, over those of a group, or over those asked in another way. */
export type Line = {
  measure: string;
  group?: string;
  way?: string;
  questions: number;
  dossier: Figure;
  /** Absent where the baseline cannot do it. */
  bm25?: Figure;
  /** What the product is better by, of the same questions. */
  gain?: Figure;
};

export type Summary = {
  set: string;
  texts: number;
  questions: number;
  sample?: number;
  interval: { share: number; resamples: number; seed: number };
  remarks: string[];
  lines: Line[];
};

/** What a run is kept as: no clock, no path, no machine, so that the same product gives the same bytes. */
export function summaryOf({ set, texts, asked, lines = [], remarks = [] }: Measured, sample?: number): Summary {
  const usual = asked.filter(({ way }) => way === undefined);
  const ways = [...new Set(asked.flatMap(({ way }) => way ?? []))];
  const parts = [...new Set(usual.flatMap(({ part }) => part ?? []))].sort().reverse();
  const groups = [...new Set(usual.flatMap(({ group }) => group ?? []))].sort();
  return {
    set,
    texts,
    questions: usual.length + countOf(lines),
    ...(sample !== undefined && { sample }),
    interval: { share: 0.95, resamples, seed },
    remarks,
    lines: [
      ...linesOf(usual, {}),
      ...ways.flatMap((way) =>
        linesOf(
          asked.filter((each) => each.way === way),
          { way },
        ),
      ),
      ...parts.flatMap((part) =>
        linesOf(
          usual.filter((each) => each.part === part),
          { group: part },
        ),
      ),
      ...groups.flatMap((group) =>
        linesOf(
          usual.filter((each) => each.group === group),
          { group },
        ),
      ),
      ...lines,
    ],
  };
}

/** Every group has asked as many as its fullest line says. */
function countOf(lines: readonly Line[]): number {
  const counts = new Map<string | undefined, number>();
  for (const { group, questions } of lines) counts.set(group, Math.max(questions, counts.get(group) ?? 0));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function linesOf(asked: readonly Asked[], about: Pick<Line, "group" | "way">): Line[] {
  const measures = [...new Set(asked.flatMap(({ dossier }) => Object.keys(dossier)))];
  return measures.flatMap((measure): Line[] => {
    const values = (of: (each: Asked) => Scores) => asked.flatMap((each) => of(each)[measure] ?? []);
    const dossier = values((each) => each.dossier);
    if (dossier.length === 0) return [];
    const plain = values((each) => each.bm25);
    const both = asked.filter(({ dossier, bm25 }) => dossier[measure] !== undefined && bm25[measure] !== undefined);
    return [
      {
        measure,
        ...about,
        questions: dossier.length,
        dossier: rounded(bootstrap(dossier)),
        ...(plain.length > 0 && { bm25: rounded(bootstrap(plain)) }),
        ...(both.length > 0 && {
          gain: rounded(bootstrap(both.map(({ dossier, bm25 }) => dossier[measure]! - bm25[measure]!))),
        }),
      },
    ];
  });
}

/** Sums of the same numbers differ in their last digits by the order of the questions. */
function rounded({ value, low, high }: Figure): Figure {
  const round = (each: number) => Math.round(each * 10_000) / 10_000;
  return { value: round(value), low: round(low), high: round(high) };
}

/** The product's figure of a measure over all questions. */
export function figureOf({ lines }: Summary, measure: string, group?: string): Line {
  const line = lines.find((each) => each.measure === measure && each.group === group && each.way === undefined);
  if (!line) throw new Error(`Nothing was measured by ${measure}${group === undefined ? "" : ` in ${group}`}.`);
  return line;
}
