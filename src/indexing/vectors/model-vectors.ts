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
import { modelTexts } from "./model-texts.ts";

/** Vectors of the workspace's language model, made after the text index stands: batch by batch, resumed where it ended, only for what changed. */

export type VectorRun = {
  state: "none" | "complete" | "busy" | "unasked" | "stopped";
  /** Vectors that this run made. */
  made: number;
  seconds: number;
  warnings: string[];
};

export type VectorRunOptions = {
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number; detail?: string }) => void;
  /** Awaited before each batch: whoever embeds in the background lets questions go first. */
  whenQuiet?: () => Promise<void>;
  /** Milliseconds to wait for another process that makes them, or for the lease of one that is gone. */
  wait?: number;
  now?: () => number;
};

/** How long another process may hold the store. */
const patience = 10_000;
/** Items that are looked up at once, and of these the texts that a model is given at once, of like length. */
const lookedUp = 512;
const batchSize = 32;
/** Of a batch, what a local model is given before it is looked again whether somebody asks: a tenth of a second's work. */
const beforeQuestions = 8;
const serverBatches = { size: 32, atOnce: 4 };
/** A process that was killed holds the lease so long; a batch that takes longer is renewed meanwhile. */
const leaseTime = 20_000;

const betweenLooks = 500;
/** After so long whoever holds the lease is alive. */
export const leaseWait = leaseTime + 2 * betweenLooks;

let runs = 0;

/** Makes the vectors that are missing. Never throws for what a model does: its failure is a warning, and what was made stays. */
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
    const left = run.made > 0 ? ` ${run.made} were made and stay.` : "";
    return ended("stopped", run.made, [`Vectors of ${modelName(config)} are not complete: ${error.message}${left}`]);
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

  /** One process at a time makes the vectors of a workspace. */
  async holds(): Promise<boolean> {
    if (!(await this.#lease(leaseTime))) return false;
    // Renewed by the clock: one batch of a slow model may take longer than the lease.
    this.#renewal = setInterval(() => {
      this.#lease(leaseTime).catch(() => undefined); // a locked store is tried again in time
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

  /** True when every item has its vector; false when it was stopped, or another model is configured meanwhile. */
  async toTheEnd(): Promise<boolean> {
    forgetFailure(this.#config);
    const embedder = await openedModel(this.#config);
    const known = await this.#known(embedder);
    const { items: total, vectors } = await vectorProgress(this.#workspace);
    let done = vectors.get(known.key) ?? 0;
    this.#tell(done, total);
    for (const shelf of shelves) {
      for (;;) {
        const slots = await this.#missing(shelf, known.key);
        if (slots.length === 0) break;
        for await (const count of this.#fill(shelf, slots, known, embedder)) {
          done += count;
          this.#tell(done, Math.max(total, done));
          if (!(await this.#goesOn())) return false;
        }
      }
    }
    await this.#complete(known);
    return true;
  }

  async #missing(shelf: Shelf, key: string): Promise<EmptySlot[]> {
    const { store, owner } = this.#workspace;
    return store.shelf(shelf).modelVectors.missing(owner, key, lookedUp);
  }

  /** Embeds and writes these, and yields how many after each batch. */
  async *#fill(
    shelf: Shelf,
    slots: EmptySlot[],
    { key, id }: KnownVectors,
    embedder: ModelEmbedder,
  ): AsyncIterable<number> {
    const { signal, whenQuiet } = this.#options;
    const { store, owner } = this.#workspace;
    const texts = await modelTexts(
      shelf,
      slots.map(({ item }) => item),
      this.#workspace,
    );
    const read = slots.map(({ slot, item }) => ({ slot, text: texts.get(item.id) ?? "" }));
    // Texts of like length together: a batch is as slow as its longest.
    read.sort((a, b) => a.text.length - b.text.length);
    const size = this.#batchSize();
    for (let from = 0; from < read.length; from += size) {
      await whenQuiet?.();
      if (signal?.aborted) throw new DossierError("interrupted", "Making vectors was interrupted.");
      const batch = read.slice(from, from + size);
      // What has no text, or none of its own, gets the vector that is near to nothing.
      const told = batch.filter(({ text }) => text !== "");
      const made: Int8Array[] = [];
      for (const some of this.#inTurns(told)) {
        if (made.length > 0) await whenQuiet?.();
        made.push(...(await embedder.embedItems(some.map(asEmbeddable), signal)));
      }
      const checked = checkedVectors(made, told.length, id.dimensions, this.#config);
      let next = 0;
      const vectors = batch.map(({ text }) => (text === "" ? new Int8Array(id.dimensions) : checked[next++]!));
      const filled = new Map(batch.map(({ slot }, i) => [slot, vectors[i]!]));
      await patiently(patience, () => store.shelf(shelf).modelVectors.write(owner, key, filled));
      this.made += batch.length;
      await nextTurn();
      yield batch.length;
    }
  }

  /** What is given to the model at once: a server is asked for all, its questions do not wait for ours. */
  #inTurns<Text>(texts: Text[]): Text[][] {
    const size = this.#config.provider === "http" ? texts.length : beforeQuestions;
    const turns: Text[][] = [];
    for (let from = 0; from < texts.length; from += size) turns.push(texts.slice(from, from + size));
    return turns;
  }

  /** What is written together: as many as a server is asked for at once. */
  #batchSize(): number {
    if (this.#config.provider !== "http") return batchSize;
    const { batchSize: each = serverBatches.size, concurrency = serverBatches.atOnce } = this.#config;
    return each * concurrency;
  }

  /** Writes down whose vectors these will be. */
  async #known(embedder: ModelEmbedder): Promise<KnownVectors> {
    const key = vectorKey(embedder, this.#config);
    const { id, revision } = embedder;
    const known: KnownVectors = { key, config: this.#config, id, revision, complete: false };
    return this.#change((state) => {
      const before = state.models.find((each) => each.key === key);
      if (before && configKey(before.config) === configKey(this.#config)) return { state, result: before };
      const others = state.models.filter((each) => each.key !== key);
      const next = before ? { ...known, complete: before.complete } : known;
      return { state: { ...state, models: [...others, next] }, result: next };
    });
  }

  /** The old ones have answered until now; nobody asks for them any more. */
  async #complete({ key }: KnownVectors): Promise<void> {
    const { store, owner } = this.#workspace;
    const gone = await this.#change((state) => {
      const models = state.models
        .filter((each) => each.key === key)
        .map((each) => ({ ...each, complete: true, ...this.#rate() }));
      const left = state.models.filter((each) => each.key !== key);
      const isNews = left.length > 0 || !state.models.every((each) => each.complete);
      return { state: isNews ? { ...state, models } : state, result: left };
    });
    for (const old of gone) {
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

  /** Another model may be configured while this one is at work. */
  async #goesOn(): Promise<boolean> {
    const { config, waits } = await configuredModel(this.#workspace);
    return config !== undefined && waits === undefined && configKey(config) === configKey(this.#config);
  }

  #tell(done: number, total: number): void {
    const { rate } = this.#rate();
    const left = rate ? Math.ceil((total - done) / rate) : undefined;
    const detail = rate ? `${Math.round(rate)} a second, ${wordsFor(left!)} left` : modelName(this.#config);
    this.#options.progress?.({ stage: "embedding by model", done, total, detail });
  }
}

const noTerms = new Uint8Array(0);

function asEmbeddable({ text }: { text: string }): EmbeddableItem {
  return { text, terms: noTerms };
}

/** Vectors that the store can take: as many as texts, each as long as the model says. */
function checkedVectors(made: Int8Array[], count: number, dimensions: number, config: ModelConfig): Int8Array[] {
  const wrong = made.find(({ length }) => length !== dimensions);
  if (made.length === count && !wrong) return made;
  const what = wrong
    ? `a vector of ${wrong.length} components instead of ${dimensions}`
    : `${made.length} vectors for ${count} texts`;
  throw new DossierError("embedder-mismatch", `${modelName(config)} gave ${what}.`);
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
