import { chmodSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { ClientConversation, type ClientConversationHost } from "./client-conversation.ts";
import { type EnginePlace, identityOf } from "./place.ts";
import type { EngineMessage, EngineStatus, Guard, RunRequest } from "./protocol.ts";
import { prepareToken } from "./token.ts";

/**
 * The engine's end of the socket: who may send requests, how many, and how progress is reported. The host decides what
 * a request does.
 */

export type EngineHost = {
  root: string;
  version: string;
  /** The process that hosts the engine. */
  name: string;
  /**
   * Names of environment variables that an answer may depend on; undefined if the workspace's settings turn the engine
   * off.
   */
  variables(): Promise<string[] | undefined>;
  perform(request: RunRequest, answer: Answer, signal: AbortSignal): Promise<Performed>;
  /** Called when a request begins or ends: an idle process can free memory. */
  began?(): void;
  ended?(): void;
};

export type Performed = { status: number } | "declined";

export type Answer = {
  /** Must be called once, before any work, with the files that the request may change. */
  accepted(guards: Guard[]): void;
  text(to: "stdout" | "stderr", text: string): void;
  progress(text: string): void;
};

export type Listening = {
  /** False if another engine has taken the place, or the socket was removed. */
  isInPlace(): boolean;
  /** Seconds since the last request ended; 0 while a request runs. */
  idleSeconds(): number;
  /** Refuses new requests, finishes the running ones, and removes the socket. */
  close(): Promise<void>;
};

const mostConnections = 256;
/**
 * Most connections that have not sent the token, so that even a flood of them leaves room for a client with the token.
 */
const mostStrangers = 64;
/** Most requests that run at the same time; the others wait, and get progress messages. */
const mostRunning = 8;
/** Most characters of one message. */
const longestText = 1 << 20;

/**
 * Listens for a workspace. Undefined if another engine does so already, or if there is no private place. `onLeave` is
 * called when a client of another version, or `dossier engine stop`, asks this engine to end.
 */
export async function listen(
  place: EnginePlace,
  host: EngineHost,
  onLeave: () => void,
): Promise<Listening | undefined> {
  const token = prepareToken(place);
  if (token === undefined || (await isAnswered(place.address))) return undefined;
  const engine = new EngineServer(token, host, onLeave);
  const server = createServer((socket) => engine.accept(socket));
  server.maxConnections = mostConnections;
  const socketFile = await takeSocket(place.address, server);
  if (socketFile === undefined) return undefined;
  const isInPlace = () => identityOf(place.address) === socketFile;
  const isPipe = process.platform === "win32";
  return {
    isInPlace: () => isPipe || isInPlace(),
    idleSeconds: () => engine.idleSeconds(),
    async close() {
      engine.isLeaving = true;
      if (!isPipe && isInPlace()) rmSync(place.address, { force: true });
      server.close();
      await engine.finish();
    },
  };
}

/** The connections of an engine and the requests that it runs for them. */
class EngineServer implements ClientConversationHost {
  readonly token: string;
  readonly host: EngineHost;
  isLeaving = false;
  readonly #onLeave: () => void;
  readonly #started = performance.now();
  readonly #sockets = new Set<Socket>();
  /** Connections that have not sent the token, oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<void>>();
  #answered = 0;
  #lastEnded = this.#started;

  constructor(token: string, host: EngineHost, onLeave: () => void) {
    this.token = token;
    this.host = host;
    this.#onLeave = onLeave;
  }

  accept(socket: Socket): void {
    this.#sockets.add(socket);
    this.#strangers.add(socket);
    new ClientConversation(socket, this).begin();
    // Drops the connection that has been silent longest: a client with the token greets at once.
    const [oldest] = this.#strangers;
    if (this.#strangers.size > mostStrangers) {
      this.#strangers.delete(oldest!);
      oldest!.destroy();
    }
  }

  onGreeted(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  onClosed(socket: Socket): void {
    this.#sockets.delete(socket);
    this.#strangers.delete(socket);
  }

  leave(): void {
    this.isLeaving = true;
    this.#onLeave();
  }

  status(): EngineStatus {
    const { root, version, name } = this.host;
    return {
      root,
      version,
      pid: process.pid,
      host: name,
      seconds: secondsSince(this.#started),
      idleSeconds: this.idleSeconds(),
      answered: this.#answered,
      running: this.#running.size,
      megabytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
    };
  }

  idleSeconds(): number {
    return this.#running.size + this.#waiting.length > 0 ? 0 : secondsSince(this.#lastEnded);
  }

  /** Requests beyond the limit wait in the order of arrival; a request whose client has gone is not run. */
  async run(
    request: RunRequest,
    { socket, send, signal }: { socket: Socket; send: (message: EngineMessage) => void; signal: AbortSignal },
  ): Promise<void> {
    if (this.#running.size >= mostRunning) await new Promise<void>((next) => this.#waiting.push(next));
    const work = socket.destroyed ? Promise.resolve() : this.#perform(request, send, signal);
    this.#running.add(work);
    try {
      await work;
    } finally {
      this.#running.delete(work);
      this.#waiting.shift()?.();
    }
  }

  async #perform(request: RunRequest, send: (message: EngineMessage) => void, signal: AbortSignal): Promise<void> {
    this.host.began?.();
    try {
      const performed = await this.host.perform(request, answerTo(send), signal);
      if (performed === "declined") return send({ type: "declined" });
      this.#answered++;
      send({ type: "exit", status: performed.status });
    } finally {
      this.#lastEnded = performance.now();
      this.host.ended?.();
    }
  }

  /** Waits for the running requests, then ends all connections. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running);
    for (const socket of this.#sockets) socket.end();
  }
}

function secondsSince(start: number): number {
  return Math.floor((performance.now() - start) / 1000);
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

/** True if a process listens at the address. */
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
 * Binds a temporary name, then renames it to the real one in one step. This replaces a socket that a killed engine
 * left. Of two engines that start at once the later one has the place; the other notices this and ends. Returns the
 * identity of the socket file.
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
    // The name belongs to a folder, or the private folder is gone.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
    server.close();
    return undefined;
  }
}
