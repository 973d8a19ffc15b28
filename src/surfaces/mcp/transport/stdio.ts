import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/server";
import type { AnswerOthers, ServeAgent } from "../../../operations/core/serving.ts";
import type { OpenedWorkspaces } from "../../../operations/core/workspace-pool.ts";
import { lensNamesAt } from "../../../operations/notes/lens-names.ts";
import { freeMemoryWhenIdle } from "../../idle-memory.ts";
import type { CallTarget } from "../call-target.ts";
import { greetingFor } from "../greeting.ts";
import { withLenses } from "../tools/allowed-tools.ts";
import { listing } from "../tools/load-listing.ts";
import { answerEarly } from "./early-handshake.ts";
import { frames } from "./frames.ts";

/** Milliseconds for running calls to notice that the client has gone; what they wrote until then is complete. */
const patience = 1_000;
/** Milliseconds between checks whether the parent process still exists. */
const betweenLooks = 2_000;

/** Milliseconds of idleness after which the modules of a question are loaded and tried. */
const untilWarm = 20;

/** Answers one agent on standard input and output until it goes away. */
export async function serveStdio(
  { path, tools, session, signal }: Parameters<ServeAgent>[0],
  answerOthers?: AnswerOthers,
): Promise<{ calls: number }> {
  const wire = frames(process.stdin, keepStandardOutput());
  const running = new Set<Promise<unknown>>();
  const idle = freeMemoryWhenIdle();
  let calls = 0;
  let isOver = false;
  const watch = (work: Promise<unknown>) => {
    running.add(work);
    idle.began();
    const ended = () => {
      running.delete(work);
      idle.ended();
    };
    work.then(ended, ended);
  };
  const calling = (call: Promise<unknown>) => {
    calls++;
    watch(call);
  };
  let opened: OpenedWorkspaces | undefined;
  let background: { close(): Promise<void> } | undefined;
  let connection: { close(): Promise<void> } | undefined;
  let engine: { close(): Promise<void> } | undefined;
  answerEarly(wire, {
    known({ method, params }, isGreeted) {
      if (method === "initialize") {
        const greeting = isGreeted ? undefined : greetingFor(params);
        return greeting && Promise.resolve(greeting);
      }
      if (method === "ping") return isGreeted ? Promise.resolve({}) : undefined;
      if (method !== "tools/list" || !isGreeted || Object.keys(params ?? {}).length > 0) return undefined;
      return Promise.all([listing(), lensNamesAt(path)]).then(([listed, names]) => ({
        tools: withLenses(listed[tools], names),
      }));
    },
    async load(transport) {
      const [{ connect }, { openedWorkspaces }, { localTarget }, { vectorsInBackground }] = await Promise.all([
        import("./connection.ts"),
        import("../../../operations/core/workspace-pool.ts"),
        import("../local-agent.ts"),
        import("../../../operations/index/background-vectors.ts"),
      ]);
      const workspaces = openedWorkspaces();
      opened = workspaces;
      const target: CallTarget = localTarget(workspaces, session, (background = vectorsInBackground()));
      connection = connect(transport, { path, tools, target, calling });
      setTimeout(() => {
        const warming = warmUp(path, workspaces, () => calls === 0 && !isOver).then(async () => {
          if (!isOver) engine = await answerOthers?.(path, workspaces);
        });
        watch(warming);
        warming.catch((error: Error) => transport.onerror?.(error));
      }, untilWarm).unref();
    },
  });
  await disconnected(wire, signal);
  isOver = true;
  await connection?.close();
  // Closing waits no longer for a batch of vectors than for calls.
  if (background) watch(background.close());
  if (engine) watch(engine.close());
  await Promise.race([Promise.allSettled(running), sleep(patience)]);
  if (running.size === 0) await opened?.close();
  return { calls };
}

/** Step by step, so that a question that comes meanwhile does not wait for all of it. */
async function warmUp(path: string, workspaces: OpenedWorkspaces, isNeeded: () => boolean): Promise<void> {
  await import("../tools/call-tool.ts");
  const { loadForQuestions, warmQuestions } = await import("../../../operations/core/warm-up.ts");
  await loadForQuestions();
  if (isNeeded()) await warmQuestions(path, workspaces, isNeeded);
}

/** Standard output belongs to the protocol: everything else that code prints goes to standard error. */
function keepStandardOutput(): Pick<Writable, "write"> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return { write } as Pick<Writable, "write">;
}

/** Resolves when the client closes its end, the parent process is gone, or a signal ends the process. */
function disconnected(wire: Transport, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const parent = process.ppid;
    // An orphaned process gets another parent; a sibling may hold its standard input open.
    const interval = setInterval(() => process.ppid !== parent && end(), betweenLooks);
    const end = () => {
      clearInterval(interval);
      resolve();
    };
    const before = wire.onclose;
    wire.onclose = () => {
      before?.();
      end();
    };
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    wire.start().catch(reject);
  });
}
