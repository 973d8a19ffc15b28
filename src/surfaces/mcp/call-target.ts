import type { Caller } from "../../operations/core/access.ts";
import type { CallOptions } from "../../operations/core/call.ts";
import type { Operation } from "../../operations/core/operation.ts";

/** Where an agent's calls are answered: the folders of its client on this machine, or the one workspace of a server. */
export type CallTarget = {
  /** Remote callers are not told the names of the machine's files and folders. */
  from: "local" | "remote";
  caller: Caller;
  /** Checks the scope and the project, and runs an operation on the folder that is meant. */
  run(operation: Operation, input: Record<string, unknown>, request: AgentRequest): Promise<CallAnswer>;
  /** Further folders of a local agent, where an item may be that is not in its first one. */
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
  /** The client's own session, where it says one. */
  session?: string;
};

export type CallAnswer = { input: Record<string, unknown>; output: unknown };
