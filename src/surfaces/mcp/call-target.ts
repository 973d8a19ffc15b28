import type { Caller } from "../../operations/core/access.ts";
import type { CallOptions } from "../../operations/core/call.ts";
import type { Operation } from "../../operations/core/operation.ts";

/**
 * Where an agent's calls are answered: in the folders of its client on this machine, or in the one workspace of a
 * server.
 */
export type CallTarget = {
  /** Remote callers do not see the names of the machine's files and folders. */
  from: "local" | "remote";
  caller: Caller;
  /** Checks the scope and the project, and runs an operation on the folder that is meant. */
  run(operation: Operation, input: Record<string, unknown>, request: AgentRequest): Promise<CallAnswer>;
  /** Further folders of a local agent: an item may be in one of them instead of the first. */
  others(request: AgentRequest): string[];
};

export type AgentRequest = {
  /** The project as the agent names it; without it, the first folder. */
  project?: string;
  /** Folders that the agent's client has opened. */
  folders: string[];
  /**
   * The answer leaves out what a hook of the client has already sent to the agent, and is recorded for the same
   * purpose.
   */
  sharesGiven?: boolean;
  signal: AbortSignal;
  progress?: CallOptions["progress"];
  /** The client's own session, if the call names one. */
  session?: string;
};

export type CallAnswer = { input: Record<string, unknown>; output: unknown };
