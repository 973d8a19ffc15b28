#!/usr/bin/env node
import { runCommandLine } from "./run.ts";
import { write } from "./terminal.ts";

/** The process around the command line: signals, broken pipes and the exit status. */

const controller = new AbortController();

process.on("SIGINT", () => {
  if (controller.signal.aborted) process.exit(130);
  controller.abort();
});
process.on("SIGTERM", () => controller.abort());

// A reader that has enough (`| head`) closes the pipe: the rest of the output is not wanted, and that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 74);
  });
}

const terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
};

const status = await runCommandLine(process.argv.slice(2), terminal, controller.signal);
await Promise.all([write(process.stdout, ""), write(process.stderr, "")]);
process.exit(status);
