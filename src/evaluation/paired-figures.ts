import { type Estimate, estimate, pairedDifference } from "./bootstrap.ts";
import { type CaseMeasures, type MeasureName, measureNames } from "./measures.ts";

/** One case, measured two ways. */
export type Pair = { ours: CaseMeasures; theirs: CaseMeasures };

export type PairedFigure = { measure: MeasureName; ours: Estimate; theirs: Estimate; difference: Estimate };

/** Every measure that some of the cases have. */
export function pairedFigures(pairs: readonly Pair[], seed: number): PairedFigure[] {
  return measureNames.flatMap((measure): PairedFigure[] => {
    const measured = pairs.filter(({ ours }) => ours[measure] !== undefined);
    if (measured.length === 0) return [];
    const ours = measured.map((pair) => pair.ours[measure]!);
    const theirs = measured.map((pair) => pair.theirs[measure]!);
    const difference = pairedDifference(ours, theirs, seed);
    return [{ measure, ours: estimate(ours, seed), theirs: estimate(theirs, seed), difference }];
  });
}
