import { fstatSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import { withoutProjectName } from "../../text/analysis/project-name.ts";
import { listFiles } from "../../tree/list.ts";
import { withFile } from "../../tree/read-file.ts";
import { defaultMaxFileBytes, reasonBySize } from "../../tree/skip.ts";
import { projectNames } from "../../workspace/project-names.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isSame } from "../files/compare.ts";
import { type DescribeJob, prepareDescribing } from "../files/describe.ts";
import { exportedNotes } from "../files/exported-notes.ts";
import { type IndexState, readIndexState, writeIndexState } from "../files/index-state.ts";
import { fewTogether, runJobs, startHelpers, stopIfAborted } from "../files/run-jobs.ts";
import type { UpdateOptions } from "../files/update.ts";
import { patiently, Writer } from "../files/writer.ts";
import { documentFrequencies, promisingFiles, type Scanned } from "./promising-files.ts";
import { type Scan, scanFor } from "./scan.ts";

/** The parts of a question that decide which files are read first. */
export type QuestionToScan = { query: string; hints?: string; paths?: string[] };

/** How much of the workspace is indexed after a first look. */
export type FirstLook = { files: number; indexed: number; warnings: string[] };

/** Limit of files per question: an answer shows items from the first few dozen. */
const mostFiles = 128;
/** A quarter of the workspace, within these bounds: a megabyte takes a second. */
const bytesWanted = { least: 256 * 1024, most: 2 * 1024 * 1024 };
/** A workspace with at most this many files is indexed completely, in about the same time. */
const fewFiles = 60;
const fewBytes = 512 * 1024;
const filesPerTurn = 100;
/**
 * Milliseconds to wait for another process: without this index there is no answer, and the writer is often another
 * first look, which takes seconds even if a hundred questions are asked at once.
 */
const defaultPatience = 30_000;

/**
 * Prepares the answer to one question in a workspace that was never indexed completely: counts the question's words in
 * every file, and indexes the most promising files as a full run would. Undefined if the index is complete, or soon
 * will be.
 */
export async function firstLook(
  workspace: Workspace,
  question: QuestionToScan,
  options: Pick<UpdateOptions, "signal" | "progress" | "patience" | "workers" | "workerScript"> = {},
): Promise<FirstLook | undefined> {
  const { root, owner, store } = workspace;
  const { signal, progress, patience = defaultPatience } = options;
  const stored = await readIndexState(store, owner);
  if (stored?.checkedAt) return undefined;
  progress?.({ stage: "listing", done: 0 });
  const [listing, states, exported] = await Promise.all([
    listFiles(root, { signal }),
    store.files(owner),
    exportedNotes(root),
  ]);
  const maxFileBytes = stored?.maxFileBytes ?? defaultMaxFileBytes;
  const files = listing.files.filter(
    ({ path, size }) => !exported.has(path) && reasonBySize(path, size, maxFileBytes) === undefined,
  );
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length <= fewFiles && bytes <= fewBytes) return undefined;

  const mostBytes = Math.min(bytesWanted.most, Math.max(bytesWanted.least, bytes / 4));
  const context = { root, maxFileBytes };
  const runOptions = { isForOneCall: workspace.isForOneCall, ...options };
  // Threads start, and grammars are compiled, while the files are scanned.
  const helpers = mostBytes >= fewTogether ? await startHelpers(context, runOptions) : undefined;
  if (workspace.isForOneCall) await prepareDescribing(files);
  const scan = scanFor(withoutProjectName(question.query, projectNames(root)), question.hints);
  const scanned = await scanAll(root, files, scan, options).catch((error) => {
    for (const helper of helpers ?? []) void helper.close();
    throw error;
  });
  const promising = promisingFiles(scanned, scan, { paths: question.paths, mostFiles, mostBytes });
  // Without state of this format the files must be described again; the run that completes the index does so for those
  // that this question does not need.
  const outdated = stored ? stored.outdated : states.length > 0;
  const stateByPath = new Map(stored && !outdated ? states.map((state) => [state.path, state]) : []);
  const jobs = promising.filter((job) => {
    const state = stateByPath.get(job.path);
    return !state || !isSame(job, state);
  });
  const beforeFiles = () =>
    patiently(patience, () => {
      const next: IndexState = {
        skipped: new Map(),
        ...stored,
        maxFileBytes,
        checkedAt: 0,
        vectorsPending: true,
        outdated,
      };
      return writeIndexState(store, owner, next);
    });
  const writer = new Writer({ store, owner, states: stateByPath, patience, beforeFiles });
  let done = 0;
  const write = async () => {
    try {
      const warnings = await runJobs(jobs, context, { ...runOptions, helpers }, async (outcome) => {
        await writer.take(outcome);
        progress?.({ stage: "indexing", done: ++done, total: jobs.length, detail: outcome.path });
      });
      writer.assignRoles(
        true,
        listing.files.map(({ path }) => path),
      );
      await writer.flush();
      return { warnings, indexed: [...stateByPath.values()] };
    } finally {
      await writer.rest();
    }
  };
  const { warnings, indexed } = await write().catch((error: unknown) => withOthers(workspace, error));
  const indexedBytes = indexed.reduce((sum, { size }) => sum + size, 0);
  const documents = documentFrequencies(scanned, scan);
  const frequencies = new Map(scan.terms.map(({ term }, index) => [term, documents[index]!]));
  workspace.whole = { files: files.length, bytes, indexedBytes, frequencies };
  return { files: files.length, indexed: indexed.length, warnings: [...listing.warnings, ...warnings] };
}

/** If other processes never release the store, the answer uses what they have indexed, if anything. */
async function withOthers({ store, owner }: Workspace, error: unknown) {
  if (!(error instanceof DossierError) || error.code !== "store-locked") throw error;
  const indexed = await store.files(owner);
  if (indexed.length === 0) throw error;
  return { warnings: [`The index was not brought up to date: ${error.message}`], indexed };
}

async function scanAll(
  root: string,
  files: DescribeJob[],
  scan: Scan,
  { signal, progress }: Pick<UpdateOptions, "signal" | "progress">,
): Promise<Scanned[]> {
  const scanned: Scanned[] = [];
  let buffer: Buffer = Buffer.allocUnsafe(256 * 1024);
  for (const [index, { path, size, modified }] of files.entries()) {
    if (index % filesPerTurn === 0) {
      progress?.({ stage: "reading", done: index, total: files.length });
      await nextTurn();
      stopIfAborted(signal);
    }
    // Only words are counted here: files to be indexed are read and checked again.
    const text = withFile(`${root}/${path}`, (file) => {
      const { size: now } = fstatSync(file);
      if (now > buffer.length) buffer = Buffer.allocUnsafe(now * 2);
      return buffer.toString(scan.isAscii ? "latin1" : "utf8", 0, readSync(file, buffer, 0, now, 0));
    });
    if (typeof text !== "string") continue;
    scanned.push({ job: { path, size, modified }, counts: scan.count(text), defines: scan.defines(text) });
  }
  return scanned;
}
