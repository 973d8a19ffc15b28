#!/usr/bin/env node
import { constants } from "node:os";
import { isAbsolute } from "node:path";
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

// An empty or relative home would be another folder wherever a command is started: the user's own counts then, as the
// XDG specification says of its variables.
for (const name of ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]) {
  if (!isAbsolute(process.env[name] ?? "/")) delete process.env[name];
}

async function run(args: string[]): Promise<number> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    await new Promise((done) => process.stdout.write(`${build.split("+")[0]}\n`, done));
    return 0;
  }
  const folder = currentFolder();
  if (folder === undefined) {
    // The status of `not-a-folder`; `errors.ts` is not loaded here.
    return fail(folderIsGone, 3);
  }
  const { stdin, stdout, stderr, env: variables } = process;
  const client = { stdin, stdout, stderr, variables, folder, version: build };
  const outcome = await askEngine(args, client, controller.signal);
  if ("status" in outcome) return outcome.status;
  const program = started();
  // The status of `program-replaced`.
  if (!program) return fail(isBeingReplaced, 11);
  return program.runHere(args, outcome, controller.signal);
}

async function fail(sentence: string, status: number): Promise<number> {
  await new Promise((done) => process.stderr.write(`error: ${sentence}\n`, done));
  return status;
}

const isBeingReplaced =
  "Dossier is being updated, or a part of it is missing. Try again in a moment; or install it anew.";

function started(): ReturnType<typeof loadProgram> | undefined {
  try {
    return loadProgram();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

const folderIsGone =
  "The folder that this shell is in was deleted or may not be read. Change to an existing folder, and try again there.";

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
}

process.exit(await run(process.argv.slice(2)));
