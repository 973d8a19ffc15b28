import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { DossierError } from "../../errors.ts";
import { ownerHashes, requireScope } from "../../operations/core/access.ts";
import type { Operation } from "../../operations/core/operation.ts";
import type { Mount } from "../../operations/core/serving.ts";
import type { BackgroundVectors } from "../../operations/index/background-vectors.ts";
import { failureHeaders, failureOf, noteFailure } from "./failure.ts";
import { checkHost, checkOrigin } from "./host-check.ts";
import { callerIdentifier } from "./identify.ts";
import { inspectorRoutes } from "./inspector-files.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
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
  const routesAt = byPath(routes);
  const routeOf = (c: RequestContext) =>
    routesAt.get(c.req.path)?.find(({ method }) => method === (c.req.method === "HEAD" ? "GET" : c.req.method));
  const identify = callerIdentifier(keys);
  const ownerHash = ownerHashes(workspace);
  const limit = requestLimit(workspace, settings);
  const app: App = new Hono();

  app.use(async (c, next) => {
    const started = performance.now();
    const requestId = saneId(c.req.header("x-request-id")) ?? randomUUID();
    c.set("requestId", requestId);
    await next();
    const { status, headers } = c.res;
    headers.set("X-Request-Id", requestId);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
    if (!headers.has("Content-Security-Policy"))
      headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    if (stopping.aborted) headers.set("Connection", "close");
    const route = routeOf(c)?.path ?? "other";
    const milliseconds = performance.now() - started;
    metrics.answered({ method: methodLabel(c.req.method), route, status, seconds: milliseconds / 1000 });
    const owner = c.get("caller")?.owner;
    log.info({
      requestId,
      method: c.req.method,
      route,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ...(owner !== undefined && { owner: ownerHash(owner) }),
      ...(c.get("failure") !== undefined && { code: c.get("failure") }),
    });
  });

  app.use(async (c, next) => {
    const host = c.req.header("host");
    checkHost(host, settings);
    const origin = checkOrigin(c.req.header("origin"), host, settings);
    if (origin !== undefined && c.req.method === "OPTIONS" && c.req.header("access-control-request-method")) {
      return preflight(origin, routesAt.get(c.req.path) ?? []);
    }
    await next();
    if (origin === undefined) return;
    c.res.headers.set("Access-Control-Allow-Origin", origin);
    const exposed = ["X-Request-Id", "Retry-After", ...(routeOf(c)?.headers ?? [])];
    c.res.headers.set("Access-Control-Expose-Headers", exposed.join(", "));
    c.res.headers.append("Vary", "Origin");
  });

  app.use(async (c, next) => {
    const route = routeOf(c);
    const address = c.env?.incoming?.socket?.remoteAddress ?? "";
    try {
      c.set("caller", await identify(c, route));
    } catch (error) {
      // Guessing keys is rate-limited like requests with a valid one.
      await limit.address(address);
      throw error;
    }
    const { key } = c.get("caller") ?? {};
    if (route?.open !== "all") await (key === undefined ? limit.address(address) : limit.key(key));
    if (!route) return unrouted(c, routesAt.get(c.req.path) ?? []);
    requireScope(c.get("caller"), route.scope, `${route.method} ${route.path}`);
    if (stopping.aborted && route.open === undefined)
      throw new DossierError("server-busy", "The server is shutting down.");
    await next();
  });

  for (const route of routes) app.on(route.method, route.path, (c) => route.handle(c));

  const fail = (c: RequestContext, thrown: unknown, headers: Record<string, string> = {}): Response => {
    const failure = failureOf(thrown, c.get("requestId"));
    const { error, body } = failure;
    c.set("failure", error.code);
    noteFailure(failure, { metrics, log });
    return c.json(body, error.http as 400, { ...failureHeaders(error), ...headers });
  };

  function unrouted(c: RequestContext, others: Route[]): Response {
    const { method } = c.req;
    if (others.length === 0) return fail(c, new DossierError("unknown-route", "There is no such route."));
    const allowed = others.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method])).join(", ");
    return fail(c, new DossierError("wrong-method", `This route takes ${allowed}, not ${method}.`), { Allow: allowed });
  }

  app.onError((thrown, c) => fail(c, thrown));
  return app;
}

/** A client's request id goes into logs and headers, so only harmless characters are accepted. */
function saneId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.:-]{1,100}$/.test(id) ? id : undefined;
}

function methodLabel(method: string): string {
  return ["GET", "HEAD", "POST", "DELETE", "OPTIONS"].includes(method) ? method : "other";
}

function preflight(origin: string, routes: Route[]): Response {
  const headers = new Set(routes.flatMap((route) => route.headers ?? []));
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": routes.map(({ method }) => method).join(", "),
      "Access-Control-Allow-Headers": ["Authorization", "Content-Type", "X-Request-Id", ...headers].join(", "),
      "Access-Control-Max-Age": "600",
      Vary: "Origin",
    },
  });
}

function byPath(routes: Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}
