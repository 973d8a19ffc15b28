import { DossierError } from "../errors.ts";
import type { ModelConfig, ModelEmbedder } from "./model-config.ts";
import { configKey, modelName } from "./model-state.ts";

/** Models stay open between the questions of a process, since opening one reads tens of megabytes. */

type Opened = { opening: Promise<ModelEmbedder>; failedAt?: number; why?: DossierError };

const opened = new Map<string, Opened>();

/** Milliseconds before a model that failed is tried again, so that not every question waits for it. */
const pause = 30_000;

/** The opened model; a failure is remembered for `pause`. */
export async function openedModel(config: ModelConfig): Promise<ModelEmbedder> {
  const key = configKey(config);
  let entry = opened.get(key);
  if (entry?.failedAt !== undefined) {
    if (performance.now() - entry.failedAt < pause) throw entry.why!;
    opened.delete(key);
    entry = undefined;
  }
  if (!entry) {
    entry = { opening: import("./open-model.ts").then(({ openModel }) => openModel(config)) };
    opened.set(key, entry);
  }
  try {
    return await entry.opening;
  } catch (error) {
    throw modelFailed(config, error);
  }
}

/** Records that a model failed, and returns the error with one sentence. */
export function modelFailed(config: ModelConfig, error: unknown): DossierError {
  const why =
    error instanceof DossierError
      ? error
      : new DossierError("model-unavailable", `${modelName(config)} failed: ${(error as Error).message}.`, {
          cause: error,
        });
  const entry = opened.get(configKey(config));
  if (entry) Object.assign(entry, { failedAt: performance.now(), why });
  return why;
}

/** Called after the user has corrected a failure. */
export function forgetFailure(config: ModelConfig): void {
  if (opened.get(configKey(config))?.failedAt !== undefined) opened.delete(configKey(config));
}

/** Closes worker processes and connections. */
export async function closeModels(): Promise<void> {
  const all = [...opened.values()];
  opened.clear();
  // The caller that opened the model already got the failure.
  await Promise.all(all.map(async ({ opening }) => (await opening.catch(() => undefined))?.close()));
}
