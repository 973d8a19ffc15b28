import { resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import { call } from "../../operations/core/call.ts";
import { type Called, commandCalled } from "../../operations/core/commands.ts";
import type { InputField } from "../../operations/core/fields.ts";
import { opensWith } from "../../operations/core/opens-with.ts";
import type { Environment, Operation } from "../../operations/core/operation.ts";
import { loadOperation } from "../../operations/core/registry.ts";
import { jsonText } from "../../text/json/json-text.ts";
import { answerOthers, serve, serveAgent, serveEngine } from "../serve.ts";
import { flagsOf, inputName, placesOf } from "./command-flags.ts";
import { parse } from "./parse.ts";
import { progressLine } from "./progress.ts";
import { meansOwnProcess, readAll, readInputFile } from "./read-input-file.ts";
import type { OperationRoute } from "./route.ts";
import { type CommandHost, type Display, NotForEngine, type Terminal, write } from "./terminal.ts";
import { typoWarning } from "./typo.ts";

type Workspace = Parameters<NonNullable<Environment["later"]>>[0];

/** Translates one command line into an operation's input, runs it and prints its output. */
export async function runOperation(
  operation: Operation,
  { called, args, isNamed }: Omit<OperationRoute, "to">,
  terminal: Terminal,
  display: Display,
  signal: AbortSignal,
  host?: CommandHost,
): Promise<number> {
  const flags = flagsOf(operation, called.step);
  const parsed = parse(called.words, args, flags);
  if (!isNamed && !isLiteral(parsed.words, args)) {
    const hidden = behindFlags(parsed.words, args);
    if (hidden)
      return runOperation(await loadOperation(hidden.called.operation), hidden, terminal, display, signal, host);
    const doubted = typoWarning(parsed.words);
    if (doubted && !display.quiet) await write(terminal.stderr, `${doubted}\n`);
  }
  const values: Record<string, unknown> = called.step === undefined ? {} : { step: called.step };
  host?.begins(operation, values);
  const source: ValueSource = { terminal, signal, host };
  await readFlags(flags, parsed.values, source, values);
  Object.assign(values, await fillPlaces(operation, called, parsed.words, source));
  const unfinished = new Map<string, Unfinished>();
  let outcome: Outcome;
  try {
    outcome = await callOperation(operation, values, called, { terminal, display, signal, host, unfinished });
  } catch (thrown) {
    throw args.length === 0 ? withNameHint(thrown, called.words) : thrown;
  }
  const { input, output } = outcome;
  await printOutcome(operation, outcome, terminal, display);
  for (const workspace of unfinished.values()) {
    const { buildInBackground } = await import("../../operations/index/background-build.ts");
    buildInBackground(workspace);
  }
  return operation.exit?.(output, input) ?? 0;
}

type Outcome = Awaited<ReturnType<typeof call>>;
/** The workspace whose index has to be completed after the answer is printed. */
type Unfinished = Pick<Workspace, "root" | "databasePath">;

async function readFlags(
  flags: ReturnType<typeof flagsOf>,
  given: ReadonlyMap<string, unknown>,
  source: ValueSource,
  values: Record<string, unknown>,
): Promise<void> {
  for (const { field, name } of flags) {
    if (!field || !given.has(name)) continue;
    const value = given.get(name);
    values[field.key] = field.fromFile ? await valueFor(field, String(value), source) : value;
  }
}

type Surroundings = {
  terminal: Terminal;
  display: Display;
  signal: AbortSignal;
  host: CommandHost | undefined;
  unfinished: Map<string, Unfinished>;
};

async function callOperation(
  operation: Operation,
  values: Record<string, unknown>,
  { step, words }: Called,
  { terminal, display, signal, host, unfinished }: Surroundings,
): Promise<Outcome> {
  const line = progressLine(terminal.progress ?? terminal.stderr, display.quiet);
  const later = ({ root, databasePath }: Workspace) => void unfinished.set(root, { root, databasePath });
  // If no background work may follow the answer, everything is indexed before it.
  const completesLater = terminal.environment.DOSSIER_BACKGROUND !== "off";
  try {
    return await call(operation, values, {
      signal,
      session: terminal.environment.DOSSIER_SESSION,
      progress: line.report,
      nameOf: (key) => inputName(operation, key, step),
      command: words,
      ...(completesLater && { later }),
      serve,
      serveAgent,
      serveEngine,
      answerOthers,
      stdin: terminal.stdin,
      ...(host && {
        folder: host.folder,
        askedAt: host.askedAt,
        open: host.open,
        variables: terminal.environment,
      }),
    });
  } finally {
    line.clear();
  }
}

async function printOutcome(
  operation: Operation,
  { input, output }: Outcome,
  terminal: Terminal,
  display: Display,
): Promise<void> {
  const isAside = operation.answersOn === "stderr" && (operation.isAside?.(input) ?? true);
  const speaks = !display.json && !display.quiet;
  const text =
    display.json || !operation.text
      ? jsonText(output, 2)
      : operation.text(output, input, isAside ? display.errorColour : display.colour);
  if (speaks) await printWarnings(output, text, terminal, display);
  if (isAside && display.quiet && !display.json) return;
  const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  if (ended !== "") await write(isAside ? terminal.stderr : terminal.stdout, ended);
  if (speaks) await printBundle(output, terminal);
}

/** A name in the code may also be a command: `dossier run` alone asks what to run. */
function withNameHint(thrown: unknown, words: string): unknown {
  const lacksInput =
    thrown instanceof DossierError && thrown.code === "bad-input" && / is missing; /.test(thrown.message);
  if (!lacksInput || words.includes(" ")) return thrown;
  return new DossierError("bad-input", `${thrown.message} To ask about the name ${words}: dossier context ${words}.`);
}

/** Words after a lone `--` are never a command. */
function isLiteral([first = ""]: string[], args: string[]): boolean {
  return args.slice(0, args.indexOf(first)).includes("--");
}

/**
 * Flags before the command hide it from the router, as in `dossier --limit 5 search login`: the command behind them.
 */
function behindFlags(words: string[], args: string[]): Omit<OperationRoute, "to"> | undefined {
  const position = args.indexOf(words[0] ?? "");
  const called = position < 1 ? undefined : commandCalled(words);
  if (!called) return undefined;
  const name = [position, args.indexOf(words[1] ?? "", position + 1)].slice(0, called.used);
  return { called, args: args.filter((_, at) => !name.includes(at)), isNamed: true };
}

/**
 * Assigns the words to their places. A question needs no quotes: remaining words belong to it, as they do to a list.
 */
async function fillPlaces(
  operation: Operation,
  called: Called,
  words: string[],
  source: ValueSource,
): Promise<Record<string, unknown>> {
  const places = placesOf(operation, called.step);
  const values: Record<string, unknown> = {};
  for (const [position, place] of places.entries()) {
    if (place.type === "list" && words.length > position) {
      values[place.key] = words.slice(position);
      return values;
    }
    const joins = place.key === "query" && position === places.length - 1;
    const word = joins ? words.slice(position).join(" ") : words[position];
    if (word === undefined || (joins && words.length <= position)) break;
    values[place.key] = await valueFor(place, word, source);
    if (joins) return values;
  }
  if (words.length > places.length) {
    const expectedWords = places.length === 0 ? "no words" : places.map((place) => `<${place.key}>`).join(" ");
    const extra = words
      .slice(places.length)
      .map((word) => JSON.stringify(word))
      .join(" ");
    throw new DossierError(
      "bad-input",
      `dossier ${called.words} takes ${expectedWords}; ${extra} is too much. Put quotes around what belongs together.`,
    );
  }
  return values;
}

/** Sources of a value besides the command line: standard input or a file. */
type ValueSource = { terminal: Terminal; signal: AbortSignal; host?: CommandHost };

async function valueFor(place: InputField, word: string, { terminal, signal, host }: ValueSource): Promise<string> {
  if (word === "-" && (place.key === "query" || place.key === "content" || place.fromFile))
    return readAll(terminal.stdin, signal);
  if (!place.fromFile) return word;
  const takes = `<${place.key}> takes a file, or - for standard input`;
  // Resolved, an empty word would be the folder itself.
  if (word === "") throw new DossierError("bad-input", `${takes}, and here it is empty.`);
  const path = resolve(host?.folder ?? "", word);
  try {
    if (host && meansOwnProcess(path)) throw new NotForEngine();
    return await readInputFile(path, word, signal);
  } catch (error) {
    if (error instanceof DossierError || error instanceof NotForEngine || signal.aborted) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new DossierError("not-found", `There is no file ${word}.`, { cause: error });
    if (code === "EISDIR") throw new DossierError("bad-input", `${word} is a folder; ${takes}.`, { cause: error });
    throw new DossierError("not-readable", `${word} cannot be read: ${message}.`, { cause: error });
  }
}

/** Prints the bundle that the next question passes as `--since`, on standard error: the document has its own budget. */
async function printBundle(output: unknown, terminal: Terminal): Promise<void> {
  const { bundle } = (output ?? {}) as { bundle?: unknown };
  if (typeof bundle === "string") await write(terminal.stderr, `bundle: ${bundle}\n`);
}

/** Prints the warnings, except for those that the text begins with. */
async function printWarnings(output: unknown, text: string, terminal: Terminal, display: Display): Promise<void> {
  const { warnings } = (output ?? {}) as { warnings?: unknown };
  if (!Array.isArray(warnings)) return;
  const label = display.errorColour ? "\u001b[33mwarning:\u001b[39m" : "warning:";
  for (const warning of warnings.map(String)) {
    if (!opensWith(text, warning)) await write(terminal.stderr, `${label} ${warning}\n`);
  }
}
