import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { DossierError } from "../../errors.ts";

/** How a command ended. */
export type Ending = {
  /** As a shell reports it: 128 and its number for a signal. */
  status: number;
  signal?: NodeJS.Signals;
  /** A signal asked it to stop while it ran. */
  interrupted: boolean;
};

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command in the current folder as if it had been typed alone: no shell, and our own standard streams. Its
 * output does not pass through us, so colours, progress bars and prompts work as ever.
 */
export async function runCommand([file = "", ...args]: readonly string[]): Promise<Ending> {
  const signals = holdSignals();
  try {
    const child = begin(file, args);
    signals.passTo(child);
    return await new Promise<Ending>((done, fail) => {
      child.on("error", (error) => {
        // Once it runs, an error is about a signal that came too late for it.
        if (child.pid === undefined) fail(refusal(file, error));
      });
      child.on("exit", (code, signal) => {
        const interrupted = signals.any();
        if (signal === null) done({ status: code ?? 1, interrupted });
        else done({ status: 128 + constants.signals[signal], signal, interrupted });
      });
    });
  } finally {
    signals.release();
  }
}

function begin(file: string, args: string[]): ChildProcess {
  try {
    return spawn(file, args, { stdio: "inherit", windowsHide: true });
  } catch (error) {
    throw refusal(file, error as NodeJS.ErrnoException);
  }
}

type Signals = { passTo(child: ChildProcess): void; any(): boolean; release(): void };

/**
 * While the command runs, signals are for it: other handlers wait until it has ended. A signal that comes before it
 * has started is passed on to it. There is always a listener: Node loses a signal that arrives when there is none.
 */
function holdSignals(): Signals {
  // A terminal sends Ctrl-C to everyone in the foreground, the command included; many take a second one for "at once".
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const came: NodeJS.Signals[] = [];
  let child: ChildProcess | undefined;
  const handlers = forwarded.map((name) => {
    const others = process.listeners(name);
    const pass = () => {
      came.push(name);
      if (name !== "SIGINT" || !terminal) child?.kill(name);
    };
    process.on(name, pass);
    for (const other of others) process.off(name, other);
    return { name, pass, others };
  });
  return {
    passTo(begun) {
      child = begun;
      for (const name of came) child.kill(name);
    },
    any: () => came.length > 0,
    release() {
      for (const { name, pass, others } of handlers) {
        for (const other of others) process.on(name, other);
        process.off(name, pass);
      }
    },
  };
}

function refusal(file: string, error: NodeJS.ErrnoException): DossierError {
  const quoted = JSON.stringify(file.length > 80 ? `${file.slice(0, 79)}…` : file);
  if (file === "" || error.code === "ENOENT" || error.code === "ENOTDIR") {
    return new DossierError("command-not-found", `There is no command ${quoted}.`, { cause: error });
  }
  const why = error.code === "EACCES" ? "is not executable" : `cannot be run (${error.code ?? error.message})`;
  return new DossierError("command-not-executable", `${quoted} ${why}.`, { cause: error });
}

const crashes: string[] = ["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP"];

/** Whether the command succeeded. A command that was stopped from outside proves nothing: undefined. */
export function succeeded({ status, signal, interrupted }: Ending): boolean | undefined {
  if (interrupted) return undefined;
  if (signal !== undefined && !crashes.includes(signal)) return undefined;
  return status === 0;
}

/** "passed", "failed with exit status 2", "crashed (SIGSEGV)". */
export function endingText({ status, signal }: Ending): string {
  if (signal !== undefined) return `${crashes.includes(signal) ? "crashed" : "was stopped"} (${signal})`;
  return status === 0 ? "passed" : `failed with exit status ${status}`;
}
