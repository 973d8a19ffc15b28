import { DossierError } from "../../errors.ts";
import { repositoryState } from "../../git/head.ts";
import { readCommits, readMessages } from "../../git/log.ts";
import { commitItemId, pageSize } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { claimLock } from "../files/build-lock.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import {
  type HistoryState,
  type HistoryWindow,
  isOfState,
  readHistoryState,
  writeHistoryState,
} from "./history-state.ts";
import { countCommits } from "./line-counts.ts";
import { type HistoryPlan, makePlan } from "./plan.ts";
import { HistoryWriter } from "./writer.ts";

export type HistoryOptions = {
  /**
   * Years before the checked-out commit, exactly; 0 for everything. Default: as in the last run, or five years and
   * `atLeast` commits.
   */
  years?: number;
  /** The number of newest commits that are read whatever their age, if `years` is not given. */
  atLeast?: number;
  /** Read every commit again. */
  force?: boolean;
  /** Milliseconds to wait for another process that writes the index. */
  patience?: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

export type HistoryReport = { added: number; removed: number; total: number; warnings: string[] };

const defaultYears = 5;
/**
 * A small or quiet project keeps its whole history, for about a second of indexing; in a busy one five years have more
 * commits.
 */
const fewestCommits = 2000;
const defaultPatience = 5000;
/**
 * Commits whose lines are counted during indexing, and the time limit; other commits are counted when they are shown.
 */
const mostCounted = 1000;
const countingTime = 2000;

/** Limit of warnings that later runs repeat. */
const mostWarnings = 3;

const running = new WeakMap<Workspace, Promise<HistoryReport>>();

/**
 * Brings the commits up to date with what is checked out; the cost depends on what differs. Outside a repository,
 * before its first commit and without git there is no history, which is no error. Concurrent calls run one after the
 * other.
 */
export async function refreshHistory(workspace: Workspace, options: HistoryOptions = {}): Promise<HistoryReport> {
  for (let current = running.get(workspace); current; current = running.get(workspace)) {
    await current.catch(() => undefined); // its caller got the error
  }
  const run = bringUpToDate(workspace, options).finally(() => running.delete(workspace));
  running.set(workspace, run);
  return run;
}

async function bringUpToDate(
  workspace: Workspace,
  options: HistoryOptions,
  isAlone = workspace.indexLock === undefined,
): Promise<HistoryReport> {
  const { root, owner, store, indexLock } = workspace;
  const { signal, force = false, patience = defaultPatience } = options;
  stopIfAborted(signal);
  const shelf = store.shelf("commit");
  const [state, stored] = await Promise.all([repositoryState(root, signal), readHistoryState(shelf, owner)]);
  const window = windowOf(options, stored);
  const total = async () => (await shelf.termStatistics(owner, "unit", [])).count;
  if (!force && stored && isOfState(stored, state, window)) {
    return { added: 0, removed: 0, total: await total(), warnings: stored.warnings };
  }
  if (!stored && !state?.head && (await total()) === 0) return { added: 0, removed: 0, total: 0, warnings: [] };
  // On a server one process does this for all; those that waited find it done.
  if (indexLock && !isAlone) {
    const release = await claimLock(() => indexLock(owner), { signal, patience });
    return bringUpToDate(workspace, options, true).finally(release);
  }

  const plan = await makePlan(workspace, state, force ? undefined : stored, window, signal);
  stopIfAborted(signal);
  if ("missing" in plan) return { added: 0, removed: 0, total: await total(), warnings: [] };
  if ("failure" in plan) {
    const warnings = [`The history was not brought up to date; git says: ${plan.failure}.`];
    return { added: 0, removed: 0, total: await total(), warnings };
  }
  const warnings = await carryOut(workspace, plan, stored, options);
  return { added: plan.added.length, removed: plan.removed.length, total: await total(), warnings };
}

function windowOf(
  { years, atLeast = fewestCommits }: Pick<HistoryOptions, "years" | "atLeast">,
  stored?: HistoryState,
): HistoryWindow {
  if (years !== undefined) return { years, atLeast: 0 };
  if (!stored) return { years: defaultYears, atLeast };
  // States without `atLeast` have other years than the default only if the user asked for them.
  return { years: stored.years, atLeast: stored.atLeast ?? (stored.years === defaultYears ? atLeast : 0) };
}

/** Whether the commits were indexed completely before: then only new ones are read. */
export async function isHistoryBegun({ owner, store }: Pick<Workspace, "owner" | "store">): Promise<boolean> {
  return (await readHistoryState(store.shelf("commit"), owner))?.complete === true;
}

/** A sentence for a question about history if older commits are not indexed: finding nothing then proves nothing. */
export async function unreadHistory({ owner, store }: Pick<Workspace, "owner" | "store">): Promise<string[]> {
  const stored = await readHistoryState(store.shelf("commit"), owner);
  if (!stored?.older) return [];
  const month = new Date(stored.since).toISOString().slice(0, "2026-01".length);
  return [`The history is read since ${month}; dossier index --history-years 0 reads all of it.`];
}

/** Whether the index is up to date and there are no warnings. */
export async function isHistoryCurrent({ root, owner, store }: Workspace, signal?: AbortSignal): Promise<boolean> {
  const shelf = store.shelf("commit");
  const [state, stored] = await Promise.all([repositoryState(root, signal), readHistoryState(shelf, owner)]);
  if (!stored) return !state?.head && (await shelf.termStatistics(owner, "unit", [])).count === 0;
  return stored.warnings.length === 0 && isOfState(stored, state, windowOf({}, stored));
}

/** Returns warnings. After an interruption the written commits stay, and the next run continues. */
async function carryOut(
  workspace: Workspace,
  plan: HistoryPlan,
  before: HistoryState | undefined,
  options: HistoryOptions,
): Promise<string[]> {
  const { owner, store } = workspace;
  const { signal, patience = defaultPatience } = options;
  const shelf = store.shelf("commit");
  const remember = (stored: HistoryState) => patiently(patience, () => writeHistoryState(shelf, owner, stored));
  const unfinished = before?.complete === false;
  // Until the run is complete, commits at the old boundary may still lack their files, like those at the new one.
  const boundary = [...new Set([...(before?.boundary ?? []), ...plan.state.boundary])];
  const inProgress: HistoryState = { ...plan.state, complete: false, boundary };
  if (plan.anew) {
    await remember({ ...inProgress, anew: true });
    await clear(store, owner, patience);
  }
  await remember(inProgress);

  const { builtinEmbedder } = await import("../../embed/builtin.ts");
  const embedder = unfinished || plan.anew ? undefined : await builtinEmbedder(shelf, owner);
  const writer = new HistoryWriter({ store, owner, patience, embedder, replaced: plan.replaced });
  if (plan.removed.length > 0) await writer.remove(plan.removed);
  await writer.joinPage(plan.added.length);
  const newWarnings = await readInto(workspace, plan, writer, options);
  const warnings = [...new Set([...newWarnings, ...plan.state.warnings])].slice(0, mostWarnings);
  await writer.flush();

  const counting = countCommits(workspace, plan.added.slice(0, mostCounted), { deadline: countingTime, signal });
  const embedded = embed(shelf, owner, plan.added, { unfinished, embeddedBy: embedder?.revision }, options);
  await Promise.all([counting, embedded]);
  stopIfAborted(signal);
  await remember({ ...plan.state, warnings });
  return warnings;
}

async function clear(store: Store, owner: string, patience: number): Promise<void> {
  const shelf = store.shelf("commit");
  const pagesPerWrite = 10;
  const shas = await store.commits.shas(owner);
  for (let from = 0; from < shas.length; from += pagesPerWrite * pageSize) {
    const removed = shas.slice(from, from + pagesPerWrite * pageSize);
    await patiently(patience, () => store.commits.write(owner, { added: [], removed }));
  }
  const pages = await shelf.files(owner);
  for (let from = 0; from < pages.length; from += pagesPerWrite) {
    const removed = pages.slice(from, from + pagesPerWrite).map(({ path }) => path);
    await patiently(patience, () => shelf.write(owner, { files: [], removed }));
  }
}

async function readInto(
  { root }: Workspace,
  { added, state: { below, boundary } }: HistoryPlan,
  writer: HistoryWriter,
  { signal, progress }: HistoryOptions,
): Promise<string[]> {
  const cut = new Set(boundary);
  let done = 0;
  const take = async (commit: Parameters<HistoryWriter["add"]>[0]) => {
    // The parents are missing, so the commit would seem to add every file.
    await writer.add(cut.has(commit.sha) ? { ...commit, files: [] } : commit);
    if (++done % 100 === 0 || done === added.length) progress?.({ stage: "history", done, total: added.length });
    stopIfAborted(signal);
  };
  const end = await readCommits(root, added, take, { below: below !== "", signal });
  stopIfAborted(signal);
  if ("ended" in end) return [];
  const cause = "failure" in end ? `git says: ${end.failure}` : "git is not installed or not on the PATH";
  const rest = added.slice(done);
  // Without trees it is unknown which commits touch a folder.
  const messages = below === "" ? await readMessages(root, rest, take, signal) : end;
  stopIfAborted(signal);
  if ("ended" in messages) {
    return [
      `Only the messages are known of ${commits(rest.length)}: this clone lacks the files they touch (${cause}).`,
    ];
  }
  return [`Nothing could be read of ${commits(added.length - done)} (${cause}).`];
}

function commits(count: number): string {
  return count === 1 ? "1 commit" : `${count} commits`;
}

async function embed(
  shelf: Store,
  owner: string,
  added: string[],
  { unfinished, embeddedBy }: { unfinished: boolean; embeddedBy?: string },
  { signal, progress }: HistoryOptions,
): Promise<void> {
  const { count } = await shelf.termStatistics(owner, "unit", []);
  let changedIds = added.map(commitItemId);
  if (unfinished) {
    changedIds = [];
    for await (const batch of shelf.allTerms(owner, "unit")) for (const { id } of batch) changedIds.push(id);
  }
  if (changedIds.length === 0) return;
  const { updateVectors } = await import("../../embed/builtin.ts");
  try {
    await updateVectors(shelf, owner, { changedIds, total: count, embeddedBy }, { signal, progress });
  } catch (error) {
    if (error instanceof DossierError && error.code === "interrupted") stopIfAborted(signal);
    throw error;
  }
}
