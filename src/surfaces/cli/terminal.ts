import type { Readable } from "node:stream";
import type { CallOptions } from "../../operations/core/call.ts";
import type { Operation } from "../../operations/core/operation.ts";

/** The streams of a command line, and what it may draw on them. */
export type Terminal = {
  stdout: Screen;
  stderr: Screen;
  stdin: Readable & { isTTY?: boolean };
  environment: NodeJS.ProcessEnv;
  /** Where progress is drawn; standard error by default. */
  progress?: Screen;
};

export type Screen = {
  isTTY?: boolean;
  columns?: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
};

/** A process that runs a command line for another one: an engine. */
export type CommandHost = {
  /** The folder that the other process's relative paths begin in. */
  folder: string;
  /** When the other process asked, by `performance.now()`. */
  askedAt: number;
  /** Workspaces stay open between commands. */
  open: CallOptions["open"];
  /** Called before anything is done; throws if the other process has to run the operation itself. */
  begins(operation: Operation, input: Record<string, unknown>): void;
};

/** Thrown by an engine for a command that the asking process must run itself. Nothing has been done. */
export class NotForEngine extends Error {}

/** The settings that change how a result is shown, not what it is. */
export type Display = { json: boolean; quiet: boolean; debug: boolean; colour: boolean; errorColour: boolean };

export function displayOf(args: string[], terminal: Terminal): Display {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  const last = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  const colour = (stream: Screen) =>
    last === undefined ? mayColour(stream, terminal.environment) : last === "--color";
  return {
    json: flags.includes("--json"),
    quiet: flags.includes("--quiet") || flags.includes("-q"),
    debug: flags.includes("--debug"),
    colour: colour(terminal.stdout),
    errorColour: colour(terminal.stderr),
  };
}

/** The conventions of no-color.org and force-color.org, then whether the stream is a terminal. */
function mayColour(stream: Screen, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return !["0", "false"].includes(environment.FORCE_COLOR);
  return stream.isTTY === true && environment.TERM !== "dumb";
}

/** Resolves when the text has left the process, so that a pipe gets all of it before exit. */
export function write(stream: Screen, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
