import { Hono } from "hono";
import { ownerHashes } from "../../operations/core/access.ts";
import type { Operation } from "../../operations/core/operation.ts";
import type { Mount } from "../../operations/core/serving.ts";
import type { BackgroundVectors } from "../../operations/index/background-vectors.ts";
import { failureHeaders, failureOf, noteFailure } from "./failure.ts";
import { callerIdentifier } from "./identify.ts";
import { inspectorRoutes } from "./inspector-files.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { admitCallers, checkOrigins, logAnswers, routeTable } from "./middleware.ts";
import { mountedRoutes } from "./mounted-routes.ts";
import { operationRoutes } from "./operation-routes.ts";
import { performer } from "./perform.ts";
import { requestLimit } from "./request-limit.ts";
import type { RequestContext, RequestEnvironment, Route } from "./route.ts";
import { createWork, type Work } from "./running-work.ts";
import { serviceRoutes } from "./service-routes.ts";
import { defaultSettings, type HttpSettings, type Service } from "./settings.ts";
import type { Workers } from "./workers/workers.ts";

export type AppOptions = Pick<Service, "workspace" | "keys"> & {
  /** The registry's operations; those that only a command line offers get no route. */
  operations: Operation[];
  settings?: Partial<HttpSettings>;
  metrics?: Metrics;
  log?: Log;
  work?: Work;
  background?: BackgroundVectors;
  /** Worker processes for long operations; the caller that made them closes them. */
  workers?: Workers;
  /** Routes of other surfaces. */
  mounts?: readonly Mount[];
  /** Aborted when the server begins to stop and takes no new requests. */
  stopping?: AbortSignal;
};

export type App = Hono<RequestEnvironment>;

/**
 * The HTTP service over one opened workspace: every operation is a route, and a caller's key decides which it may call.
 */
export function createApp(options: AppOptions): App {
  const { workspace, keys, mounts = [], stopping = new AbortController().signal } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const metrics = options.metrics ?? createMetrics();
  const log = options.log ?? createLog("silent");
  const work = options.work ?? createWork(settings.concurrency, metrics.running);
  const operations = options.operations.filter(({ onlyOn }) => onlyOn === undefined);
  const each = performer({
    workspace,
    settings,
    metrics,
    work,
    background: options.background,
    workers: options.workers,
  });
  const routes: Route[] = [
    ...serviceRoutes({ workspace, keys, metrics, stopping }, () => routes),
    ...operationRoutes({ operations, settings, performer: each, metrics, log }),
    ...mountedRoutes(mounts, { operations, settings, stopping }, each),
    ...inspectorRoutes(),
  ];
  const table = routeTable(routes);
  const fail = (c: RequestContext, thrown: unknown, headers: Record<string, string> = {}): Response => {
    const failure = failureOf(thrown, c.get("requestId"));
    const { error, body } = failure;
    c.set("failure", error.code);
    noteFailure(failure, { metrics, log });
    return c.json(body, error.http as 400, { ...failureHeaders(error), ...headers });
  };
  const app: App = new Hono();
  app.use(logAnswers({ table, metrics, log, stopping, ownerHash: ownerHashes(workspace) }));
  app.use(checkOrigins(table, settings));
  const identify = callerIdentifier(keys);
  app.use(admitCallers({ table, stopping, identify, limit: requestLimit(workspace, settings), fail }));
  for (const route of routes) app.on(route.method, route.path, (c) => route.handle(c));
  app.onError((thrown, c) => fail(c, thrown));
  return app;
}
