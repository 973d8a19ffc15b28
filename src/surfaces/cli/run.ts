import { asDossierError, type DossierError } from "../../errors.ts";
import { type Called, commandCalled, commands, isNoun } from "../../operations/core/commands.ts";
import type { Operation } from "../../operations/core/operation.ts";
import { chooseStore } from "../../operations/store/choose-store.ts";
import { version } from "../../package.ts";
import { asSentence } from "../../text/as-sentence.ts";
import { type CommandRoute, type OperationRoute, ownCommands, route, wantsHelp } from "./route.ts";
import { type CommandHost, type Display, displayOf, NotForEngine, type Terminal, write } from "./terminal.ts";

/** Runs one command line and returns its exit status. Modules are loaded only for the command that uses them. */
export async function runCommandLine(
  args: string[],
  terminal: Terminal,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  const display = displayOf(args, terminal);
  try {
    // An engine always uses its own store: a request with another one never reaches it.
    if (!host) chooseStore(args);
    return await runRoute(route(args), terminal, display, signal, host);
  } catch (thrown) {
    if (thrown instanceof NotForEngine) throw thrown;
    const error = asDossierError(thrown);
    await printError(error, terminal, display);
    return error.exit;
  }
}

async function runRoute(
  to: CommandRoute,
  terminal: Terminal,
  display: Display,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  if (to.to === "operation" && !wantsHelp(to.args)) return runRouted(to, terminal, display, signal, host);
  if (host) throw new NotForEngine();
  await write(terminal.stdout, await textOf(to, display.colour));
  return 0;
}

/** Help and other texts that are printed without running anything. */
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
  const ownCommand = ownCommands.find((each) => each === first);
  if (ownCommand) return ownHelp(ownCommand);
  if (isNoun(first) && words.length === 1) return (await import("./help.ts")).nounHelp(first, colour);
  const called = commandCalled(words);
  if (!called || (isNoun(first) && called.used < 2)) throw (await import("./typo.ts")).unknownCommand(words);
  return calledHelp(called, colour);
}

async function loadOperation(name: Called["operation"]): Promise<Operation> {
  return (await import("../../operations/core/registry.ts")).loadOperation(name);
}

/** The help of an operation whose steps are commands is the page of their noun. */
async function calledHelp(called: Called, colour: boolean): Promise<string> {
  const [{ commandHelp, nounHelp }, operation] = await Promise.all([
    import("./help.ts"),
    loadOperation(called.operation),
  ]);
  if (called.step !== undefined || !operation.takes) return commandHelp(operation, called, colour);
  return nounHelp(commands.find((entry) => entry.operation === called.operation)!.words.split(" ")[0]!, colour);
}

async function runRouted(
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
    if (thrown instanceof NotForEngine) throw thrown;
    await printError(asDossierError(thrown), terminal, { ...display, json: false });
    return 0;
  });
}

/** One sentence that says what is wrong and one that says what to do; the stack trace only for --debug. */
async function printError(error: DossierError, terminal: Terminal, display: Display): Promise<void> {
  const fix = error.fix;
  if (display.json) {
    const report = { error: { code: error.code, message: error.message, fix } };
    await write(terminal.stdout, `${JSON.stringify(report, null, 2)}\n`);
  }
  const label = display.errorColour ? "\u001b[31merror:\u001b[39m" : "error:";
  await write(terminal.stderr, `${label} ${asSentence(error.message)} ${fix}\n`);
  if (display.debug) await write(terminal.stderr, `${traces(error).join("\ncaused by ")}\n`);
}

function traces(error: unknown): string[] {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? [trace] : [trace, ...traces(cause)];
}
