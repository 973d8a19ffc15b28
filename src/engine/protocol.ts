/** Messages between a client and an engine: JSON, each preceded by its length in four bytes. */

/**
 * `version` is the program's version with its build. An engine and a client of different builds do not work together.
 */
type Hello = { type: "hello"; version: string; token: string; root: string };

/** One command line, with everything in its process that the answer depends on. */
export type RunRequest = {
  type: "run";
  args: string[];
  /** The folder that relative paths start from. */
  folder: string;
  /** Values of the variables that the engine requested. */
  variables: Record<string, string | undefined>;
  /** The content of standard input, if the command reads it. */
  stdin?: string;
  stdout: ScreenSize;
  stderr: ScreenSize;
};

export type ScreenSize = { isTTY: boolean; columns?: number };

export type ClientMessage = Hello | RunRequest | { type: "cancel" } | { type: "status" } | { type: "stop" };

/** Why an engine does not serve a client. */
export type EngineRefusal = "token" | "version" | "root" | "busy" | "leaving" | "off";

export type EngineMessage =
  /** Names of environment variables that the answer may depend on. */
  | { type: "welcome"; variables: string[] }
  | { type: "refused"; why: EngineRefusal }
  /** The client must run the command itself. Nothing has been done. */
  | { type: "declined" }
  /**
   * The command is running. `guards`: files that a write would change, in their state before; none for a command that
   * only reads.
   */
  | { type: "accepted"; guards: Guard[] }
  | { type: "text"; to: "stdout" | "stderr"; text: string }
  /** Redrawn on a terminal while the command runs; erased before the end. */
  | { type: "progress"; text: string }
  | { type: "alive" }
  | { type: "exit"; status: number }
  | { type: "status"; status: EngineStatus };

export type Guard = [path: string, stamp: string];

export type EngineStatus = {
  root: string;
  version: string;
  /** The process id inside the engine's container; outside, it may be different. */
  pid: number;
  /** The process that hosts the engine: a separate one, or one that does other work as well. */
  host: string;
  seconds: number;
  idleSeconds: number;
  answered: number;
  running: number;
  megabytes: number;
};

const headerBytes = 4;

export function encode(message: ClientMessage | EngineMessage): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  const frame = Buffer.allocUnsafe(headerBytes + body.length);
  frame.writeUInt32BE(body.length, 0);
  body.copy(frame, headerBytes);
  return frame;
}

export type Reader = { take(chunk: Buffer): void };

/**
 * Collects bytes and emits whole messages. `most` is asked before each message. A frame that claims to be larger, or
 * contains no JSON object, is reported once, and nothing is read after it.
 */
export function messageReader<Message>(
  most: () => number,
  onMessage: (message: Message) => void,
  onBroken: () => void,
): Reader {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isBroken = false;
  const broken = () => {
    isBroken = true;
    chunks = [];
    onBroken();
  };
  return {
    take(chunk) {
      if (isBroken) return;
      chunks.push(chunk);
      bytes += chunk.length;
      while (bytes >= headerBytes && !isBroken) {
        if (chunks[0]!.length < headerBytes) chunks = [Buffer.concat(chunks)];
        const length = chunks[0]!.readUInt32BE(0);
        if (length > most()) return broken();
        if (bytes < headerBytes + length) return;
        const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        const message = parsed(all.subarray(headerBytes, headerBytes + length));
        const rest = all.subarray(headerBytes + length);
        chunks = rest.length > 0 ? [rest] : [];
        bytes = rest.length;
        if (message === undefined) return broken();
        onMessage(message as Message);
      }
    },
  };
}

function parsed(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
