import { asDossierError } from "../../errors.ts";
import { type Called, commandCalled, commands, isNoun } from "../../operations/core/commands.ts";
import type { Operation } from "../../operations/core/operation.ts";
import { chooseStore } from "../../operations/store/choose-store.ts";
import { version } from "../../version.ts";
import { printError } from "./print-error.ts";
import { type CommandRoute, type OperationRoute, ownCommands, route, wantsHelp } from "./route.ts";
import { type CommandHost, type Display, displayOf, NotHere, type Terminal, write } from "./terminal.ts";

/** Runs one command line to its exit status. What a command does not use is not loaded. */
export async function runCommandLine(
  args: string[],
  terminal: Terminal,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  const display = displayOf(args, terminal);
  try {
    // An engine is never asked with another store than its own.
    if (!host) chooseStore(args);
    return await follow(route(args), terminal, display, signal, host);
  } catch (thrown) {
    if (thrown instanceof NotHere) throw thrown;
    const error = asDossierError(thrown);
    await printError(error, terminal, display);
    return error.exit;
  }
}

async function follow(
  to: CommandRoute,
  terminal: Terminal,
  display: Display,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  if (to.to === "operation" && !wantsHelp(to.args)) return operate(to, terminal, display, signal, host);
  if (host) throw new NotHere();
  await write(terminal.stdout, await textOf(to, display.colour));
  return 0;
}

/** What is printed without running anything. */
async function textOf(to: CommandRoute, colour: boolean): Promise<string> {
  switch (to.to) {
    case "version":
      return `${version}\n`;
    case "overview":
      return (await import("./overview.ts")).overview(colour);
    case "noun":
      return (await import("./help.ts")).nounHelp(to.noun, colour);
    case "operation":
      return calledHelp(to.called, colour);
    case "completion":
      return (await import("./completion.ts")).completion(wantsHelp(to.args) ? undefined : to.args[0]);
    case "help":
      return helpAbout(to.args, colour);
  }
}

/** `help`, `help --all`, `help memory`, `help memory add`. */
async function helpAbout(args: string[], colour: boolean): Promise<string> {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const [first] = words;
  if (first === undefined && (args.includes("--all") || args.includes("-a")))
    return (await import("./help.ts")).everyCommand(colour);
  const { overview, ownHelp } = await import("./overview.ts");
  if (first === undefined) return overview(colour);
  const own = ownCommands.find((each) => each === first);
  if (own) return ownHelp(own);
  if (isNoun(first) && words.length === 1) return (await import("./help.ts")).nounHelp(first, colour);
  const called = commandCalled(words);
  if (!called || (isNoun(first) && called.used < 2)) throw (await import("./typo.ts")).unknownCommand(words);
  return calledHelp(called, colour);
}

async function loadOperation(name: Called["operation"]): Promise<Operation> {
  return (await import("../../operations/core/registry.ts")).loadOperation(name);
}

/** The name of an operation whose steps are commands leads to the page of their noun. */
async function calledHelp(called: Called, colour: boolean): Promise<string> {
  const [{ commandHelp, nounHelp }, operation] = await Promise.all([
    import("./help.ts"),
    loadOperation(called.operation),
  ]);
  if (called.step !== undefined || !operation.takes) return commandHelp(operation, called, colour);
  return nounHelp(commands.find((entry) => entry.operation === called.operation)!.words.split(" ")[0]!, colour);
}

async function operate(
  to: OperationRoute,
  terminal: Terminal,
  display: Display,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  const [{ runOperation }, operation] = await Promise.all([
    import("./run-operation.ts"),
    loadOperation(to.called.operation),
  ]);
  const run = () => runOperation(operation, to, terminal, display, signal, host);
  if (!operation.neverFails) return run();
  return run().catch(async (thrown: unknown) => {
    if (thrown instanceof NotHere) throw thrown;
    await printError(asDossierError(thrown), terminal, { ...display, json: false });
    return 0;
  });
}
