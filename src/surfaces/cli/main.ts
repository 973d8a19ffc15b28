#!/usr/bin/env node
import { constants } from "node:os";
import { build } from "../../engine/build.ts";
import { askEngine } from "../../engine/client.ts";
import { loadProgram } from "./load-program.ts";

/**
 * The process around the command line: signals, broken pipes and the exit status. Bundled without the program itself:
 * whether an engine does the work is known before that is loaded.
 */

const controller = new AbortController();

// The first signal asks the work to stop where nothing is lost, the second one ends it at once.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(128 + constants.signals.SIGINT);
    controller.abort();
  });
}

// A reader that has enough (`| head`) closes the pipe: the rest of the output is not wanted, and that is no error.
// Any other failure reaches the caller that awaits the write.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
}

async function run(args: string[]): Promise<number> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    await new Promise((done) => process.stdout.write(`${build.split("+")[0]}\n`, done));
    return 0;
  }
  const { stdin, stdout, stderr, env: variables } = process;
  const client = { stdin, stdout, stderr, variables, folder: process.cwd(), version: build };
  const outcome = await askEngine(args, client, controller.signal);
  if ("status" in outcome) return outcome.status;
  const { runHere } = loadProgram();
  return runHere(args, outcome, controller.signal);
}

process.exit(await run(process.argv.slice(2)));
