import { readFileSync, realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type EnginePlace, enginePlace, isPrivate, statsOf } from "./place.ts";
import {
  type ClientMessage,
  type EngineMessage,
  encode,
  type Guard,
  messageReader,
  type RunRequest,
  type ScreenSize,
} from "./protocol.ts";
import { areUntouched } from "./write-guards.ts";

/**
 * Passes a command line to the engine of its workspace. Every command loads this file before anything else, so it must
 * stay small and use nothing but Node.
 */

/** Milliseconds to wait for an engine's greeting. */
const patience = 200;
/** Milliseconds of silence after which this process itself runs a command that only reads. */
const longestSilence = 10_000;
/** Most bytes of one message from an engine. */
const largestMessage = 256 * 2 ** 20;
/**
 * Most bytes of a hook's payload, and milliseconds until all of it has arrived: the hook itself has the same limits.
 */
const largestPayload = 8_000_000;
const payloadPatience = 8_000;

/** The process that runs the command, with the terminal's own streams. */
export type ClientProcess = {
  variables: Readonly<Record<string, string | undefined>>;
  folder: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  version: string;
};

export type Outcome =
  | { status: number }
  /** Nothing was printed or written: this process must run the command. */
  | {
      alone: true;
      stdin?: string;
      /** The folder in which an engine could be started, if none listens. */
      startAt?: string;
    };

/** First words of commands that engines do not run: they serve, use the terminal, or concern this installation. */
const notForEngines = new Set(
  "serve mcp engine index run eval doctor help completion key keys model workspace workspaces --version -V".split(" "),
);

/**
 * Arguments that only this process can handle: help, another workspace by its name, another store than the engine's,
 * and a hyphen, which may mean standard input.
 */
const isForThisProcess = /^(?:-h|--help|--workspace(?:=.*)?|--store(?:=.*)?|(?:--[\w-]+=)?-)$/;
const withoutValue = /^(?:--(?:json|quiet|debug|color|no-color|no-quiet)|-q|-C.+|--path=.*)$/;

/** The first word that is neither a common flag nor the value of one. */
function firstWord(args: readonly string[]): string | undefined {
  let at = 0;
  for (; at < args.length; at++) {
    if (args[at] === "-C" || args[at] === "--path") at++;
    else if (!withoutValue.test(args[at]!)) break;
  }
  return args[at];
}

/** Asks the engine, if there is one. An interrupt aborts `signal`. */
export async function askEngine(args: readonly string[], client: ClientProcess, signal: AbortSignal): Promise<Outcome> {
  const beforeDashes = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  const word = firstWord(args);
  if (isOff(client.variables) || word === undefined || notForEngines.has(word)) return { alone: true };
  if (beforeDashes.some((arg) => isForThisProcess.test(arg))) return { alone: true };
  const isHook = word === "hook";
  const stdin = isHook && !client.stdin.isTTY ? await readPayload(client.stdin, signal) : undefined;
  const alone = { alone: true as const, ...(stdin !== undefined && { stdin }) };
  const start = startOf(beforeDashes, isHook ? (stdin ?? "") : undefined, client);
  const root = start && engineRoot(start, client.variables);
  if (!root || signal.aborted || (stdin?.length ?? 0) > largestPayload) return alone;
  const place = enginePlace(root, client.variables);
  const token = place && readToken(place);
  if (token === undefined) return { ...alone, startAt: root };
  const request: Omit<RunRequest, "variables"> = {
    type: "run",
    args: [...args],
    folder: client.folder,
    ...(stdin !== undefined && { stdin }),
    stdout: screenOf(client.stdout),
    stderr: screenOf(client.stderr),
  };
  const reply = await converse(place!, { version: client.version, token, root }, request, client, signal);
  return reply === "unreachable" ? { ...alone, startAt: root } : reply === "declined" ? alone : reply;
}

export function isOff(variables: ClientProcess["variables"]): boolean {
  // A relative DOSSIER_HOME would mean a different folder for each current folder.
  const { DOSSIER_ENGINE = "", DOSSIER_HOME = "" } = variables;
  return /^(?:off|0|false|no)$/i.test(DOSSIER_ENGINE) || (DOSSIER_HOME !== "" && !isAbsolute(DOSSIER_HOME));
}

/** The folder that a command concerns: the one it names, that of a hook's session, or the current one. */
function startOf(args: readonly string[], payload: string | undefined, client: ClientProcess): string | undefined {
  const at = args.findLastIndex((arg) => /^(?:-C|--path(?:=|$))/.test(arg));
  const flag = args[at];
  const namedFolder = flag === "-C" || flag === "--path" ? args[at + 1] : flag?.replace(/^(?:-C|--path=)/, "");
  const session = payload === undefined ? undefined : client.variables.CLAUDE_PROJECT_DIR || folderIn(payload);
  try {
    return realpathSync.native(resolve(client.folder, namedFolder ?? session ?? "."));
  } catch (error) {
    // The command itself reports the problem with the folder.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
}

function folderIn(payload: string): string | undefined {
  try {
    const { cwd } = JSON.parse(payload) as { cwd?: unknown };
    return typeof cwd === "string" && cwd !== "" ? cwd : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * The nearest folder with an engine or an index. The engine resolves the workspace again as this process would, and
 * declines requests for any other workspace.
 */
export function engineRoot(start: string, variables: ClientProcess["variables"]): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const place = process.platform === "win32" ? undefined : enginePlace(folder, variables);
    if ((place && statsOf(place.address)?.isSocket()) || statsOf(join(folder, ".dossier"))?.isDirectory())
      return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Undefined if there is no engine, or if its files are not private to this user. */
export function readToken({ folder, address, tokenFile }: EnginePlace): string | undefined {
  if (!isPrivate(folder, "folder") || !isPrivate(tokenFile, "file")) return undefined;
  if (process.platform !== "win32" && !isPrivate(address, "socket")) return undefined;
  try {
    return readFileSync(tokenFile, "utf8");
  } catch (error) {
    // The file was removed after the check.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function screenOf({ isTTY, columns }: NodeJS.WriteStream): ScreenSize {
  return { isTTY: isTTY === true, ...(columns !== undefined && { columns }) };
}

type Greeting = { version: string; token: string; root: string };

/** `unreachable`: there is no engine. `declined`: an engine exists, but does not run this command. */
type EngineReply = "unreachable" | "declined" | { status: number };

/**
 * Sends a command line and prints the answer. All text is held back until the end: if the engine dies, nothing is
 * printed and the command can be run here instead. Only progress is drawn at once.
 */
function converse(
  place: EnginePlace,
  greeting: Greeting,
  request: Omit<RunRequest, "variables">,
  client: ClientProcess,
  signal: AbortSignal,
): Promise<EngineReply> {
  return new Promise((done) => {
    const socket = connect(place.address);
    const texts: Extract<EngineMessage, { type: "text" }>[] = [];
    let guards: Guard[] | undefined;
    let isGreeted = false;
    let isDrawn = false;
    let isDone = false;
    let isOver = false;
    const send = (message: ClientMessage) => socket.write(encode(message));
    const cancel = () => (isGreeted ? send({ type: "cancel" }) : end("declined"));
    const wipe = () => {
      if (isDrawn) client.stderr.write("\r\u001b[K");
      isDrawn = false;
    };
    const end = (reply: EngineReply) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      socket.destroy();
      wipe();
      done(reply);
    };
    const finish = async (status: number) => {
      isOver = true;
      clearTimeout(timer);
      wipe();
      for (const { to, text } of texts.splice(0)) {
        const failure = await write(client[to], text);
        if (!failure) continue;
        // A reader that closes the pipe early (`| head`) is no failure.
        if (failure.code === "EPIPE") return end({ status: 0 });
        const { sentence, status: failed } = unwritten(failure);
        await write(client.stderr, `error: ${sentence}\n`);
        return end({ status: failed });
      }
      end({ status });
    };
    const onLost = () => {
      if (isDone || isOver) return;
      isOver = true;
      // A command that only reads can be run again; a command that writes, only if nothing was written.
      if (!guards || areUntouched(guards)) return end(isGreeted ? "declined" : "unreachable");
      void write(client.stderr, `error: ${lostInWriting}\n`).then(() => end({ status: 1 }));
    };
    let timer = setTimeout(() => end("declined"), patience);
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (guards?.length ? restartTimer() : end("declined")), longestSilence);
    };
    const take = (message: EngineMessage) => {
      if (isDone || isOver) return;
      if (isGreeted) restartTimer();
      switch (message.type) {
        case "welcome":
          isGreeted = true;
          restartTimer();
          return send({ ...request, variables: chosen(message.variables, client.variables) });
        case "refused":
          // An engine of another version ends itself; its successor may have our version.
          return end(message.why === "version" ? "unreachable" : "declined");
        case "declined":
          return end("declined");
        case "accepted":
          guards = message.guards;
          return;
        case "text":
          return void texts.push(message);
        case "progress":
          isDrawn = true;
          return void client.stderr.write(message.text);
        case "exit":
          return void finish(message.status);
      }
    };
    const reader = messageReader(() => largestMessage, take, onLost);
    socket.on("connect", () => send({ type: "hello", ...greeting }));
    socket.on("data", (chunk: Buffer) => reader.take(chunk));
    // The command continues in the same way if no engine listens and if the connection breaks.
    socket.on("error", onLost);
    socket.on("close", onLost);
    signal.addEventListener("abort", cancel, { once: true });
  });
}

const lostInWriting =
  "The engine ended while it wrote, so this may have been written or not. Look whether it was before you try again.";

function chosen(names: readonly string[], variables: ClientProcess["variables"]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}

/** Writes text; returns the error if writing fails. */
function write(stream: NodeJS.WriteStream, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((done) => stream.write(text, (error) => done(error ?? undefined)));
}

/** The sentence and the exit status for an answer that the program cannot write; `errors.ts` is not loaded here. */
function unwritten({ code, message }: NodeJS.ErrnoException): { sentence: string; status: number } {
  if (code !== "ENOSPC") return { sentence: `The answer could not be written: ${message}.`, status: 70 };
  const fix = "Free some disk space and try again; the index is as it was before.";
  return { sentence: `The disk is full. ${fix}`, status: 7 };
}

async function readPayload(stream: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = () => stream.destroy();
  const timer = setTimeout(stop, payloadPatience);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > largestPayload) break;
    }
  } catch (error) {
    // An interrupt came while waiting: the command itself decides what to do with the input so far.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Sends one message to an engine and returns its answer, for `dossier engine status` and `stop`. Undefined if no engine
 * answers.
 */
export function tellEngine(
  place: EnginePlace,
  greeting: Greeting,
  message: { type: "status" } | { type: "stop" },
): Promise<EngineMessage | undefined> {
  return new Promise((done) => {
    const socket: Socket = connect(place.address);
    const end = (answer?: EngineMessage) => {
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    const timer = setTimeout(end, 10 * patience);
    const take = (answer: EngineMessage) =>
      answer.type === "welcome" ? void socket.write(encode(message)) : end(answer);
    const reader = messageReader<EngineMessage>(() => largestMessage, take, end);
    socket.on("connect", () => socket.write(encode({ type: "hello", ...greeting })));
    socket.on("data", (chunk: Buffer) => reader.take(chunk));
    socket.on("error", () => end());
    socket.on("close", () => end());
  });
}
