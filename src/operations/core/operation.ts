import type { z } from "zod";
import type { KeyScope } from "../../stores/keys.ts";
import type { OpenOptions, Workspace } from "../../workspace/workspace.ts";
import type { BuiltFigures } from "../chat/context-figures.ts";
import type { AnswerOthers, Serve, ServeAgent, ServeEngine } from "./serving.ts";
import type { Steps } from "./steps.ts";

/** A verb, stated once. Surfaces (CLI, MCP, HTTP, library) loop over operations and only translate. */
export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  /** The name in MCP, HTTP and the library; the command line understands it, too, but offers `command`. */
  name: string;
  /** The words of the command line. `npm run docs` collects them in the table from which the command line chooses. */
  command?: CommandWords;
  /** A one-word alias of a two-word command that is typed often. */
  shortForm?: string;
  /** The group under which help lists it. */
  group?: CommandGroup;
  /** One sentence for help, tool listings and API docs. */
  summary: string;
  input: Input;
  output: Output;
  /** Input keys given by position on a command line, in order. */
  positional?: (keyof z.input<Input> & string)[];
  /** Which inputs each value of the input `step` takes: a command of one step has no other flags. */
  takes?: Steps<string>;
  /** How to call it from a shell, shown in --help. */
  examples?: { command: string; what: string }[];
  /** The text for people on a terminal; without it the output is printed as JSON. */
  text?(output: z.output<Output>, input: z.output<Input>, colour: boolean): string;
  /** Exit status of a command line whose run succeeded but whose answer is no (a citation changed); 0 without it. */
  exit?(output: z.output<Output>, input?: z.output<Input>): number;
  /**
   * The scope that a caller needs, `read` without it: `write` changes the caller's own data, `admin` what all owners
   * share. Where it depends on the step, it is stated for each value of the input `step`.
   */
  access?: Access;
  /** The only surface that offers it, for operations that no remote caller may reach; without it every surface does. */
  onlyOn?: "cli";
  /** Where a command line prints the answer: `stderr` when standard output belongs to someone else. */
  answersOn?: "stderr";
  /** Whether that holds for this input; without the function it holds for all inputs. */
  isAside?(input: z.output<Input>): boolean;
  /** Answers from the state of this process alone, so it is never run in another one. */
  inProcess?: true;
  /** Offered on the command line only, but an engine may run it. */
  inEngine?: true;
  /**
   * Must not disturb the work around it: on the command line its failure is a note and does not change the exit status.
   */
  neverFails?: true;
  run(input: z.output<Input>, environment: Environment): Promise<z.output<Output>>;
};

/** `memory add`. An operation with the input `step` has one command for each of its values. */
type CommandWords = string | Readonly<Record<string, StepCommand>>;

type StepCommand = { words: string; summary: string };

/** The groups of commands, in the order in which people need them. */
export const groups = ["Ask", "Notes", "Memories", "Library", "Experiences", "History", "Index", "Serve"] as const;
export type CommandGroup = (typeof groups)[number];

type Access = KeyScope | Readonly<Record<string, KeyScope>>;

/** The environment of an operation, besides its input. */
export type Environment = {
  /** Opens the workspace of the input's path, once; `create: false` refuses where no index exists yet. */
  workspace: (options?: WorkspaceOptions) => Promise<Workspace>;
  owner: string;
  /** The scope of the caller's key; without a key, everything is allowed. */
  keyScope?: KeyScope;
  /** The session that an agent's work belongs to when the input does not say: one active experience each. */
  session?: string;
  /**
   * The bundle that the reader of the workspace at this root received from another process: an answer to `since` leaves
   * that out too.
   */
  receivedBundle?: (root: string) => string | undefined;
  signal?: AbortSignal;
  /** Folder, variables and standard input of the asking process, if that is another one. */
  folder?: string;
  variables?: Record<string, string | undefined>;
  stdin?: StandardInput;
  /**
   * The time of the question, by `performance.now()`: the index is compared with the disk after it, even if it was
   * compared before.
   */
  askedAt?: number;
  /** The caller uses this workspace without running its machine: the answer names no path on it. */
  discreet?: boolean;
  /** How the surface calls an input, for sentences about what is missing. */
  nameOf?: (key: string) => string;
  /** The command that the caller typed, for the same sentences: `thread new` where others say `thread create`. */
  command?: string;
  /** Long work reports here; surfaces draw a bar, send a notification or ignore it. */
  progress?: (progress: Progress) => void;
  /**
   * Called when a workspace was brought up to date: a long-lived process makes the missing vectors in the background.
   */
  changed?: (workspace: Workspace) => void;
  /** Indexes the rest after the answer; without it everything is indexed before. */
  later?: (workspace: Workspace) => void;
  /** Has another process bring these sources up to date; returns warnings. */
  fresh?: (sources: readonly string[]) => Promise<string[]>;
  /** The index that a server makes in the background. */
  indexing?: Indexing;
  /** Called for every context that was built, where another process counts them. */
  built?: (figures: BuiltFigures) => void;
  /** Starts a server; only a surface that can occupy the whole process has it. */
  serve?: Serve;
  /** Serves one agent on standard input and output. */
  serveAgent?: ServeAgent;
  /** Starts an engine for the other processes of this user. */
  serveEngine?: ServeEngine;
  /** Starts an engine beside other long-lived work, such as a server. */
  answerOthers?: AnswerOthers;
};

export type StandardInput = AsyncIterable<Uint8Array | string> & { isTTY?: boolean; destroy(): unknown };

type Indexing = {
  /** The progress of indexing for the caller; absent when nothing is being indexed. */
  state?: IndexingState;
  /** Starts indexing what was written. True while that goes on; if progress is followed, it waits for the end. */
  written(): Promise<boolean>;
};

export type IndexingState = { stage: string; done: number; total?: number };

export type Progress = { stage: string; done: number; total?: number; detail?: string };

/** `at`: a folder to use instead of the input's. */
export type WorkspaceOptions = Omit<OpenOptions, "owner"> & { at?: string };

/** Keeps the precise types of one operation while the registry holds them all. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}
