import { type FileSignal, fileSignals, type ItemSignal, itemSignals, type Recipe } from "./recipe.ts";

/**
 * Factors for signal weights, tuned on a workspace; a missing factor is 1. They are factors and not weights, so that
 * they keep their meaning when the recipe's weights change.
 */
export type Weights = {
  files?: Partial<Record<FileSignal, number>>;
  items?: Partial<Record<ItemSignal, number>>;
};

export const largestFactor = 4;

/** The recipe with these factors; the recipe itself if there are none. */
export function withWeights(recipe: Recipe, weights: Weights | undefined): Recipe {
  if (!weights || changedSignals(weights).length === 0) return recipe;
  const { files = {}, items = {} } = weights;
  const shapes = Object.entries(recipe.signals) as [keyof Recipe["signals"], Record<ItemSignal, number>][];
  return {
    ...recipe,
    fileSignals: {
      question: multiplied(recipe.fileSignals.question, files),
      report: multiplied(recipe.fileSignals.report, files),
    },
    signals: Object.fromEntries(shapes.map(([shape, table]) => [shape, multiplied(table, items)])) as Recipe["signals"],
  };
}

function multiplied<Signal extends string>(
  table: Record<Signal, number>,
  factors: Partial<Record<Signal, number>>,
): Record<Signal, number> {
  const entries = Object.entries(table) as [Signal, number][];
  return Object.fromEntries(entries.map(([signal, weight]) => [signal, weight * (factors[signal] ?? 1)])) as never;
}

export type WeightChange = { table: "files" | "items"; signal: string; factor: number };

/** The signals whose factor is not 1, in the order of the recipe's tables. */
export function changedSignals({ files = {}, items = {} }: Weights): WeightChange[] {
  return [
    ...fileSignals.map((signal) => ({ table: "files" as const, signal, factor: files[signal] ?? 1 })),
    ...itemSignals.map((signal) => ({ table: "items" as const, signal, factor: items[signal] ?? 1 })),
  ].filter(({ factor }) => factor !== 1);
}
