import { Readable } from "node:stream";
import { build } from "../engine/build.ts";
import { isOff } from "../engine/client.ts";
import { untilEngineEnds } from "../engine/lifetime.ts";
import { enginePlace } from "../engine/place.ts";
import type { RunRequest } from "../engine/protocol.ts";
import { type Answer, type EngineHost, type Listening, listen, type Performed } from "../engine/server.ts";
import { guardsOf } from "../engine/write-guards.ts";
import { neededScope } from "../operations/core/access.ts";
import type { CallOptions } from "../operations/core/call.ts";
import type { Operation } from "../operations/core/operation.ts";
import type { AnswerOthers, ServeEngine } from "../operations/core/serving.ts";
import { type OpenedWorkspaces, openedWorkspaces } from "../operations/core/workspace-pool.ts";
import {
  engineVariables,
  hasEngineIndex,
  isEngineOff,
  ownRecords,
  rootOfEngine,
} from "../operations/serve/engine-settings.ts";
import { runCommandLine } from "./cli/run.ts";
import { NotForEngine, type Terminal } from "./cli/terminal.ts";
import { freeMemoryWhenIdle } from "./idle-memory.ts";

/** Runs a command line in another process than it was typed in. */

type Hosted = { root: string; opened: OpenedWorkspaces };
type Work = { began(): void; ended(): void };
type Opening = NonNullable<CallOptions["open"]>;

/** Milliseconds without a request after which stores are closed and their caches freed. */
const untilClosed = 300_000;

/** An engine in a process of its own: it ends when no more requests come. */
export const serveEngine: ServeEngine = async ({ path, signal }) => {
  const root = rootOfEngine(path);
  const leaving = new AbortController();
  const workspaces = openedWorkspaces();
  const hosted: Hosted = { root, opened: workspaces };
  const listening = await hostEngine(hosted, "a process of its own", () => leaving.abort(), closeWhenIdle(workspaces));
  if (!listening) return { ended: "another engine answers, or there is no private place to listen in" };
  try {
    await warmUp(hosted, listening);
    return { ended: await untilEngineEnds(root, listening, AbortSignal.any([signal, leaving.signal])) };
  } finally {
    await listening.close();
    await workspaces.close();
  }
};

/** An engine inside another long-lived process. */
export const answerBeside: AnswerOthers = async (path, workspaces = openedWorkspaces()) => {
  if (isOff(process.env) || !hasEngineIndex(path)) return undefined;
  const root = rootOfEngine(path);
  const leaving = new AbortController();
  const listening = await hostEngine({ root, opened: workspaces }, "a server or a watcher", () => leaving.abort());
  if (!listening) return undefined;
  const ended = untilEngineEnds(root, listening, leaving.signal, { idleSeconds: Number.POSITIVE_INFINITY });
  void ended.then(() => listening.close());
  return {
    async close() {
      leaving.abort();
      await listening.close();
      await workspaces.closeUnused();
    },
  };
};

/** Answers for a workspace as long as this process lives. Undefined if another process does already. */
async function hostEngine(
  hosted: Hosted,
  name: string,
  onLeave: () => void,
  work: Work = { began: () => undefined, ended: () => undefined },
): Promise<Listening | undefined> {
  const { root } = hosted;
  const place = enginePlace(root);
  if (!place || (await isEngineOff(root))) return undefined;
  const host: EngineHost = {
    root,
    version: build,
    name,
    variables: async () => ((await isEngineOff(root)) ? undefined : engineVariables(root)),
    perform: (request, answer, signal) => perform(hosted, request, answer, signal),
    ...work,
  };
  return listen(place, host, onLeave);
}

/** An idle engine keeps as little memory as it can. */
function closeWhenIdle(workspaces: OpenedWorkspaces): Work {
  const idle = freeMemoryWhenIdle();
  let closing: NodeJS.Timeout | undefined;
  return {
    began() {
      clearTimeout(closing);
      idle.began();
    },
    ended() {
      idle.ended();
      clearTimeout(closing);
      closing = setTimeout(() => void workspaces.closeUnused().then(idle.now), untilClosed).unref();
    },
  };
}

/** Loads and reads everything once, so that the first question does not wait for it. */
async function warmUp({ root, opened }: Hosted, listening: Listening): Promise<void> {
  const { loadForQuestions, warmIndex, warmQuestions } = await import("../operations/core/warm-up.ts");
  await loadForQuestions();
  await warmQuestions(root, opened, () => listening.isInPlace());
  await warmIndex(root, opened);
}

async function perform(
  { root, opened }: Hosted,
  request: RunRequest,
  answer: Answer,
  signal: AbortSignal,
): Promise<Performed> {
  if (!(await hasSameVariables(root, request))) return "declined";
  const askedAt = performance.now();
  const { open, end } = opened.begin();
  const openOwn: Opening = async (folder, options) => {
    if (rootOfEngine(folder) !== root) throw new NotForEngine();
    return open(folder, options);
  };
  const begins = (operation: Operation, input: Record<string, unknown>) => {
    if (!isForEngine(operation, input)) throw new NotForEngine();
    // A hook may store drafts.
    const writes = operation.inEngine || neededScope(operation, input) !== "read";
    answer.accepted(writes ? guardsOf(ownRecords(root)) : []);
  };
  const host = { folder: request.folder, askedAt, open: openOwn, begins };
  try {
    return { status: await runCommandLine(request.args, terminalOf(request, answer), signal, host) };
  } catch (error) {
    if (error instanceof NotForEngine) return "declined";
    throw error;
  } finally {
    await end();
  }
}

/**
 * Operations that read or write a workspace. Those that serve, set up or measure belong to the process they were
 * typed in.
 */
function isForEngine(operation: Operation, input: Record<string, unknown>): boolean {
  if (operation.inEngine) return true;
  return !operation.inProcess && operation.onlyOn === undefined && neededScope(operation, input) !== "admin";
}

async function hasSameVariables(root: string, { variables }: RunRequest): Promise<boolean> {
  const names = await engineVariables(root);
  return names.every((name) => ofRequest.has(name) || variables[name] === process.env[name]);
}

/** Variables that are taken from each request; the others must be the same as in this process. */
const ofRequest = new Set("DOSSIER_SESSION CLAUDE_PROJECT_DIR NO_COLOR FORCE_COLOR TERM".split(" "));

function terminalOf({ stdin, stdout, stderr, variables }: RunRequest, answer: Answer): Terminal {
  const screen = (to: "stdout" | "stderr") => (text: string, done?: () => void) => {
    answer.text(to, text);
    done?.();
  };
  return {
    stdin: Object.assign(Readable.from(stdin === undefined ? [] : [stdin]), { isTTY: stdin === undefined }),
    stdout: { ...stdout, write: screen("stdout") },
    stderr: { ...stderr, write: screen("stderr") },
    progress: { ...stderr, write: (text) => answer.progress(text) },
    environment: variables,
  };
}
