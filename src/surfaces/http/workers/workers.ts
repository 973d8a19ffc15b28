import { countBuilt } from "../../../operations/chat/context-figures.ts";
import type { Caller } from "../../../operations/core/access.ts";
import type { CallOptions } from "../../../operations/core/call.ts";
import { fieldsOf } from "../../../operations/core/fields.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { isOperationName, loadOperation } from "../../../operations/core/registry.ts";
import type { PerformOptions } from "../../../operations/core/serving.ts";
import { type BackgroundIndexing, createIndexing } from "./indexing.ts";
import { createPool } from "./pool.ts";
import { operationWorkerScript } from "./process.ts";
import type { OperationJob, Question, WorkerReply } from "./worker-protocol.ts";

/** The processes that work for a server: some that answer, and some that index for all of them. */
export type Workers = {
  indexing: BackgroundIndexing;
  /** The indexing for an operation that this process runs for an owner. */
  indexingFor(owner: string, options: PerformOptions): Pick<CallOptions, "fresh" | "indexing">;
  /** Whether workers run an operation. Those that change the server itself or need this very process run here. */
  takes(operation: Operation, scope: Scope): Promise<boolean>;
  run(operation: Operation, input: Input, caller: JobCaller, options: PerformOptions): Promise<unknown>;
  /** Does something while no worker has a database open, so that they can be replaced. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

type Input = Record<string, unknown>;
type Scope = Caller["scope"];
type JobCaller = { owner: string; scope: Scope; discreet: boolean };

export type WorkersOptions = {
  root: string;
  /** Processes that answer. */
  size: number;
  /** Milliseconds that a question waits for an index that is being updated. */
  patience: number;
  onChanged?: (owner: string) => void;
};

/**
 * Further processes for short jobs. Beside 28 connections that build, the p95 of a search is 4.7 times what it is
 * alone with two of them, 7.4 with one (two cores, bench/service/fairness.ts).
 */
const express = 2;
/** Two processes, so that one owner's large document does not delay the others' indexing. */
const indexers = 2;
/** A run mostly waits for disks and threads. */
const runsEach = 8;
/** Indexing gives way to answers. */
const niceness = 5;

/** Undefined if the server should do everything itself, or if the workers' program was not built. */
export function createWorkers({ root, size, patience, onChanged }: WorkersOptions): Workers | undefined {
  const script = operationWorkerScript();
  if (size === 0 || !script) return undefined;
  const answering = createPool({ root, script, size, express, jobsEach: 1 });
  const indexPool = createPool({ root, script, size: indexers, jobsEach: runsEach, niceness });
  const indexing = createIndexing({ pool: indexPool, onChanged });
  const isIndex = ({ name }: Operation) => name === "index";

  function indexingFor(owner: string, { signal, progress }: Pick<PerformOptions, "signal" | "progress">) {
    const onWritten = async () => {
      if (progress) await indexing.refresh(owner, ["document", "message"], { progress, signal });
      else indexing.written(owner);
      return progress === undefined;
    };
    return {
      fresh: (sources: readonly string[]) => indexing.refresh(owner, sources, { patience, progress, signal }),
      indexing: { state: indexing.state(owner), written: onWritten },
    };
  }

  return {
    indexing,
    indexingFor,
    async takes(operation, scope) {
      const { name } = operation;
      if (operation.inProcess || !isOperationName(name) || (await loadOperation(name)) !== operation) return false;
      return scope !== "admin" || isIndex(operation);
    },
    run(operation, input, { owner, scope, discreet }, { signal, progress, session, nameOf }) {
      const { fresh, indexing: ofOwner } = indexingFor(owner, { signal, progress });
      const job: OperationJob = {
        kind: "operation",
        operation: operation.name,
        input,
        owner,
        session,
        discreet,
        names: nameOf && Object.fromEntries(fieldsOf(operation).map(({ key }) => [key, nameOf(key)])),
        followed: progress !== undefined,
        asksFresh: !isIndex(operation),
        indexing: ofOwner.state,
      };
      const onQuestion = async (question: Question): Promise<WorkerReply> =>
        question.about === "fresh" ? fresh(question.sources) : ofOwner.written();
      const pool = isIndex(operation) ? indexPool : answering;
      return pool.run(job, {
        owner,
        operation: operation.name,
        signal,
        repeatable: scope === "read",
        onProgress: progress,
        onQuestion,
        onChanged: () => onChanged?.(owner),
        onBuilt: (figures) => countBuilt(owner, figures),
      });
    },
    without: (work) => answering.without(() => indexPool.without(work)),
    async close() {
      indexing.close();
      await Promise.all([answering.close(), indexPool.close()]);
    },
  };
}
