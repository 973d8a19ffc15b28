import { asDossierError, DossierError, type ErrorCode } from "../../../errors.ts";
import type { BuiltFigures } from "../../../operations/chat/context-figures.ts";
import type { IndexingState, Progress } from "../../../operations/core/operation.ts";

/** Messages between the server and its worker processes. */

export type OperationJob = {
  kind: "operation";
  operation: string;
  input: Record<string, unknown>;
  owner: string;
  session?: string;
  discreet: boolean;
  /** The surface's names of the inputs, by their keys. */
  names?: Record<string, string>;
  /** Whether anyone reads its progress. */
  followed: boolean;
  /** Asks the server to bring the index up to date, instead of doing it in the worker. */
  asksFresh: boolean;
  indexing?: IndexingState;
};

type RefreshJob = { kind: "refresh"; owner: string; sources: readonly string[] };

export type Job = OperationJob | RefreshJob;

/** A job's request to the server: to refresh the index, or to begin indexing what it wrote. */
export type Question = { about: "fresh"; sources: readonly string[] } | { about: "written" };
export type WorkerReply = string[] | boolean | { failure: PackedFailure };

export type ToWorker =
  | { type: "run"; id: number; job: Job }
  | { type: "stop"; id: number }
  | { type: "reply"; id: number; question: number; reply: WorkerReply }
  | { type: "close" };

export type FromWorker =
  /** The program is loaded. */
  | { type: "ready" }
  | { type: "progress"; id: number; progress: Progress }
  | { type: "question"; id: number; number: number; question: Question }
  /** The workspace was brought up to date, and may have items without vectors. */
  | { type: "changed"; id: number }
  | { type: "built"; id: number; figures: BuiltFigures }
  /** `cost`: milliseconds of processor time. */
  | { type: "done"; id: number; output: unknown; cost: number }
  | { type: "failed"; id: number; failure: PackedFailure };

/** A failure on its way between two processes: its code and sentence, and for the log the stack of the worker. */
export type PackedFailure = {
  code: ErrorCode;
  message: string;
  cause?: { name: string; message: string; stack?: string };
};

export function packFailure(thrown: unknown): PackedFailure {
  const { code, message, cause } = asDossierError(thrown);
  if (!(cause instanceof Error)) return { code, message };
  return { code, message, cause: { name: cause.name, message: cause.message, stack: cause.stack } };
}

export function unpackFailure({ code, message, cause }: PackedFailure): DossierError {
  if (!cause) return new DossierError(code, message);
  const error = Object.assign(new Error(cause.message), { name: cause.name, stack: cause.stack });
  return new DossierError(code, message, { cause: error });
}
