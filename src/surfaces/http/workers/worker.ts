import { DossierError } from "../../../errors.ts";
import { type CallOptions, call } from "../../../operations/core/call.ts";
import { plainFailure } from "../../../operations/core/hide-paths.ts";
import type { Environment } from "../../../operations/core/operation.ts";
import { closeServed, openServed, ownerViews } from "../../../operations/core/owner-views.ts";
import { refreshHere } from "../../../operations/core/refresh.ts";
import { isOperationName, loadOperation } from "../../../operations/core/registry.ts";
import {
  type FromWorker,
  type Job,
  type OperationJob,
  packFailure,
  type Question,
  type ToWorker,
  unpackFailure,
  type WorkerReply,
} from "./worker-protocol.ts";

/**
 * The program of one worker process: runs operations with its own connections to the databases. It is a process because
 * a thread that is ended inside the database's native code would take the whole server with it.
 */

const [root] = process.argv.slice(2);
if (root === undefined || !process.send) throw new Error("This program is only run by a server.");

type Workspace = Awaited<ReturnType<typeof openServed>>;
type Opened = { workspace: Workspace; viewOf: (owner: string) => Workspace };
let opening: Promise<Opened> | undefined;

/** Opened once; after a failure the next request tries again. */
function openWorkspace(): Promise<Opened> {
  opening ??= openServed(root!)
    .then((workspace) => ({ workspace, viewOf: ownerViews(workspace) }))
    .catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
  return opening;
}

type Running = { stop: AbortController; waiting: Map<number, (reply: WorkerReply) => void>; meter: Meter };
const running = new Map<number, Running>();
let questions = 0;

/** Processor time of one job; another job may run while it waits. */
class Meter {
  #spent = 0;
  #since: NodeJS.CpuUsage | undefined = process.cpuUsage();

  pause(): void {
    this.#spent = this.milliseconds;
    this.#since = undefined;
  }

  resume(): void {
    this.#since ??= process.cpuUsage();
  }

  get milliseconds(): number {
    if (!this.#since) return this.#spent;
    const { user, system } = process.cpuUsage(this.#since);
    return this.#spent + (user + system) / 1000;
  }
}

function send(message: FromWorker): void {
  process.send!(message);
}

async function run(id: number, job: Job): Promise<void> {
  const stop = new AbortController();
  const waiting: Running["waiting"] = new Map();
  const meter = new Meter();
  running.set(id, { stop, waiting, meter });
  const ask = (question: Question) =>
    new Promise<string[] | boolean>((resolve, reject) => {
      const number = ++questions;
      waiting.set(number, (reply) => {
        if (typeof reply === "object" && "failure" in reply) reject(unpackFailure(reply.failure));
        else resolve(reply);
      });
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
      meter.pause();
      send({ type: "question", id, number, question });
    });
  try {
    const { viewOf } = await openWorkspace().catch((error: unknown) => {
      throw job.kind === "operation" && job.discreet ? plainFailure(error, root!) : error;
    });
    // The job may have been aborted while this program was loaded.
    stop.signal.throwIfAborted();
    const workspace = viewOf(job.owner);
    const common = { signal: stop.signal, changed: () => send({ type: "changed", id }) };
    if (job.kind === "operation") {
      const output = await perform(job, { ...common, workspace, ...hooks(id, job, ask) });
      send({ type: "done", id, output, cost: meter.milliseconds });
      return;
    }
    const progress: Environment["progress"] = (report) => send({ type: "progress", id, progress: report });
    const environment = { ...common, workspace: async () => workspace, owner: job.owner, progress };
    const warnings = await refreshHere(workspace, environment, job.sources);
    send({ type: "changed", id });
    send({ type: "done", id, output: warnings, cost: meter.milliseconds });
  } catch (error) {
    send({ type: "failed", id, failure: packFailure(error) });
  } finally {
    running.delete(id);
  }
}

async function perform(job: OperationJob, options: CallOptions): Promise<unknown> {
  if (!isOperationName(job.operation)) throw new DossierError("internal", `There is no operation ${job.operation}.`);
  const operation = await loadOperation(job.operation);
  return (await call(operation, job.input, options)).output;
}

/** The parts of an operation's environment that live in the server, reached by messages. */
function hooks(id: number, job: OperationJob, ask: (question: Question) => Promise<string[] | boolean>): CallOptions {
  const { owner, session, discreet, names, followed, asksFresh, indexing } = job;
  return {
    owner,
    session,
    discreet,
    nameOf: names && ((key) => names[key] ?? key),
    progress: followed ? (report) => send({ type: "progress", id, progress: report }) : undefined,
    fresh: asksFresh ? async (sources) => (await ask({ about: "fresh", sources })) as string[] : undefined,
    indexing: { state: indexing, written: async () => (await ask({ about: "written" })) as boolean },
    built: (figures) => send({ type: "built", id, figures }),
  };
}

async function close(): Promise<void> {
  for (const { stop } of running.values()) stop.abort(new DossierError("interrupted", "The worker is closed."));
  const open = await opening?.catch(() => undefined);
  if (open) await closeServed(open.workspace);
  process.exit();
}

process.on("message", (message: ToWorker) => {
  if (message.type === "run") void run(message.id, message.job);
  else if (message.type === "stop") {
    running.get(message.id)?.stop.abort(new DossierError("interrupted", "Nobody waits for this any more."));
  } else if (message.type === "reply") {
    const { waiting, meter } = running.get(message.id) ?? {};
    meter?.resume();
    waiting?.get(message.question)?.(message.reply);
    waiting?.delete(message.question);
  } else void close();
});
// The server is gone, so nobody is there to answer.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Ctrl-C and a signal to the whole group also reach this process; the server decides what they mean.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
send({ type: "ready" });
