import type { Store } from "../stores/store.ts";
import type { EmbedderId } from "./embedder.ts";
import type { ModelConfig, ModelEmbedder } from "./model-config.ts";

/** The models that made vectors for a workspace. Stored with the index, on the shelf of files. */
export type ModelState = {
  /** The model of dossier.json with absolute paths; without one only the built-in vectors are used. */
  configured?: ModelConfig;
  /** The user's consents, by `configKey`: to send texts to another machine, or to make all vectors again. */
  agreed: string[];
  /** Models that have vectors here, complete or not. */
  models: KnownVectors[];
  /** Models that were added; the user can choose them again by name. */
  added: ModelConfig[];
};

export type KnownVectors = {
  /** The store's key for these vectors. */
  key: string;
  config: ModelConfig;
  id: EmbedderId;
  revision: string;
  /** True if every item had its vector when this state was written. */
  complete: boolean;
  /** Items per second in the last batches, for an estimate. */
  rate?: number;
};

const note = "model";

export async function readModelState(store: Store, owner: string): Promise<ModelState> {
  const bytes = await store.shelf("files").metadata(owner, note);
  if (!bytes || bytes.length === 0) return { agreed: [], models: [], added: [] };
  return JSON.parse(new TextDecoder().decode(bytes)) as ModelState;
}

export async function writeModelState(store: Store, owner: string, state: ModelState): Promise<void> {
  await store.shelf("files").writeMetadata(owner, note, new TextEncoder().encode(JSON.stringify(state)));
}

/** A key that is the same for the same settings, whatever their order. */
export function configKey(config: ModelConfig): string {
  return JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Version of the text that is embedded for an item; raising it makes all vectors again. */
const textFormat = 1;

/** The name of the vectors of one model, one version of its weights, and one prefix. */
export function vectorKey({ id, revision }: Pick<ModelEmbedder, "id" | "revision">, config: ModelConfig): string {
  const { provider, model, dimensions, prefix = "" } = id;
  return JSON.stringify([provider, model, dimensions, prefix, config.passagePrefix ?? "", revision, textFormat]);
}

/** The model's name in messages. */
export function modelName(config: ModelConfig): string {
  return config.model ?? (config.provider === "http" ? config.url : lastPart(config.folder));
}

function lastPart(folder: string): string {
  return folder.replace(/[\\/]+$/, "").replace(/^.*[\\/]/, "");
}

/** Folders and servers on this machine need no consent, since texts sent to them do not leave it. */
export function isLocalModel(config: ModelConfig): boolean {
  if (config.provider !== "http") return true;
  const host = new URL(config.url).hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function isAgreed({ agreed }: ModelState, config: ModelConfig): boolean {
  return agreed.includes(configKey(config));
}

/**
 * The vectors that queries are compared with: those of the configured model once they are complete; until then, those
 * of the previous model.
 */
export function answeringVectors({ configured, models }: ModelState): KnownVectors | undefined {
  if (!configured) return undefined;
  const wantedKey = configKey(configured);
  const complete = models.find(({ config, complete }) => complete && configKey(config) === wantedKey);
  return complete ?? models.find(({ complete }) => complete);
}

/** The vectors of this model, complete or not; undefined if there are none. */
export function knownVectors({ models }: ModelState, config: ModelConfig): KnownVectors | undefined {
  const wantedKey = configKey(config);
  return models.findLast((each) => configKey(each.config) === wantedKey);
}
