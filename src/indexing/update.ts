import { availableParallelism } from "node:os";
import { DossierError } from "../errors.ts";
import type { FileState } from "../stores/store.ts";
import { listFiles } from "../tree/list.ts";
import { defaultMaxFileBytes } from "../tree/skip.ts";
import type { Workspace } from "../workspace.ts";
import { compare, type Plan } from "./compare.ts";
import { describePath, type Ground, type Job, type Outcome } from "./describe.ts";
import { type Memory, readMemory, writeMemory } from "./memory.ts";
import { openPool, type Pool } from "./pool.ts";
import { countSkipped, type IndexReport } from "./report.ts";
import { Writer } from "./writer.ts";

export type UpdateOptions = {
  /** Describe every file again, changed or not. */
  force?: boolean;
  /** Begin with an empty index. */
  rebuild?: boolean;
  /** Larger files are skipped; the last run's limit, or 1 MiB, by default. */
  maxFileBytes?: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number; detail?: string }) => void;
  /** Worker threads for larger updates; 0 does everything in this thread. */
  workers?: number;
  /** The workers' program, the built one by default. */
  workerScript?: string;
  /** How long to wait for another process that writes the index, milliseconds. */
  patience?: number;
};

/** Below these, starting threads takes longer than the work; a single large file still gets one, so that it may be given up. */
const fewFiles = 24;
const fewBytes = 1024 * 1024;

/** Jobs per worker: one at work, one waiting, so that a worker does not idle while results are written. */
const jobsPerWorker = 2;

const defaultPatience = 60_000;

/** Brings the store up to date with the disk, at the cost of what changed. */
export async function updateIndex(workspace: Workspace, options: UpdateOptions = {}): Promise<IndexReport> {
  const began = performance.now();
  const checkedAt = Date.now();
  const { root, owner } = workspace;
  const { signal, progress } = options;
  stopIfAborted(signal);
  if (options.rebuild) await workspace.rebuild();
  const { store } = workspace;

  progress?.({ stage: "listing", done: 0 });
  const [listing, states, remembered] = await Promise.all([
    listFiles(root, { signal }),
    store.files(owner),
    readMemory(store, owner),
  ]);
  const memory: Memory = remembered ?? { checkedAt: 0, skipped: new Map(), vectorsPending: false };
  const maxFileBytes = options.maxFileBytes ?? memory.maxFileBytes ?? defaultMaxFileBytes;
  const known = new Map(states.map((state) => [state.path, state]));
  // Without a memory, or with one of another format, what the store holds was described differently or not to the end.
  const all = options.force || (!remembered && known.size > 0);
  const plan = compare(listing, known, memory, maxFileBytes, all);

  const writer = new Writer(store, owner, known, plan, options.patience ?? defaultPatience);
  if (writer.isNeeded || memory.vectorsPending) {
    const next: Memory = { ...memory, maxFileBytes, skipped: keepListed(memory, plan), vectorsPending: true };
    await writer.patiently(() => writeMemory(store, owner, next));
    await runJobs(plan.jobs, { root, maxFileBytes }, options, writer);
  }
}
