import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspectModelFolder } from "../../embed/inspect-model.ts";
import { knownModel } from "../../embed/known-models.ts";
import type { HttpModelConfig, LocalModelConfig, ModelConfig } from "../../embed/model-config.ts";
import {
  answeringVectors,
  configKey,
  isLocalModel,
  knownVectors,
  type ModelState,
  modelName,
  readModelState,
  writeModelState,
} from "../../embed/model-state.ts";
import { forgetFailure, openedModel } from "../../embed/opened-models.ts";
import { DossierError } from "../../errors.ts";
import { configuredModel, vectorProgress } from "../../indexing/vectors/configured-model.ts";
import { shelves } from "../../stores/store.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { configPath, expandHome, readConfig } from "../../workspace/config/config.ts";
import { modelFault } from "../../workspace/config/model-settings.ts";
import { removeSection, writeSection } from "../../workspace/config/section-write.ts";
import { cacheFolder } from "../../workspace/database-paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { shownPlace } from "../core/hide-paths.ts";
import type { Environment } from "../core/operation.ts";
import { counted, grouped } from "../terminal/phrases.ts";
import type { ModelInput, ModelStep } from "./model.ts";
import type { ModelOutput } from "./shape.ts";

/** The steps of `dossier model`. */

const builtin = "builtin";

export const statusOf: ModelStep = async (_given, workspace, environment) => {
  const { config, waits } = await configuredModel(workspace);
  const message = config
    ? `The model ${modelName(config)} makes vectors of this workspace.`
    : "Only the built-in vectors are used, which are learned from the workspace itself.";
  return outputOf(workspace, environment, message, { warnings: waits === undefined ? [] : [waits] });
};

export const addModel: ModelStep = async (input, workspace, environment) => {
  const name = required(input, environment);
  const isServer = /^https?:\/\//i.test(name);
  const { config, files, licence } = isServer
    ? { config: serverConfig(input, name), files: undefined, licence: undefined }
    : await folderConfig(input, name, environment);
  refuseWrong(config, environment);
  await requireConsent(config, input, workspace);
  // Opened once before it is stored, so that a wrong address, a wrong key or a broken file is reported now.
  forgetFailure(config);
  const { id } = await openedModel(config);
  await storeChoice(config, workspace);
  const message = `${modelName(config)} is configured: ${id.dimensions} dimensions.`;
  const warnings = environmentWarnings(config);
  return outputOf(workspace, environment, message, { files, licence, warnings });
};

export const useModel: ModelStep = async (input, workspace, environment) => {
  const name = required(input, environment);
  if (name === builtin) {
    removeSection(workspace.root, "model");
    return outputOf(workspace, environment, "Only the built-in vectors are used from now on; others are kept.");
  }
  const config = await namedModel(name, workspace);
  await requireConsent(config, input, workspace);
  await storeChoice(config, workspace);
  return outputOf(workspace, environment, `${modelName(config)} makes the vectors of this workspace from now on.`);
};

export const removeModel: ModelStep = async (input, workspace, environment) => {
  const { store, owner, root } = workspace;
  const { config: configured } = await configuredModel(workspace);
  const config = input.name === undefined ? configured : await namedModel(input.name, workspace);
  if (!config) throw new DossierError("not-found", "No model is configured that could be removed.");
  if (configured && configKey(configured) === configKey(config)) removeSection(root, "model");
  const state = await readModelState(store, owner);
  const isOther = (each: ModelConfig) => configKey(each) !== configKey(config);
  const removed = state.models.filter((each) => !isOther(each.config));
  await writeModelState(store, owner, {
    agreed: state.agreed.filter((key) => key !== configKey(config)),
    models: state.models.filter((each) => isOther(each.config)),
    added: state.added.filter(isOther),
  });
  for (const { key } of removed) for (const shelf of shelves) await store.shelf(shelf).modelVectors.forget(owner, key);
  return outputOf(
    workspace,
    environment,
    `${modelName(config)} and its vectors are removed; its files stay where they are.`,
  );
};

function required({ name, step }: ModelInput, { nameOf = (key) => key }: Environment): string {
  if (name !== undefined && name.trim() !== "") return name.trim();
  const expected = step === "add" ? "a folder, an id on a hub or an address" : "the name of a model, or builtin";
  throw new DossierError("bad-input", `${nameOf("name")} is missing; it takes ${expected}.`);
}

function traitsOf({
  queryPrefix,
  passagePrefix,
  dimensions,
}: ModelInput): Pick<ModelConfig, "queryPrefix" | "passagePrefix" | "dimensions"> {
  return {
    ...(queryPrefix === undefined ? {} : { queryPrefix }),
    ...(passagePrefix === undefined ? {} : { passagePrefix }),
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

function serverConfig(input: ModelInput, address: string): HttpModelConfig {
  if (input.model === undefined) {
    throw new DossierError(
      "bad-input",
      "A server has many models: say which one with --model, such as nomic-embed-text.",
    );
  }
  const url = address.replace(/\/+$/, "").replace(/\/embeddings$/, "");
  const key = input.keyVariable === undefined ? {} : { keyVariable: input.keyVariable };
  return { provider: "http", url, model: input.model, ...key, ...traitsOf(input) };
}

type AddedModel = { config: LocalModelConfig; files: ModelOutput["files"]; licence?: string };

async function folderConfig(input: ModelInput, wantedName: string, environment: Environment): Promise<AddedModel> {
  const { signal, progress } = environment;
  let folder = resolve(expandHome(wantedName));
  const { downloadModel, isHubId } = await import("../../embed/download-model.ts");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    if (!isHubId(wantedName) || !input.download) throw noFolder(wantedName, isHubId(wantedName));
    const modelsFolder = join(cacheFolder(), "models");
    const hub = input.hub === undefined ? {} : { hub: input.hub };
    const tell = (each: { done: number; total?: number; detail: string }) =>
      progress?.({ stage: "downloading", ...each });
    ({ folder } = await downloadModel(wantedName, { ...hub, into: modelsFolder, signal, progress: tell }));
  }
  const { provider, model, licence, files } = await inspectModelFolder(folder, signal);
  const name = input.model ?? (input.download ? wantedName.replace(/^.*\//, "") : undefined);
  const config: LocalModelConfig = {
    provider,
    folder,
    ...(name === undefined || name === model ? {} : { model: name }),
    ...(input.pooling === undefined ? {} : { pooling: input.pooling }),
    ...traitsOf(input),
  };
  return { config, files, ...(licence === undefined ? {} : { licence }) };
}

function noFolder(name: string, isId: boolean): DossierError {
  if (!isId) return new DossierError("not-a-folder", `There is no folder ${name}.`);
  return new DossierError(
    "not-found",
    `There is no folder ${name}. To fetch the model of that name from the hub, add --download.`,
  );
}

function refuseWrong(config: ModelConfig, { nameOf = (key) => key }: Environment): void {
  const fault = modelFault(config);
  if (fault)
    throw new DossierError("bad-input", `${fault.way === "" ? "The model" : nameOf(fault.way)} ${fault.takes}.`);
}

/** Asks for consent where vectors would be lost or texts leave this machine; `yes` gives it. */
async function requireConsent(config: ModelConfig, { yes }: ModelInput, workspace: Workspace): Promise<void> {
  const { store, owner } = workspace;
  const state = await readModelState(store, owner);
  const question = questionOf(config, state, await vectorProgress(workspace));
  if (question === undefined) return;
  if (!yes) throw new DossierError("conflict", `${question} Pass --yes to agree.`);
  await writeModelState(store, owner, { ...state, agreed: [...new Set([...state.agreed, configKey(config)])] });
}

function questionOf(
  config: ModelConfig,
  state: ModelState,
  { vectors, items }: Awaited<ReturnType<typeof vectorProgress>>,
): string | undefined {
  if (state.agreed.includes(configKey(config))) return undefined;
  if (!isLocalModel(config)) {
    return `With ${modelName(config)} the texts of this workspace are sent to ${new URL((config as HttpModelConfig).url).host}.`;
  }
  const isOwn = state.models.some((each) => each.complete && configKey(each.config) === configKey(config));
  const old = state.models.find((each) => each.complete && configKey(each.config) !== configKey(config));
  if (isOwn || !old) return undefined;
  const vectorCount = vectors.get(old.key) ?? 0;
  return `There are ${grouped(vectorCount)} vectors of ${modelName(old.config)}; with ${modelName(config)} ${grouped(items)} are made anew, and the old ones answer until then.`;
}

/** Stores the choice; the vectors are made by the next indexing, or in the background by a server. */
async function storeChoice(config: ModelConfig, workspace: Workspace): Promise<void> {
  const { store, owner, root } = workspace;
  writeSection(root, "model", config);
  await configuredModel(workspace);
  const state = await readModelState(store, owner);
  if (state.added.some((each) => configKey(each) === configKey(config))) return;
  await writeModelState(store, owner, { ...state, added: [...state.added, config] });
}

/** A model by its name: one that was added here, or one from the config file. */
async function namedModel(name: string, workspace: Workspace): Promise<ModelConfig> {
  const { store, owner } = workspace;
  const { added, models, configured } = await readModelState(store, owner);
  const { config = configured } = await configuredModel(workspace);
  const configs = [...(config ? [config] : []), ...added, ...models.map((each) => each.config)];
  const match = configs.find((each) => modelName(each) === name);
  if (match) return match;
  const names = [...new Set(configs.map(modelName)), builtin];
  throw new DossierError("not-found", `No model is called ${JSON.stringify(name)} here; ${alternatives(name, names)}`);
}

function environmentWarnings(config: ModelConfig): string[] {
  if (config.provider !== "http" || config.keyVariable === undefined || process.env[config.keyVariable]) return [];
  return [`The variable ${config.keyVariable} is empty: requests are sent without a key.`];
}

type ExtraOutput = { files?: ModelOutput["files"]; licence?: string; warnings?: string[] };

async function outputOf(
  workspace: Workspace,
  environment: Environment,
  message: string,
  { files, licence, warnings = [] }: ExtraOutput = {},
): Promise<ModelOutput> {
  const { store, owner, root } = workspace;
  await readConfig(root);
  const { config, state } = await configuredModel(workspace);
  const { items, vectors } = await vectorProgress(workspace);
  const vectorSet = config && knownVectors(state, config);
  const vectorCount = vectorSet ? (vectors.get(vectorSet.key) ?? 0) : 0;
  const now = answeringVectors(await readModelState(store, owner));
  const isAnswering = now !== undefined && config !== undefined && configKey(now.config) === configKey(config);
  const secondsLeft =
    vectorSet?.rate && vectorCount < items ? Math.ceil((items - vectorCount) / vectorSet.rate) : undefined;
  const others = othersOf(state, config, vectors);
  const model = config && shownModel(config, licence ?? knownModel(modelName(config)).licence, workspace, environment);
  return {
    ...(model ? { model: { ...model, ...(vectorSet ? { dimensions: vectorSet.id.dimensions } : {}) } } : {}),
    answering: now ? modelName(now.config) : builtin,
    items: config ? items : 0,
    made: Math.min(vectorCount, items),
    complete: isAnswering,
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
    others,
    ...(files ? { files } : {}),
    config: shownPlace(configPath(root), root, environment),
    message,
    next: config && vectorCount < items ? [`dossier index (makes ${counted(items - vectorCount, "vector")})`] : [],
    warnings,
  };
}

function othersOf(
  { models, added }: ModelState,
  config: ModelConfig | undefined,
  vectors: ReadonlyMap<string, number>,
): ModelOutput["others"] {
  const current = config && configKey(config);
  const all = new Map([...added, ...models.map((each) => each.config)].map((each) => [configKey(each), each]));
  return [...all]
    .filter(([key]) => key !== current)
    .map(([key, each]) => {
      const vectorSets = models.filter((vectorSet) => configKey(vectorSet.config) === key);
      return {
        name: modelName(each),
        vectors: vectorSets.reduce((sum, vectorSet) => sum + (vectors.get(vectorSet.key) ?? 0), 0),
      };
    });
}

function shownModel(
  config: ModelConfig,
  licence: string | undefined,
  { root }: Workspace,
  environment: Environment,
): NonNullable<ModelOutput["model"]> {
  const place = config.provider === "http" ? config.url : shownPlace(config.folder, root, environment);
  return { name: modelName(config), provider: config.provider, place, ...(licence ? { licence } : {}) };
}
