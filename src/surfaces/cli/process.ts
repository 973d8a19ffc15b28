import { Readable } from "node:stream";
import type { Outcome } from "../../engine/client.ts";
import { runCommandLine } from "./run.ts";
import type { Terminal } from "./terminal.ts";

type Alone = Extract<Outcome, { alone: true }>;

/** Runs a command line in this process, and starts an engine afterwards where the next one would be faster with it. */
export async function runHere(args: string[], { stdin, startAt }: Alone, signal: AbortSignal): Promise<number> {
  const terminal: Terminal = {
    stdout: process.stdout,
    stderr: process.stderr,
    // Standard input that was already read to ask an engine.
    stdin: stdin === undefined ? process.stdin : Object.assign(Readable.from([stdin]), { isTTY: false }),
    environment: process.env,
  };
  const status = await runCommandLine(args, terminal, signal);
  if (startAt !== undefined && !signal.aborted) {
    const { startEngineAfter } = await import("../engine-start.ts");
    await startEngineAfter(startAt);
  }
  return status;
}
