import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { DossierError } from "../../errors.ts";
import { type Caller, requireScope } from "../../operations/core/access.ts";
import { checkHost, checkOrigin } from "./host-check.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { RequestLimit } from "./request-limit.ts";
import type { RequestContext, RequestEnvironment, Route } from "./route.ts";
import type { HttpSettings } from "./settings.ts";

type Middleware = MiddlewareHandler<RequestEnvironment>;

type RouteTable = {
  /** The route that a request means; HEAD means that of GET. */
  of(c: RequestContext): Route | undefined;
  /** All methods of the request's path. */
  at(c: RequestContext): Route[];
};

export function routeTable(routes: readonly Route[]): RouteTable {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  const at = (c: RequestContext) => byPath.get(c.req.path) ?? [];
  return {
    of: (c) => at(c).find(({ method }) => method === (c.req.method === "HEAD" ? "GET" : c.req.method)),
    at,
  };
}

type Logging = {
  table: RouteTable;
  metrics: Metrics;
  log: Log;
  stopping: AbortSignal;
  ownerHash: (owner: string) => string;
};

/** Gives each request an id, sets the headers of every answer, counts and logs it. */
export function logAnswers({ table, metrics, log, stopping, ownerHash }: Logging): Middleware {
  return async (c, next) => {
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
    const route = table.of(c)?.path ?? "other";
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
  };
}

/** Serves known hosts and allowed origins only, and answers the preflight requests of browsers. */
export function checkOrigins(table: RouteTable, settings: HttpSettings): Middleware {
  return async (c, next) => {
    const host = c.req.header("host");
    checkHost(host, settings);
    const origin = checkOrigin(c.req.header("origin"), host, settings);
    if (origin !== undefined && c.req.method === "OPTIONS" && c.req.header("access-control-request-method")) {
      return preflight(origin, table.at(c));
    }
    await next();
    if (origin === undefined) return;
    c.res.headers.set("Access-Control-Allow-Origin", origin);
    const exposed = ["X-Request-Id", "Retry-After", ...(table.of(c)?.headers ?? [])];
    c.res.headers.set("Access-Control-Expose-Headers", exposed.join(", "));
    c.res.headers.append("Vary", "Origin");
  };
}

type Admission = {
  table: RouteTable;
  stopping: AbortSignal;
  identify: (c: RequestContext, route: Route | undefined) => Promise<Caller>;
  limit: RequestLimit;
  fail: (c: RequestContext, thrown: unknown, headers?: Record<string, string>) => Response;
};

/** Identifies the caller, limits its requests, and checks the route and the scope of its key. */
export function admitCallers({ table, stopping, identify, limit, fail }: Admission): Middleware {
  return async (c, next) => {
    const route = table.of(c);
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
    if (!route) {
      const { error, headers } = unrouted(c.req.method, table.at(c));
      return fail(c, error, headers);
    }
    requireScope(c.get("caller"), route.scope, `${route.method} ${route.path}`);
    if (stopping.aborted && route.open === undefined)
      throw new DossierError("server-busy", "The server is shutting down.");
    await next();
  };
}

function unrouted(method: string, others: readonly Route[]): { error: DossierError; headers?: Record<string, string> } {
  if (others.length === 0) return { error: new DossierError("unknown-route", "There is no such route.") };
  const allowed = others.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method])).join(", ");
  const error = new DossierError("wrong-method", `This route takes ${allowed}, not ${method}.`);
  return { error, headers: { Allow: allowed } };
}

/** A client's request id goes into logs and headers, so only harmless characters are accepted. */
function saneId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.:-]{1,100}$/.test(id) ? id : undefined;
}

function methodLabel(method: string): string {
  return ["GET", "HEAD", "POST", "DELETE", "OPTIONS"].includes(method) ? method : "other";
}

function preflight(origin: string, routes: readonly Route[]): Response {
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
