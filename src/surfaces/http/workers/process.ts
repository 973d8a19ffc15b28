import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

/** One worker process, from its start to its end. */
export type WorkerProcess = {
  send(message: ToWorker): void;
  /** Lets it close its databases, and kills it if it does not end in time. */
  close(): Promise<void>;
  /** Kills it at once. */
  kill(): Promise<void>;
};

export type WorkerOptions = {
  root: string;
  script: string;
  /** Added to the niceness of the process, so that indexing gives way to answers. */
  niceness?: number;
  onMessage(message: FromWorker): void;
  /** Called once, however it ended, with the reason. */
  onEnd(reason: string): void;
};

/** Milliseconds for a process to close its databases. */
const patience = 2000;
/** Most characters of its last error output that are kept. */
const longestLastWords = 2000;

/** The built program: beside this file in dist, or in dist when this file is run from source. */
export function operationWorkerScript(): string | undefined {
  const places = ["./operation-worker.js", "../../../../dist/operation-worker.js"];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
}

export function startWorker({ root, script, niceness, onMessage, onEnd }: WorkerOptions): WorkerProcess {
  const child = fork(script, [root], {
    serialization: "advanced",
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let lastWords = "";
  child.stderr?.on("data", (chunk) => {
    lastWords = `${lastWords}${String(chunk)}`.slice(-longestLastWords);
  });
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      resolve();
      onEnd(reason);
    };
    child.once("error", (error) => end(error.message));
    child.once("close", (code, signal) =>
      end([`ended with ${signal ?? code}`, lastWords.trim()].filter(Boolean).join(": ")),
    );
  });
  if (niceness !== undefined && child.pid !== undefined) lowerPriority(child.pid, niceness);
  child.on("message", (message) => onMessage(message as FromWorker));
  // An idle worker does not keep the server alive.
  child.unref();
  child.channel?.unref();
  return {
    send: (message) => post(child, message),
    async close() {
      post(child, { type: "close" });
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A process that has ended reports that by its own event. */
function post(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => undefined);
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch (error) {
    // It has ended already, or this system has no niceness: it works without.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
