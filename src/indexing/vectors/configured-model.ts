import { resolve } from "node:path";
import type { ModelConfig } from "../../embed/model-config.ts";
import {
  configKey,
  isAgreed,
  isLocalModel,
  type ModelState,
  modelName,
  readModelState,
  writeModelState,
} from "../../embed/model-state.ts";
import { DossierError } from "../../errors.ts";
import { shelves } from "../../stores/store.ts";
import { expandHome, readConfig } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { patiently } from "../files/writer.ts";

/** Milliseconds to wait for another process that holds the store. */
const patience = 10_000;

/**
 * Applies the settings of dossier.json; returns the configured model, and the reason if it waits for the user's
 * consent.
 */
export async function configuredModel({
  root,
  owner,
  store,
}: Workspace): Promise<{ state: ModelState; config?: ModelConfig; waits?: string }> {
  const model = (await readConfig(root)).model ?? (await usualModel());
  let state = await readModelState(store, owner);
  const config = model && absolute(model, root);
  const before = state.configured && configKey(state.configured);
  if ((config && configKey(config)) !== before) {
    const { configured: _, ...rest } = state;
    state = { ...rest, ...(config ? { configured: config } : {}) };
    await patiently(patience, () => writeModelState(store, owner, state));
  }
  if (!config) return { state };
  const waits = isAgreed(state, config) ? undefined : waitsFor(config, state);
  return { state, config, ...(waits === undefined ? {} : { waits }) };
}

/** The configured model; none if the config file is invalid, since operations on models report that. */
export async function readableModel(
  workspace: Workspace,
): Promise<Awaited<ReturnType<typeof configuredModel>> | undefined> {
  try {
    return await configuredModel(workspace);
  } catch (error) {
    if (error instanceof DossierError && error.code === "bad-config") return undefined;
    throw error;
  }
}

/** Environment variable with the folder of a model, for all workspaces whose dossier.json names no model. */
const usualFolder = "DOSSIER_MODEL";

async function usualModel(): Promise<ModelConfig | undefined> {
  const folder = process.env[usualFolder];
  if (!folder) return undefined;
  const { graphOf } = await import("../../embed/model-folder.ts");
  return { provider: graphOf(folder) ? "onnx" : "static", folder };
}

function absolute(model: ModelConfig, root: string): ModelConfig {
  return model.provider === "http" ? model : { ...model, folder: resolve(root, expandHome(model.folder)) };
}

/** Why the user must consent first: texts would be sent away, or the vectors of another model replaced. */
function waitsFor(config: ModelConfig, { models }: ModelState): string | undefined {
  const name = modelName(config);
  if (!isLocalModel(config)) {
    return `dossier.json names the model ${name} at ${new URL((config as { url: string }).url).host}: dossier model use ${name} --yes lets texts be sent there.`;
  }
  const others = models.filter((each) => configKey(each.config) !== configKey(config) && each.complete);
  if (others.length === 0) return undefined;
  return `The vectors are those of ${modelName(others[0]!.config)}: dossier model use ${name} --yes makes them anew; until then the old ones answer.`;
}

/** Number of vectors of each model. */
export async function vectorProgress(
  workspace: Workspace,
): Promise<{ items: number; vectors: ReadonlyMap<string, number> }> {
  const { store, owner } = workspace;
  const vectors = new Map<string, number>();
  let items = 0;
  for (const shelf of shelves) {
    const counts = await store.shelf(shelf).modelVectors.counts(owner);
    items += counts.items;
    for (const each of counts.models) vectors.set(each.model, (vectors.get(each.model) ?? 0) + each.vectors);
  }
  return { items, vectors };
}
