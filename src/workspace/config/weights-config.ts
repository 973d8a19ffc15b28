import * as z from "zod";
import { fileSignals, itemSignals } from "../../recipes/recipe.ts";
import { largestFactor } from "../../recipes/weights.ts";
import { settings } from "../config-file.ts";

/** The section `weights` of the workspace's config file: `{ "files": { "path": 2 }, "items": { "similar": 0.5 } }`. */

const takes = `takes a number from 0 to ${largestFactor}`;
const factor = z.number({ error: takes }).min(0, { error: takes }).max(largestFactor, { error: takes });

function table<Signal extends string>(signals: readonly Signal[]) {
  const shape = Object.fromEntries(signals.map((signal) => [signal, factor.optional()])) as Record<
    Signal,
    z.ZodOptional<typeof factor>
  >;
  return settings(shape).refine(
    (factors) => signals.some((signal) => (factors as Record<string, number>)[signal] !== 0),
    {
      error: "leaves nothing to rank by: one of its signals must count",
    },
  );
}

/** `from`: what the weights were measured on, for people who read the file. */
export const weightSettings = settings({
  from: z.string({ error: "takes a text" }).max(500, { error: "takes a text of up to 500 characters" }).optional(),
  files: table(fileSignals).optional(),
  items: table(itemSignals).optional(),
});

export type WeightSettings = z.output<typeof weightSettings>;
