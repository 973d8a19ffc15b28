import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Operation, Progress } from "../operations/core/operation.ts";
import type { operationTable } from "../operations/core/registry.ts";

/** The types are inferred from the operations; no code of theirs is in the client's bundle. */

type Table = typeof operationTable;
/** Operations that only the command line offers; a test compares this with the registry. */
export type CommandLineOnly =
  | "run"
  | "connect"
  | "disconnect"
  | "name_workspace"
  | "unname_workspace"
  | "serve"
  | "inspect"
  | "engine"
  | "store"
  | "mcp"
  | "hook"
  | "keys";
export type ClientOperation = Exclude<keyof Table, CommandLineOnly>;

/** Inputs that a server does not take: it serves one workspace, and does not watch it for a client. */
type Withheld = "path" | "workspace" | "watch";

type OperationOf<Name extends ClientOperation> = Awaited<ReturnType<Table[Name]>>;
type Given<Name extends ClientOperation> =
  OperationOf<Name> extends Operation<infer Input, infer _> ? z.input<Input> : never;

/** Inputs that a command line takes as JSON in a string; a server takes the values themselves. */
type WithJson<Fields> = {
  [Key in keyof Fields]: Key extends "blocks" | "messages" | "documents"
    ? string extends Fields[Key]
      ? Fields[Key] | readonly object[]
      : Fields[Key]
    : Fields[Key];
};

export type Input<Name extends ClientOperation> = WithJson<Omit<Given<Name>, Withheld>>;
export type Output<Name extends ClientOperation> =
  OperationOf<Name> extends Operation<infer _, infer Result> ? z.output<Result> : never;

/** `assemble_context` -> `assembleContext`. */
export type MethodName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : Name;

export type RequestOptions = {
  signal?: AbortSignal;
  /**
   * Called with the progress of long work. The answer then comes as server-sent events, and the server's time limit
   * does not apply.
   */
  progress?: (progress: Progress) => void;
  /** Names the request in the server's log. */
  requestId?: string;
};

/** Makes the input optional if none of its fields is required. */
type Arguments<Name extends ClientOperation> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name>, options?: RequestOptions]
    : [input: Input<Name>, options?: RequestOptions];

/** A method for every operation of the server. */
export type Client = {
  [Name in ClientOperation as MethodName<Name>]: (...args: Arguments<Name>) => Promise<Output<Name>>;
};

export type ClientOptions = {
  /** The address of `dossier serve`: `http://127.0.0.1:8137`. */
  url: string;
  /** A key of `dossier key create`; not needed on the server's machine as long as no key exists. */
  key?: string;
  /** Used in place of the global `fetch`. */
  fetch?: typeof fetch;
};

/** The code of a failure, from the server. `unreachable` and `bad-answer` are the client's own. */
export type FailureCode = ErrorCode | "unreachable" | "bad-answer";
