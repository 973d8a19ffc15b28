import { asDossierError, DossierError } from "../../errors.ts";
import { loadOperation, operationNames } from "../../operations/all.ts";
import { closest } from "../../operations/closest.ts";
import { version } from "../../version.ts";
import { printError } from "./print-error.ts";
import { ownCommands, type Route, route, wantsHelp } from "./route.ts";
import { type Display, displayOf, type Terminal, write } from "./terminal.ts";

/** Runs one command line to its exit status. What a command does not use is not loaded. */
export async function runCommandLine(args: string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const display = displayOf(args, terminal);
  try {
    return await follow(route(args), terminal, display, signal);
  } catch (thrown) {
    const error = asDossierError(thrown);
    await printError(error, terminal, display);
    return error.exit;
  }
}

async function follow(to: Route, terminal: Terminal, display: Display, signal: AbortSignal): Promise<number> {
  switch (to.to) {
    case "version":
      await write(terminal.stdout, `${version}\n`);
      return 0;
    case "overview": {
      const { overview } = await import("./help.ts");
      await write(terminal.stdout, await overview(to.full, display.colour));
      return 0;
    }
    case "help":
      return help(to.args, terminal, display);
    case "completion": {
      const { completion } = await import("./completion.ts");
      await write(terminal.stdout, await completion(wantsHelp(to.args) ? undefined : to.args[0]));
      return 0;
    }
    default:
      return operate(to, terminal, display, signal);
  }
}

async function help(args: string[], terminal: Terminal, display: Display): Promise<number> {
  const { commandHelp, overview } = await import("./help.ts");
  const word = args.find((arg) => !arg.startsWith("-"));
  if (word === undefined || word === "help") {
    await write(terminal.stdout, await overview(true, display.colour));
    return 0;
  }
  const names = [...operationNames, ...ownCommands];
  const name = names.find((candidate) => candidate === word);
  if (!name) throw unknownCommand(word, names);
  await write(terminal.stdout, await commandHelp(name, display.colour));
  return 0;
}

type OperationRoute = Extract<Route, { given: boolean }>;

async function operate(to: OperationRoute, terminal: Terminal, display: Display, signal: AbortSignal): Promise<number> {
  if (wantsHelp(to.args)) return help([to.to], terminal, display);
  if (!to.given) await questionNotTypo(to.args, terminal, display);
  const [{ runOperation }, operation] = await Promise.all([import("./run-operation.ts"), loadOperation(to.to)]);
  return runOperation(operation, to, terminal, display, signal);
}

/**
 * A lone word one slip away from a command is more likely that command than a question. With more words it is
 * answered as a question, and the doubt is said.
 */
async function questionNotTypo(args: string[], terminal: Terminal, display: Display): Promise<void> {
  const word = args.find((arg) => !arg.startsWith("-"));
  if (word === undefined || word.length < 4 || word !== args[0]) return;
  const guess = closest(word, operationNames, 1);
  if (guess === undefined) return;
  if (args.filter((arg) => !arg.startsWith("-")).length === 1) throw unknownCommand(word, [guess]);
  if (!display.quiet) await write(terminal.stderr, `Taken as a question; the command is spelled ${guess}.\n`);
}

function unknownCommand(word: string, names: readonly string[]): DossierError {
  const guess = closest(word, names);
  const hint = guess ? ` Did you mean ${guess}? To ask about the word itself: dossier context ${word}` : "";
  return new DossierError("unknown-command", `There is no command ${JSON.stringify(word)}.${hint}`);
}
