import { errorCodes } from "../../errors.ts";
import { runCommandLine } from "./run.ts";

/** The process around the command line: signals, broken pipes and the exit status. */

const controller = new AbortController();

// The first signal asks the work to stop where nothing is lost, the second one ends it there and then.
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(errorCodes.interrupted.exit);
    controller.abort();
  });
}

// A reader that has enough (`| head`) closes the pipe: the rest of the output is not wanted, and that is no error.
// Any other failure reaches whoever waits for the write.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
}

const terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  environment: process.env,
};

const status = await runCommandLine(process.argv.slice(2), terminal, controller.signal);
process.exit(status);
