import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { EmbeddableItem } from "../../embed/embedder.ts";
import type { ModelConfig, ModelEmbedder } from "../../embed/model-config.ts";
import {
  configKey,
  type KnownVectors,
  type ModelState,
  modelName,
  readModelState,
  vectorKey,
  writeModelState,
} from "../../embed/model-state.ts";
import { forgetFailure, openedModel } from "../../embed/opened-models.ts";
import { DossierError } from "../../errors.ts";
import type { EmptySlot } from "../../stores/model-vectors.ts";
import { type Shelf, shelves } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { patiently } from "../files/writer.ts";
import { configuredModel, vectorProgress } from "./configured-model.ts";

/**
 * Vectors of the workspace's language model, made after the text index: in batches, resumed after an interruption, only
 * for what changed.
 */

export type VectorRun = {
  state: "none" | "complete" | "busy" | "unasked" | "stopped";
  /** Number of vectors that this run made. */
  made: number;
  seconds: number;
  warnings: string[];
};

export type VectorRunOptions = {
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number; detail?: string }) => void;
  /** Awaited before each batch, so that background work lets questions go first. */
  whenQuiet?: () => Promise<void>;
  /** Milliseconds to wait for another process that makes vectors, or until the lease of a dead one expires. */
  wait?: number;
  now?: () => number;
};

/** Milliseconds to wait for another process that holds the store. */
const patience = 10_000;
/** Items that are looked up at once, and texts of similar length that a model gets at once. */
const lookedUp = 512;
const batchSize = 32;
/** Part of a batch that a local model gets before questions may go first again: a tenth of a second of work. */
const beforeQuestions = 8;
const serverBatches = { size: 32, atOnce: 4 };
/** Lease time: a killed process keeps the lease this long. A longer batch renews it. */
const leaseTime = 20_000;

const betweenLooks = 500;
/** If a lease is still held after this wait, its holder is alive. */
export const leaseWait = leaseTime + 2 * betweenLooks;

let runs = 0;

/** Makes the missing vectors. A failure of the model is a warning, not an error, and finished vectors stay. */
export async function makeVectors(workspace: Workspace, options: VectorRunOptions = {}): Promise<VectorRun> {
  const began = performance.now();
  const ended = (state: VectorRun["state"], made = 0, warnings: string[] = []): VectorRun => {
    return { state, made, seconds: (performance.now() - began) / 1000, warnings };
  };
  const { config, waits } = await configuredModel(workspace);
  if (!config) return ended("none");
  if (waits !== undefined) return ended("unasked", 0, [waits]);
  const run = new Run(workspace, config, options);
  for (let waited = 0; !(await run.holds()); waited += betweenLooks) {
    if (waited >= (options.wait ?? 0) || options.signal?.aborted) return ended("busy");
    await sleep(betweenLooks);
  }
  try {
    const complete = await run.toTheEnd();
    return ended(complete ? "complete" : "stopped", run.made);
  } catch (error) {
    if (options.signal?.aborted) return ended("stopped", run.made);
    if (!(error instanceof DossierError)) throw error;
    if (error.code.startsWith("store-") && error.code !== "store-locked") throw error;
    const remark = run.made > 0 ? ` ${run.made} were made and stay.` : "";
    return ended("stopped", run.made, [`Vectors of ${modelName(config)} are not complete: ${error.message}${remark}`]);
  } finally {
    await run.release();
  }
}

class Run {
  made = 0;
  readonly #workspace: Workspace;
  readonly #config: ModelConfig;
  readonly #options: VectorRunOptions;
  readonly #holder = `${process.pid}-${++runs}-${hashText(String(performance.timeOrigin))}`;
  readonly #began = performance.now();
  #renewal: NodeJS.Timeout | undefined;

  constructor(workspace: Workspace, config: ModelConfig, options: VectorRunOptions) {
    this.#workspace = workspace;
    this.#config = config;
    this.#options = options;
  }

  /** Whether this process holds the lease: one process at a time makes the vectors of a workspace. */
  async holds(): Promise<boolean> {
    if (!(await this.#lease(leaseTime))) return false;
    // A timer renews the lease: one batch of a slow model may take longer than the lease.
    this.#renewal = setInterval(() => {
      this.#lease(leaseTime).catch(() => undefined); // if the store is locked, the next renewal is in time
    }, leaseTime / 4);
    this.#renewal.unref();
    return true;
  }

  async release(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#lease(0);
  }

  #lease(length: number): Promise<boolean> {
    const { store, owner } = this.#workspace;
    const now = (this.#options.now ?? Date.now)();
    return patiently(patience, () => store.modelVectors.lease(owner, this.#holder, now, now + length));
  }

  /** True if every item has its vector; false if stopped, or if another model was configured meanwhile. */
  async toTheEnd(): Promise<boolean> {
    forgetFailure(this.#config);
    const embedder = await openedModel(this.#config);
    const target = await this.#register(embedder);
    const { items: total, vectors } = await vectorProgress(this.#workspace);
    let done = vectors.get(target.key) ?? 0;
    this.#tell(done, total);
    for (const shelf of shelves) {
      for (;;) {
        const slots = await this.#missing(shelf, target.key);
        if (slots.length === 0) break;
        for await (const count of this.#fill(shelf, slots, target, embedder)) {
          done += count;
          this.#tell(done, Math.max(total, done));
          if (!(await this.#goesOn())) return false;
        }
      }
    }
    await this.#complete(target);
    return true;
  }

  async #missing(shelf: Shelf, key: string): Promise<EmptySlot[]> {
    const { store, owner } = this.#workspace;
    return store.shelf(shelf).modelVectors.missing(owner, key, lookedUp);
  }

  /** Embeds and writes these items, and yields the count after each batch. */
  async *#fill(
    shelf: Shelf,
    slots: EmptySlot[],
    { key, id }: KnownVectors,
    embedder: ModelEmbedder,
  ): AsyncIterable<number> {
    const { signal, whenQuiet } = this.#options;
    const { store, owner } = this.#workspace;
    // Loaded here, since most workspaces have no model.
    const { modelTexts } = await import("./model-texts.ts");
    const texts = await modelTexts(
      shelf,
      slots.map(({ item }) => item),
      this.#workspace,
    );
    const inputs = slots.map(({ slot, item }) => ({ slot, text: texts.get(item.id) ?? "" }));
    // Sorted by length: a batch is as slow as its longest text.
    inputs.sort((a, b) => a.text.length - b.text.length);
    const size = this.#batchSize();
    for (let from = 0; from < inputs.length; from += size) {
      await whenQuiet?.();
      if (signal?.aborted) throw new DossierError("interrupted", "Making vectors was interrupted.");
      const batch = inputs.slice(from, from + size);
      // Items without text get the zero vector, which is similar to nothing.
      const nonEmpty = batch.filter(({ text }) => text !== "");
      const embedded: Int8Array[] = [];
      for (const part of this.#inTurns(nonEmpty)) {
        if (embedded.length > 0) await whenQuiet?.();
        embedded.push(...(await embedder.embedItems(part.map(asEmbeddable), signal)));
      }
      const checked = checkedVectors(embedded, nonEmpty.length, id.dimensions, this.#config);
      let next = 0;
      const vectors = batch.map(({ text }) => (text === "" ? new Int8Array(id.dimensions) : checked[next++]!));
      const filled = new Map(batch.map(({ slot }, i) => [slot, vectors[i]!]));
      await patiently(patience, () => store.shelf(shelf).modelVectors.write(owner, key, filled));
      this.made += batch.length;
      await nextTurn();
      yield batch.length;
    }
  }

  /** Texts per call of the model: a server gets all at once, since its requests do not block questions here. */
  #inTurns<Text>(texts: Text[]): Text[][] {
    const size = this.#config.provider === "http" ? texts.length : beforeQuestions;
    const turns: Text[][] = [];
    for (let from = 0; from < texts.length; from += size) turns.push(texts.slice(from, from + size));
    return turns;
  }

  /** Items per write: as many as one request to a server takes. */
  #batchSize(): number {
    if (this.#config.provider !== "http") return batchSize;
    const { batchSize: each = serverBatches.size, concurrency = serverBatches.atOnce } = this.#config;
    return each * concurrency;
  }

  /** Records the model and configuration of these vectors. */
  async #register(embedder: ModelEmbedder): Promise<KnownVectors> {
    const key = vectorKey(embedder, this.#config);
    const { id, revision } = embedder;
    const added: KnownVectors = { key, config: this.#config, id, revision, complete: false };
    return this.#change((state) => {
      const before = state.models.find((each) => each.key === key);
      if (before && configKey(before.config) === configKey(this.#config)) return { state, result: before };
      const others = state.models.filter((each) => each.key !== key);
      const next = before ? { ...added, complete: before.complete } : added;
      return { state: { ...state, models: [...others, next] }, result: next };
    });
  }

  /** Removes the vectors of earlier models, which were used until this run was complete. */
  async #complete({ key }: KnownVectors): Promise<void> {
    const { store, owner } = this.#workspace;
    const replaced = await this.#change((state) => {
      const models = state.models
        .filter((each) => each.key === key)
        .map((each) => ({ ...each, complete: true, ...this.#rate() }));
      const others = state.models.filter((each) => each.key !== key);
      const isNews = others.length > 0 || !state.models.every((each) => each.complete);
      return { state: isNews ? { ...state, models } : state, result: others };
    });
    for (const old of replaced) {
      for (const shelf of shelves)
        await patiently(patience, () => store.shelf(shelf).modelVectors.forget(owner, old.key));
    }
  }

  #rate(): { rate?: number } {
    const seconds = (performance.now() - this.#began) / 1000;
    return this.made > 0 && seconds > 0 ? { rate: this.made / seconds } : {};
  }

  async #change<Result>(change: (state: ModelState) => { state: ModelState; result: Result }): Promise<Result> {
    const { store, owner } = this.#workspace;
    return patiently(patience, async () => {
      const before = await readModelState(store, owner);
      const { state, result } = change(before);
      if (state !== before) await writeModelState(store, owner, state);
      return result;
    });
  }

  /** Another model may have been configured meanwhile. */
  async #goesOn(): Promise<boolean> {
    const { config, waits } = await configuredModel(this.#workspace);
    return config !== undefined && waits === undefined && configKey(config) === configKey(this.#config);
  }

  #tell(done: number, total: number): void {
    const { rate } = this.#rate();
    const secondsLeft = rate ? Math.ceil((total - done) / rate) : undefined;
    const detail = rate ? `${Math.round(rate)} a second, ${wordsFor(secondsLeft!)} left` : modelName(this.#config);
    this.#options.progress?.({ stage: "embedding by model", done, total, detail });
  }
}

const noTerms = new Uint8Array(0);

function asEmbeddable({ text }: { text: string }): EmbeddableItem {
  return { text, terms: noTerms };
}

/** Checks that there are as many vectors as texts, each of the model's dimension. */
function checkedVectors(vectors: Int8Array[], count: number, dimensions: number, config: ModelConfig): Int8Array[] {
  const wrong = vectors.find(({ length }) => length !== dimensions);
  if (vectors.length === count && !wrong) return vectors;
  const mismatch = wrong
    ? `a vector of ${wrong.length} components instead of ${dimensions}`
    : `${vectors.length} vectors for ${count} texts`;
  throw new DossierError("embedder-mismatch", `${modelName(config)} gave ${mismatch}.`);
}

/** "40 seconds", "3 minutes". */
function wordsFor(seconds: number): string {
  const [count, unit] =
    seconds < 90
      ? [seconds, "second"]
      : seconds < 5400
        ? [Math.round(seconds / 60), "minute"]
        : [Math.round(seconds / 3600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
