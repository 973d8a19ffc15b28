import type { Caller } from "../../operations/core/access.ts";
import type { CallOptions } from "../../operations/core/call.ts";
import type { Operation } from "../../operations/core/operation.ts";

/** Where an agent's calls are answered: the folders of its client on this machine, or the one workspace of a server. */
export type AgentGround = {
  /** Far callers are not told what the machine's files and folders are called. */
  from: "near" | "afar";
  caller: Caller;
  /** Checks the scope and the project, and runs an operation on what is meant. */
  run(operation: Operation, given: Record<string, unknown>, asked: Asked): Promise<Answered>;
  /** Folders of an agent near by, other than its first, where an item may be that is not in the first one. */
  others(asked: Asked): string[];
};

export type Asked = {
  /** As the agent names it; without it the folder at hand. */
  project?: string;
  /** What the agent's client has opened. */
  folders: string[];
  /** The answer leaves out what the agent was given by a hook of its client, and is remembered for that. */
  sharesGiven?: boolean;
  signal: AbortSignal;
  progress?: CallOptions["progress"];
  /** The client's own session, where it says one. */
  session?: string;
};

export type Answered = { input: Record<string, unknown>; output: unknown };
