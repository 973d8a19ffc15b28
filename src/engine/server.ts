import { chmodSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { type EnginePlace, identityOf } from "./place.ts";
import {
  type ClientMessage,
  type EngineMessage,
  type EngineRefusal,
  type EngineStatus,
  encode,
  type Guard,
  messageReader,
  type RunRequest,
} from "./protocol.ts";
import { isToken, prepareToken } from "./token.ts";

/**
 * The engine's end of the socket: who may ask, how much, and how progress is reported. What a request does is up to
 * its host.
 */

export type EngineHost = {
  root: string;
  version: string;
  /** The process that hosts the engine. */
  name: string;
  /** Names of environment variables that an answer may depend on; none while the workspace's settings turn the engine off. */
  variables(): Promise<string[] | undefined>;
  perform(request: RunRequest, answer: Answer, signal: AbortSignal): Promise<Performed>;
  /** A request begins or ends: an idle process can free memory. */
  began?(): void;
  ended?(): void;
};

export type Performed = { status: number } | "declined";

export type Answer = {
  /** To be called once, before anything is done, with the files that it may change. */
  accepted(guards: Guard[]): void;
  text(to: "stdout" | "stderr", text: string): void;
  progress(text: string): void;
};

export type Listening = {
  /** False when another engine has taken the place, or someone has removed the socket. */
  isInPlace(): boolean;
  /** Seconds since the last request ended; 0 while one runs. */
  idleSeconds(): number;
  /** Takes no more requests, finishes the running ones, and removes the socket. */
  close(): Promise<void>;
};

const mostConnections = 256;
/** Most connections that have not sent the token: even a flood of them leaves room for a client that does. */
const mostStrangers = 64;
const millisecondsToGreet = 2_000;
const millisecondsToAsk = 10_000;
const largestGreeting = 16 * 1024;
const largestRequest = 40 * 2 ** 20;
/** Requests that run at the same time; the others wait, and get progress messages. */
const mostRunning = 8;
const betweenSigns = 1_000;
/** Characters of one message. */
const longestText = 1 << 20;

/**
 * Listens for a workspace. Nothing where another engine does already, or where no private place is. `onLeave` is told when a client of
 * another version, or `dossier engine stop`, wants this engine to end.
 */
export async function listen(
  place: EnginePlace,
  host: EngineHost,
  onLeave: () => void,
): Promise<Listening | undefined> {
  const token = prepareToken(place);
  if (token === undefined || (await isAnswered(place.address))) return undefined;
  const started = performance.now();
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  const strangers = new Set<Socket>();
  let answered = 0;
  let lastEnded = started;
  let isLeaving = false;

  const status = (): EngineStatus => ({
    root: host.root,
    version: host.version,
    pid: process.pid,
    host: host.name,
    seconds: seconds(started),
    idleSeconds: idleSeconds(),
    answered,
    running: running.size,
    megabytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
  });
  const idleSeconds = () => (running.size + waiting.length > 0 ? 0 : seconds(lastEnded));
  const leave = () => {
    isLeaving = true;
    onLeave();
  };

  /** Requests beyond the limit wait in the order of asking. */
  const turn = async () => {
    if (running.size >= mostRunning) await new Promise<void>((next) => waiting.push(next));
  };

  const serve = async (request: RunRequest, send: (message: EngineMessage) => void, signal: AbortSignal) => {
    host.began?.();
    try {
      const performed = await host.perform(request, answerTo(send), signal);
      if (performed === "declined") return send({ type: "declined" });
      answered++;
      send({ type: "exit", status: performed.status });
    } finally {
      lastEnded = performance.now();
      host.ended?.();
    }
  };

  const talk = (socket: Socket) => {
    sockets.add(socket);
    strangers.add(socket);
    let greeting: Promise<boolean> | undefined;
    let state: "stranger" | "greeted" | "asked" = "stranger";
    const gone = new AbortController();
    const markGreeted = () => {
      strangers.delete(socket);
      state = "greeted";
    };
    const drop = () => socket.destroy();
    let timer = setTimeout(drop, millisecondsToGreet);
    const send = (message: EngineMessage) => {
      if (!socket.destroyed) socket.write(encode(message));
    };
    const refuse = (why: EngineRefusal) => {
      send({ type: "refused", why });
      socket.end();
      return false;
    };
    /** True when this client may send requests. */
    const greet = async (message: ClientMessage): Promise<boolean> => {
      if (message.type !== "hello" || !isToken(message.token, token)) return refuse("token");
      markGreeted();
      clearTimeout(timer);
      timer = setTimeout(drop, millisecondsToAsk);
      if (message.root !== host.root) return refuse("root");
      if (message.version !== host.version) {
        leave();
        return refuse("version");
      }
      if (isLeaving) return refuse("leaving");
      const variables = await host.variables();
      if (variables === undefined) {
        leave();
        return refuse("off");
      }
      send({ type: "welcome", variables });
      return true;
    };
    const ask = async (message: ClientMessage) => {
      if (!(await greeting)) return;
      if (message.type === "status") return send({ type: "status", status: status() });
      if (message.type === "stop") {
        send({ type: "exit", status: 0 });
        return leave();
      }
      if (message.type !== "run" || state === "asked") return drop();
      state = "asked";
      clearTimeout(timer);
      const signs = setInterval(() => send({ type: "alive" }), betweenSigns);
      await turn();
      const work = socket.destroyed ? Promise.resolve() : serve(message, send, gone.signal);
      running.add(work);
      try {
        await work;
      } finally {
        clearInterval(signs);
        running.delete(work);
        waiting.shift()?.();
      }
      socket.end();
    };
    const take = (message: ClientMessage) => {
      if (state === "stranger" && !greeting) {
        greeting = greet(message);
        return void greeting.catch(drop);
      }
      if (message.type === "cancel") return gone.abort();
      // If the host throws, the client gets no answer and runs the command itself.
      void ask(message).catch(drop);
    };
    const reader = messageReader(() => (state === "stranger" ? largestGreeting : largestRequest), take, drop);
    socket.on("data", (chunk: Buffer) => reader.take(chunk));
    // Nothing is sent to a client that has gone.
    socket.on("error", drop);
    socket.on("close", () => {
      clearTimeout(timer);
      sockets.delete(socket);
      markGreeted();
      gone.abort();
    });
    // The connection that has been silent longest goes: a client with the token greets at once.
    const [oldest] = strangers;
    if (strangers.size > mostStrangers) {
      strangers.delete(oldest!);
      oldest!.destroy();
    }
  };

  const server = createServer(talk);
  server.maxConnections = mostConnections;
  const socketFile = await takeSocket(place.address, server);
  if (socketFile === undefined) return undefined;
  return {
    isInPlace: () => process.platform === "win32" || identityOf(place.address) === socketFile,
    idleSeconds,
    async close() {
      isLeaving = true;
      if (process.platform !== "win32" && identityOf(place.address) === socketFile)
        rmSync(place.address, { force: true });
      server.close();
      await Promise.allSettled(running);
      for (const socket of sockets) socket.end();
    },
  };
}

function seconds(since: number): number {
  return Math.floor((performance.now() - since) / 1000);
}

function answerTo(send: (message: EngineMessage) => void): Answer {
  return {
    accepted: (guards) => send({ type: "accepted", guards }),
    text(to, text) {
      for (let at = 0; at < text.length; ) {
        // A surrogate pair is not split.
        const isSplit = /[\ud800-\udbff]/.test(text[at + longestText - 1] ?? "");
        const end = at + longestText - (isSplit ? 1 : 0);
        send({ type: "text", to, text: text.slice(at, end) });
        at = end;
      }
    },
    progress: (text) => send({ type: "progress", text }),
  };
}

/** True when somebody listens there. */
function isAnswered(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    const end = (answer: boolean) => {
      socket.destroy();
      done(answer);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
  });
}

/**
 * Binds a temporary name first, then renames it to the right one, in one step: a socket that a killed engine left is
 * replaced, and of two engines that start at once the later one has the place. The other sees that and ends. Returns
 * which file it is.
 */
async function takeSocket(address: string, server: ReturnType<typeof createServer>): Promise<string | undefined> {
  const isPipe = process.platform === "win32";
  const first = isPipe ? address : `${address}.${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const isListening = await new Promise<boolean>((done) => {
    server.once("error", () => done(false));
    server.listen(first, () => done(true));
  });
  if (!isListening || isPipe) return isListening ? address : undefined;
  try {
    chmodSync(first, 0o600);
    renameSync(first, address);
    return identityOf(address);
  } catch (error) {
    // A folder in its place, or the private folder is gone.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
    server.close();
    return undefined;
  }
}
