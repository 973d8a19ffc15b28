import { chmodSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { ClientConversation, type ClientConversationHost } from "./client-conversation.ts";
import { type EnginePlace, identityOf } from "./place.ts";
import type { EngineMessage, EngineStatus, Guard, RunRequest } from "./protocol.ts";
import { prepareToken } from "./token.ts";

/**
 * The engine's end of the socket: who may ask, how much, and how progress is reported. What a request does is up to
 * its host.
 */

export type EngineHost = {
  root: string;
  version: string;
  /** The process that hosts the engine. */
  name: string;
  /**
   * Names of environment variables that an answer may depend on; none while the workspace's settings turn the engine
   * off.
   */
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
/** Requests that run at the same time; the others wait, and get progress messages. */
const mostRunning = 8;
/** Characters of one message. */
const longestText = 1 << 20;

/**
 * Listens for a workspace. Undefined where another engine does already, or where there is no private place. `onLeave`
 * is called when a client of another version, or `dossier engine stop`, wants this engine to end.
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
  /** Connections that have not sent the token, the oldest first. */
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
    // The connection that has been silent longest goes: a client with the token greets at once.
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

  /** Requests beyond the limit wait in the order of asking; one whose client has gone is not run. */
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
