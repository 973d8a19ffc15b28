import { removeSection, writeSection } from "./section-write.ts";
import type { WeightSettings } from "./weights-config.ts";

/** Changes to the section `weights` of the workspace's config file. */

/** Puts these weights in place of those that are there; the file is made where there is none. */
export function writeWeights(root: string, weights: WeightSettings): void {
  writeSection(root, "weights", weights);
}

/** Takes them out, and says what they were; nothing where there are none. */
export function removeWeights(root: string): WeightSettings | undefined {
  return removeSection(root, "weights");
}
