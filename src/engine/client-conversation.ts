import type { Socket } from "node:net";
import {
  type ClientMessage,
  type EngineMessage,
  type EngineRefusal,
  type EngineStatus,
  encode,
  messageReader,
  type RunRequest,
} from "./protocol.ts";
import { isToken } from "./token.ts";

/** The parts of the engine that a conversation uses. */
export type ClientConversationHost = {
  readonly token: string;
  readonly host: { root: string; version: string; variables(): Promise<string[] | undefined> };
  /** True if the engine accepts no more requests. */
  readonly isLeaving: boolean;
  status(): EngineStatus;
  /** Ends the engine. */
  leave(): void;
  run(
    request: RunRequest,
    client: { socket: Socket; send: (message: EngineMessage) => void; signal: AbortSignal },
  ): Promise<void>;
  onGreeted(socket: Socket): void;
  onClosed(socket: Socket): void;
};

const millisecondsToGreet = 2_000;
const millisecondsToAsk = 10_000;
const largestGreeting = 16 * 1024;
const largestRequest = 40 * 2 ** 20;
/** Milliseconds between two progress messages of a running request. */
const betweenSigns = 1_000;

/** One client's connection: a greeting with the token, then one request. */
export class ClientConversation {
  readonly #socket: Socket;
  readonly #engine: ClientConversationHost;
  readonly #gone = new AbortController();
  #state: "stranger" | "greeted" | "asked" = "stranger";
  /** Resolves to whether this client may send requests. */
  #greeting: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, engine: ClientConversationHost) {
    this.#socket = socket;
    this.#engine = engine;
  }

  begin(): void {
    this.#dropAfter(millisecondsToGreet);
    const largest = () => (this.#state === "stranger" ? largestGreeting : largestRequest);
    const reader = messageReader<ClientMessage>(largest, (message) => this.#receive(message), this.#drop);
    this.#socket.on("data", (chunk: Buffer) => reader.take(chunk));
    // Nothing is sent to a client that has gone.
    this.#socket.on("error", this.#drop);
    this.#socket.on("close", () => {
      clearTimeout(this.#timer);
      this.#engine.onClosed(this.#socket);
      this.#gone.abort();
    });
  }

  readonly #drop = (): void => {
    this.#socket.destroy();
  };

  #dropAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#drop, milliseconds);
  }

  readonly #send = (message: EngineMessage): void => {
    if (!this.#socket.destroyed) this.#socket.write(encode(message));
  };

  #refuse(why: EngineRefusal): false {
    this.#send({ type: "refused", why });
    this.#socket.end();
    return false;
  }

  #receive(message: ClientMessage): void {
    if (this.#state === "stranger" && !this.#greeting) {
      this.#greeting = this.#greet(message);
      this.#greeting.catch(this.#drop);
    } else if (message.type === "cancel") this.#gone.abort();
    // If the host throws, the client gets no answer and runs the command itself.
    else void this.#answer(message).catch(this.#drop);
  }

  async #greet(message: ClientMessage): Promise<boolean> {
    const { token, host } = this.#engine;
    if (message.type !== "hello" || !isToken(message.token, token)) return this.#refuse("token");
    this.#state = "greeted";
    this.#engine.onGreeted(this.#socket);
    this.#dropAfter(millisecondsToAsk);
    if (message.root !== host.root) return this.#refuse("root");
    if (message.version !== host.version) {
      this.#engine.leave();
      return this.#refuse("version");
    }
    if (this.#engine.isLeaving) return this.#refuse("leaving");
    const variables = await host.variables();
    if (variables === undefined) {
      this.#engine.leave();
      return this.#refuse("off");
    }
    this.#send({ type: "welcome", variables });
    return true;
  }

  async #answer(message: ClientMessage): Promise<void> {
    if (!(await this.#greeting)) return;
    if (message.type === "status") return this.#send({ type: "status", status: this.#engine.status() });
    if (message.type === "stop") {
      this.#send({ type: "exit", status: 0 });
      return this.#engine.leave();
    }
    if (message.type !== "run" || this.#state === "asked") return this.#drop();
    this.#state = "asked";
    clearTimeout(this.#timer);
    const signs = setInterval(() => this.#send({ type: "alive" }), betweenSigns);
    try {
      await this.#engine.run(message, { socket: this.#socket, send: this.#send, signal: this.#gone.signal });
    } finally {
      clearInterval(signs);
    }
    this.#socket.end();
  }
}
