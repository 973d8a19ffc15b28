import { index, type Workspace } from "../../../src/index.ts";
import type { Run } from "../set.ts";

/** Makes the vectors of the run's language model, where it has one: questions are asked once they are complete. */
export async function makeVectors({ model, tell }: Run, path: string, workspace: Workspace): Promise<void> {
  if (model === undefined) return;
  const { vectors, warnings } = await index({ path }, { workspace });
  if (!vectors?.complete) throw new Error(`The vectors are not complete: ${warnings.join(" ")}`);
  if (vectors.made > 0) tell?.(`${vectors.made} vectors in ${vectors.seconds.toFixed(1)} s`);
}
