import { asDossierError } from "../../errors.ts";
import { loadOperation, operationCalled } from "../../operations/all.ts";
import { version } from "../../version.ts";
import { printError } from "./print-error.ts";
import { ownCommands, type Route, route, wantsHelp } from "./route.ts";
import { unknownCommand } from "./slip.ts";
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
  const name = operationCalled(word) ?? ownCommands.find((candidate) => candidate === word);
  if (!name) throw unknownCommand(word);
  await write(terminal.stdout, await commandHelp(name, display.colour));
  return 0;
}

type OperationRoute = Extract<Route, { given: boolean }>;

async function operate(to: OperationRoute, terminal: Terminal, display: Display, signal: AbortSignal): Promise<number> {
  if (wantsHelp(to.args)) return help([to.to], terminal, display);
  const [{ runOperation }, operation] = await Promise.all([import("./run-operation.ts"), loadOperation(to.to)]);
  const run = () => runOperation(operation, to, terminal, display, signal);
  if (!operation.neverFails) return run();
  return run().catch(async (thrown: unknown) => {
    await printError(asDossierError(thrown), terminal, { ...display, json: false });
    return 0;
  });
}
