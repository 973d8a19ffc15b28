import { DossierError } from "../../../errors.ts";
import type { IndexingState, Progress } from "../../../operations/core/operation.ts";
import { hasLeft, type WorkerPool } from "./pool.ts";

/** Indexing for each owner, in worker processes: one run at a time; requests that come meanwhile share the next one. */
export type BackgroundIndexing = {
  /**
   * Brings sources up to date; returns warnings. Waits at most as long as the caller may, and warns if that was not
   * enough.
   */
  refresh(owner: string, sources: readonly string[], options?: RefreshOptions): Promise<string[]>;
  /** Indexes what was written, in a moment, whether anybody asks or not. */
  written(owner: string): void;
  state(owner: string): IndexingState | undefined;
  close(): void;
};

type RefreshOptions = {
  /** Milliseconds to wait; without a limit if progress is followed. */
  patience?: number;
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
};

export type IndexingOptions = {
  pool: WorkerPool;
  /** Called when an owner's index has changed. */
  onChanged?: (owner: string) => void;
};

/** Milliseconds to wait after a write, since several writes come together. */
const afterWrite = 100;
const ofLibrary = ["document", "message"] as const;

type Run = {
  sources: Set<string>;
  last?: Progress;
  result: Promise<string[]>;
  /** Requests that wait for it. */
  waiting: number;
  /** It was promised to a caller, or indexes what was written: it goes on even if nobody waits. */
  isPromised: boolean;
  stop: AbortController;
};

type Owner = {
  running?: Run;
  next?: Run;
  timer?: NodeJS.Timeout;
  /** Progress listeners of all its runs. */
  followers: Set<(progress: Progress) => void>;
};

export function createIndexing(options: IndexingOptions): BackgroundIndexing {
  return new PooledIndexing(options);
}

class PooledIndexing implements BackgroundIndexing {
  readonly #pool: WorkerPool;
  readonly #onChanged: IndexingOptions["onChanged"];
  readonly #owners = new Map<string, Owner>();

  constructor({ pool, onChanged }: IndexingOptions) {
    this.#pool = pool;
    this.#onChanged = onChanged;
  }

  async refresh(
    name: string,
    sources: readonly string[],
    { patience, progress, signal }: RefreshOptions = {},
  ): Promise<string[]> {
    const run = this.#nextRun(name);
    for (const source of sources) run.sources.add(source);
    const { followers } = this.#ownerOf(name);
    if (progress) followers.add(progress);
    const unlimited = progress !== undefined || patience === undefined;
    run.waiting++;
    try {
      const inTime = await within(run.result, unlimited ? undefined : patience, signal);
      if (inTime === undefined) run.isPromised = true;
      return inTime ?? [notReady];
    } catch (error) {
      // Everything indexed so far can still be searched.
      if (!(error instanceof DossierError) || error.code !== "worker-crashed") throw error;
      return [`The index was not brought up to date: ${error.message}`];
    } finally {
      if (progress) followers.delete(progress);
      run.waiting--;
      if (hasLeft({ signal })) this.#giveUp(name, run, signal?.reason);
    }
  }

  written(name: string): void {
    const owner = this.#ownerOf(name);
    owner.timer ??= setTimeout(() => {
      owner.timer = undefined;
      promiseLibrary(this.#nextRun(name));
    }, afterWrite).unref();
  }

  state(name: string): IndexingState | undefined {
    const owner = this.#owners.get(name);
    if (!owner) return undefined;
    const { stage = "waiting", done = 0, total } = owner.running?.last ?? {};
    return { stage, done, ...(total !== undefined && { total }) };
  }

  close(): void {
    for (const { timer } of this.#owners.values()) clearTimeout(timer);
    this.#owners.clear();
  }

  #ownerOf(name: string): Owner {
    let owner = this.#owners.get(name);
    if (!owner) this.#owners.set(name, (owner = { followers: new Set() }));
    return owner;
  }

  /** A run that has not begun, and so will see everything written until now. */
  #nextRun(name: string): Run {
    const owner = this.#ownerOf(name);
    if (owner.next) return owner.next;
    const run: Run = {
      sources: new Set(),
      result: Promise.resolve([]),
      waiting: 0,
      isPromised: false,
      stop: new AbortController(),
    };
    owner.next = run;
    // On the next turn of the event loop, so that simultaneous requests share one run.
    run.result = (owner.running?.result ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#begin(name, owner, run));
    // Its failure goes to the callers that wait for the run.
    run.result.catch(() => undefined);
    return run;
  }

  async #begin(name: string, owner: Owner, run: Run): Promise<string[]> {
    // The run may have been replaced, after it was given up before it began.
    if (owner.next === run) owner.next = undefined;
    if (run.stop.signal.aborted) {
      this.#forgetIdle(name, owner);
      throw run.stop.signal.reason;
    }
    owner.running = run;
    // This run also covers what was written meanwhile.
    if (owner.timer) promiseLibrary(run);
    clearTimeout(owner.timer);
    owner.timer = undefined;
    try {
      return await this.#runInPool(name, owner, run);
    } finally {
      owner.running = undefined;
      this.#forgetIdle(name, owner);
    }
  }

  async #runInPool(name: string, { followers }: Owner, run: Run): Promise<string[]> {
    const job = { kind: "refresh" as const, owner: name, sources: [...run.sources] };
    const output = await this.#pool.run(job, {
      owner: name,
      operation: job.kind,
      repeatable: true,
      signal: run.stop.signal,
      onProgress: (progress) => {
        run.last = progress;
        for (const follow of followers) follow(progress);
      },
      onChanged: () => this.#onChanged?.(name),
    });
    return output as string[];
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (!owner.next && !owner.timer) this.#owners.delete(name);
  }

  /** A waiting request has left. What was indexed so far is kept. */
  #giveUp(name: string, run: Run, reason: unknown): void {
    if (run.waiting > 0 || run.isPromised) return;
    const owner = this.#owners.get(name);
    if (owner?.next === run) owner.next = undefined;
    run.stop.abort(reason);
  }
}

/** The run indexes documents and messages, even if nobody waits for it. */
function promiseLibrary(run: Run): void {
  run.isPromised = true;
  for (const source of ofLibrary) run.sources.add(source);
}

const notReady =
  "The newest files, documents and messages are still being indexed: this answer is made from what was indexed before.";

/** The result, or undefined when it took longer. */
async function within<Result>(
  result: Promise<Result>,
  milliseconds: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let leave: () => void = () => undefined;
  const timeout = new Promise<undefined>((resolve, reject) => {
    if (milliseconds !== undefined) timer = setTimeout(() => resolve(undefined), milliseconds);
    leave = () => reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}
