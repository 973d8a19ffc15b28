import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { DossierError } from "../../errors.ts";
import { ownerViews } from "../../operations/core/owner-views.ts";
import { type AppOptions, createApp } from "./app.ts";
import { type ConnectionLimits, limitConnections } from "./connections.ts";
import { answerBroken, brokenRequest } from "./malformed-requests.ts";
import { createMetrics } from "./metrics.ts";
import { createWork, type Work } from "./running-work.ts";
import { defaultSettings, type HttpSettings } from "./settings.ts";
import { createWorkers } from "./workers/workers.ts";

/** Limits for clients: timeouts in milliseconds, and numbers of connections. */
export type ServerLimits = {
  /**
   * Milliseconds for the head of a request, for all of it, and until the next one on the same connection; and the
   * interval of these checks.
   */
  head: number;
  request: number;
  next: number;
  check: number;
  /** Milliseconds after which closing aborts what runs, and those until the connections are cut. */
  finish: number;
  notice: number;
  /** Milliseconds that a question waits for an index that is being updated, if it could be answered without. */
  index: number;
} & ConnectionLimits;

export const usualPatience: ServerLimits = {
  head: 10_000,
  request: 30_000,
  next: 5_000,
  check: 1_000,
  finish: 10_000,
  notice: 1_000,
  index: 2_000,
  connections: 1_000,
  perAddress: 500,
};

export type HttpServer = {
  url: string;
  /** The number of answered requests. */
  requests(): number;
  /** Accepts no more requests, finishes the running ones, and ends. */
  close(): Promise<void>;
};

/** Listens with the service of a workspace. */
export async function openServer(
  options: Omit<AppOptions, "stopping" | "workers">,
  patience?: Partial<ServerLimits>,
): Promise<HttpServer> {
  const waits = { ...usualPatience, ...patience };
  const settings = { ...defaultSettings, ...options.settings };
  const metrics = options.metrics ?? createMetrics();
  const work = options.work ?? createWork(settings.concurrency, metrics.running);
  const stopping = new AbortController();
  const { workspace, background } = options;
  const viewOf = ownerViews(workspace);
  const workers = createWorkers({
    root: workspace.root,
    size: settings.workers,
    patience: waits.index,
    onChanged: (owner) => background?.changed(viewOf(owner)),
  });
  const app = createApp({ ...options, settings, metrics, work, workers, stopping: stopping.signal });
  const server = createServer(
    {
      headersTimeout: waits.head,
      requestTimeout: waits.request,
      keepAliveTimeout: waits.next,
      connectionsCheckingInterval: waits.check,
    },
    getRequestListener((request, bindings) => app.fetch(request, bindings as object), {
      overrideGlobalObjects: false,
      errorHandler: brokenRequest,
    }),
  );
  limitConnections(server, waits, metrics.connected);
  // Disconnects a client that does not read its answer; a running request ends earlier, by its own limit.
  server.timeout = settings.timeout * 1000 + waits.request;
  server.on("clientError", answerBroken);
  const url = await listen(server, settings);
  return {
    url,
    requests: metrics.requests,
    async close() {
      stopping.abort();
      await stop(server, work, waits);
      await workers?.close();
    },
  };
}

async function listen(server: Server, { host, port }: HttpSettings): Promise<string> {
  server.listen(port, host.replace(/^\[|\]$/g, ""));
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new DossierError("port-taken", `Port ${port} is taken.`, { cause: error });
    if (code === "EACCES") throw new DossierError("port-taken", `Port ${port} may not be used.`, { cause: error });
    throw new DossierError("bad-input", `It is not possible to listen on ${host}: ${message}.`, { cause: error });
  }
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

/** Finishes running requests, or aborts them when they take too long; connections end with their answers. */
async function stop(server: Server, work: Work, { finish, notice }: ServerLimits): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // An idle keep-alive connection waits for requests that will not come.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const finished = Promise.all([closed, work.idle()]);
  try {
    if (await within(finish, finished)) return;
    work.stop();
    if (await within(notice, finished)) return;
    server.closeAllConnections();
    await within(notice, finished);
  } finally {
    clearInterval(idle);
  }
}

/** Whether the promise settled in time. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: waiting.signal }).catch((error: Error) => {
    // The timer was aborted because the promise settled in time.
    if (error.name !== "AbortError") throw error;
    return false;
  });
  const done = await Promise.race([promise.then(() => true), timeout]);
  waiting.abort();
  return done;
}
