import { DossierError } from "../errors.ts";
import type { Store } from "../stores/store.ts";
import { type RepositoryState, repositoryState } from "../tree/git-head.ts";
import { type CommitList, commitTime, type Listed, listCommits, readCommits, readMessages } from "../tree/git-log.ts";
import type { Workspace } from "../workspace.ts";
import { countCommits } from "./history-counts.ts";
import { type HistoryMemory, isOfPlace, isOfState, readHistoryMemory, writeHistoryMemory } from "./history-memory.ts";
import { HistoryWriter } from "./history-writer.ts";
import { stopIfAborted } from "./run.ts";
import { patiently } from "./writer.ts";

export type HistoryOptions = {
  /** How far back from the checked-out commit; 0 for everything. As in the last run, or five at first. */
  years?: number;
  /** Read every commit again. */
  force?: boolean;
  /** How long to wait for another process that writes the index, milliseconds. */
  patience?: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

export type HistoryReport = { added: number; removed: number; total: number; warnings: string[] };

const defaultYears = 5;
const year = 365.25 * 24 * 3600 * 1000;
const defaultPatience = 5000;
/** Commits whose lines are counted while they are indexed, and how long that may take: the others are counted when they are shown. */
const mostCounted = 1000;
const countingTime = 2000;

const running = new WeakMap<Workspace, Promise<HistoryReport>>();

/**
 * Brings the commits up to date with what is checked out, at the cost of what differs. Outside a repository, before its first commit and
 * without git there is no history, which is no error. Calls at the same time wait for each other.
 */
export async function refreshHistory(workspace: Workspace, options: HistoryOptions = {}): Promise<HistoryReport> {
  for (let current = running.get(workspace); current; current = running.get(workspace)) {
    await current.catch(() => undefined); // whoever began it was told
  }
  const run = bringUpToDate(workspace, options).finally(() => running.delete(workspace));
  running.set(workspace, run);
  return run;
}

async function bringUpToDate(workspace: Workspace, options: HistoryOptions): Promise<HistoryReport> {
  const { root, owner, store } = workspace;
  const { signal, force = false } = options;
  stopIfAborted(signal);
  const shelf = store.shelf("commit");
  const [state, memory] = await Promise.all([repositoryState(root, signal), readHistoryMemory(shelf, owner)]);
  const years = options.years ?? memory?.years ?? defaultYears;
  const total = async () => (await shelf.termStatistics(owner, "unit", [])).count;
  if (!force && memory && isOfState(memory, state, years)) {
    return { added: 0, removed: 0, total: await total(), warnings: memory.warnings };
  }
  if (!memory && !state?.head && (await total()) === 0) return { added: 0, removed: 0, total: 0, warnings: [] };

  const plan = await makePlan(workspace, state, force ? undefined : memory, years, signal);
  stopIfAborted(signal);
  if ("missing" in plan) return { added: 0, removed: 0, total: await total(), warnings: [] };
  if ("failure" in plan) {
    const warnings = [`The history was not brought up to date; git says: ${plan.failure}.`];
    return { added: 0, removed: 0, total: await total(), warnings };
  }
  const warnings = await carryOut(workspace, plan, memory?.complete === false, options);
  return { added: plan.added.length, removed: plan.removed.length, total: await total(), warnings };
}

type Plan = {
  /** Newest first. */
  added: string[];
  removed: string[];
  /** Nothing that is on the shelf counts. */
  anew: boolean;
  /** What will be true afterwards. */
  memory: HistoryMemory;
};

async function makePlan(
  { root, owner, store }: Workspace,
  state: RepositoryState | undefined,
  memory: HistoryMemory | undefined,
  years: number,
  signal: AbortSignal | undefined,
): Promise<Plan | Exclude<CommitList, { added: Listed[] }>> {
  const { head = "", below = "", boundary = [] } = state ?? {};
  const next = (since: number): HistoryMemory => {
    return { complete: true, head, below, boundary, years, since, warnings: [] };
  };
  if (head === "") {
    return { added: [], removed: await store.commits.shas(owner), anew: false, memory: next(memory?.since ?? 0) };
  }
  const since = await windowStart(root, head, years, memory, signal);
  const within = (list: Listed[]) => list.filter(({ time }) => time >= since).map(({ sha }) => sha);
  const limits = { below: below !== "", signal };
  if (memory?.complete && memory.head !== "" && memory.since === since && isOfPlace(memory, state, years)) {
    const list = await listCommits(root, { head, since: memory.head }, limits);
    if ("added" in list) {
      return { added: within(list.added), removed: within(list.removed), anew: false, memory: next(since) };
    }
    if ("missing" in list) return list;
    // The last commit is gone for good (rebased, and swept up since): everything is compared.
  }
  const list = await listCommits(root, { head }, limits);
  if (!("added" in list)) return list;
  const listed = within(list.added);
  const stored = await store.commits.shas(owner);
  const anew = !memory || memory.below !== below;
  const wanted = new Set(listed);
  const known = new Set(anew ? [] : stored);
  // What was at the boundary of a shallow clone is stored without its files.
  for (const sha of memory?.boundary ?? []) if (!boundary.includes(sha)) known.delete(sha);
  return {
    added: listed.filter((sha) => !known.has(sha)),
    removed: stored.filter((sha) => !wanted.has(sha)),
    anew,
    memory: next(since),
  };
}

/**
 * Counted from the checked-out commit, not from today: a project that rests keeps its history. The window only grows (when an older
 * branch is checked out) until another number of years is asked for, so commits that fall out of it stay until the index is built anew.
 */
async function windowStart(
  root: string,
  head: string,
  years: number,
  memory: HistoryMemory | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (years === 0) return 0;
  const latest = Math.min((await commitTime(root, head, signal)) ?? Date.now(), Date.now());
  const start = Math.max(0, latest - years * year);
  return memory?.years === years ? Math.min(memory.since, start) : start;
}

/** Returns what the user should know. What is written stays when it is interrupted, and the next run goes on from there. */
async function carryOut(
  workspace: Workspace,
  plan: Plan,
  unfinished: boolean,
  options: HistoryOptions,
): Promise<string[]> {
  const { owner, store } = workspace;
  const { signal, patience = defaultPatience } = options;
  const shelf = store.shelf("commit");
  const remember = (memory: HistoryMemory) => patiently(patience, () => writeHistoryMemory(shelf, owner, memory));
  await remember({ ...plan.memory, complete: false });
  if (plan.anew) await clear(shelf, owner, patience);

  const { builtinEmbedder } = await import("../embed/builtin.ts");
  const embedder = unfinished || plan.anew ? undefined : await builtinEmbedder(shelf, owner);
  const writer = new HistoryWriter({ store, owner, patience, embedder });
  if (plan.removed.length > 0) await writer.remove(plan.removed);
  await writer.joinPage(plan.added.length);
  const warnings = await readInto(workspace, plan, writer, options);
  await writer.flush();

  const counted = countCommits(workspace, plan.added.slice(0, mostCounted), { deadline: countingTime, signal });
  const embedded = embed(shelf, owner, writer, { unfinished, embeddedBy: embedder?.revision }, options);
  await Promise.all([counted, embedded]);
  stopIfAborted(signal);
  await remember({ ...plan.memory, warnings });
  return warnings;
}

async function clear(shelf: Store, owner: string, patience: number): Promise<void> {
  const pages = await shelf.files(owner);
  const pagesPerWrite = 10;
  for (let from = 0; from < pages.length; from += pagesPerWrite) {
    const removed = pages.slice(from, from + pagesPerWrite).map(({ path }) => path);
    await patiently(patience, () => shelf.write(owner, { files: [], removed }));
  }
}

async function readInto(
  { root }: Workspace,
  { added, memory: { below, boundary } }: Plan,
  writer: HistoryWriter,
  { signal, progress }: HistoryOptions,
): Promise<string[]> {
  const cut = new Set(boundary);
  let done = 0;
  const take = async (commit: Parameters<HistoryWriter["add"]>[0]) => {
    // The parents are not there to compare with: it would seem to add every file.
    await writer.add(cut.has(commit.sha) ? { ...commit, files: [] } : commit);
    if (++done % 100 === 0 || done === added.length) progress?.({ stage: "history", done, total: added.length });
    stopIfAborted(signal);
  };
  const end = await readCommits(root, added, take, { below: below !== "", signal });
  stopIfAborted(signal);
  if ("ended" in end) return [];
  const cause = "failure" in end ? `git says: ${end.failure}` : "git is not installed or not on the PATH";
  const rest = added.slice(done);
  // Without trees nobody can tell which commits touch a folder.
  const messages = below === "" ? await readMessages(root, rest, take, signal) : end;
  stopIfAborted(signal);
  if ("ended" in messages) {
    return [
      `${rest.length} commits are known by their messages only: this clone lacks the files they touch (${cause}).`,
    ];
  }
  return [`${added.length - done} commits could not be read (${cause}).`];
}

async function embed(
  shelf: Store,
  owner: string,
  writer: HistoryWriter,
  { unfinished, embeddedBy }: { unfinished: boolean; embeddedBy?: string },
  { signal, progress }: HistoryOptions,
): Promise<void> {
  const { count } = await shelf.termStatistics(owner, "unit", []);
  let changedIds = writer.addedIds;
  if (unfinished) {
    changedIds = [];
    for await (const batch of shelf.allTerms(owner, "unit")) for (const { id } of batch) changedIds.push(id);
  }
  if (changedIds.length === 0) return;
  const { updateVectors } = await import("../embed/builtin.ts");
  try {
    await updateVectors(shelf, owner, { changedIds, total: count, embeddedBy }, { signal, progress });
  } catch (error) {
    if (error instanceof DossierError && error.code === "interrupted") stopIfAborted(signal);
    throw error;
  }
}
