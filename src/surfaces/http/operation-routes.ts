import { scopeRange } from "../../operations/core/access.ts";
import type { Operation } from "../../operations/core/operation.ts";
import { readBody } from "./body.ts";
import { conditionOf, taggedAs, tagOf } from "./entity-tags.ts";
import { eventStream, throttled } from "./events.ts";
import { failureOf, noteFailure } from "./failure.ts";
import { inputOfQuery, renamed } from "./inputs.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Performer } from "./perform.ts";
import type { RequestContext, Route } from "./route.ts";
import type { HttpSettings } from "./settings.ts";

export type RouteParts = {
  operations: Operation[];
  settings: HttpSettings;
  performer: Performer;
  metrics: Metrics;
  log: Log;
};

/** A route for every operation that HTTP offers, and the first design's routes for three of them. */
export function operationRoutes(parts: RouteParts): Route[] {
  const offered = parts.operations;
  const answer = answerWith(parts);
  const read = (c: RequestContext) => readBody(c.req.raw, parts.settings.maxBody);
  const routes: Route[] = offered.map((operation) => ({
    method: "POST",
    path: `/v1/${operation.name}`,
    summary: operation.summary,
    scope: scopeRange(operation).least,
    operation,
    ...taggedAs(operation),
    handle: async (c) => answer(c, operation, { ...(await read(c)), ...conditionOf(c, operation) }, (output) => output),
  }));
  const routeFor = (
    name: string,
    route: (operation: Operation) => Pick<Route, "method" | "path" | "answers" | "handle">,
  ) => {
    const operation = offered.find((each) => each.name === name);
    if (!operation) return;
    const { summary } = operation;
    const described = {
      summary,
      scope: scopeRange(operation).least,
      operation,
      renamed: true,
      ...route(operation),
    } as const;
    routes.push(described, { ...described, path: `/v1${described.path}` });
  };
  routeFor("prime_context", (operation) => ({
    method: "POST",
    path: "/context/build",
    answers: "data",
    handle: async (c) => answer(c, operation, renamed(await read(c)), withMeta),
  }));
  routeFor("feedback", (operation) => ({
    method: "POST",
    path: "/context/feedback",
    answers: "success",
    handle: async (c) =>
      answer(c, operation, renamed(await read(c)), (output) => ({ success: true, ...(output as object) })),
  }));
  routeFor("context_stats", (operation) => ({
    method: "GET",
    path: "/context/stats",
    handle: (c) => answer(c, operation, renamed(inputOfQuery(operation, c.req.queries())), (output) => output),
  }));
  return routes;
}

/** A context with its figures beside it. */
function withMeta(output: unknown): unknown {
  const { totalTokens, items, citations } = output as {
    totalTokens?: number;
    items?: unknown[];
    citations?: unknown[];
  };
  const meta = { tokenUsage: totalTokens, sourceCount: items?.length, citationCount: citations?.length };
  return { data: output, meta };
}

type Answer = (
  c: RequestContext,
  operation: Operation,
  input: Record<string, unknown>,
  shape: (output: unknown) => unknown,
) => Promise<Response>;

function answerWith({ performer: { admit, perform }, metrics, log }: RouteParts): Answer {
  return async (c, operation, sent, shape) => {
    const caller = c.get("caller");
    const { signal } = c.req.raw;
    // Checked before the event stream begins, while an HTTP status can still be sent.
    const input = admit(caller, operation, sent);
    if (!wantsEvents(c)) {
      const output = await perform(caller, operation, input, { signal });
      if (taggedAs(operation)) c.header("ETag", tagOf(output));
      return c.json(shape(output));
    }
    const requestId = c.get("requestId");
    return eventStream(async (send) => {
      const progress = throttled((report) => send("progress", report));
      try {
        send("result", shape(await perform(caller, operation, input, { signal, progress })));
      } catch (thrown) {
        const failure = failureOf(thrown, requestId);
        noteFailure(failure, { metrics, log });
        send("error", failure.body);
      }
    });
  };
}

function wantsEvents(c: RequestContext): boolean {
  return (c.req.header("accept") ?? "")
    .split(",")
    .some((type) => type.trim().toLowerCase().startsWith("text/event-stream"));
}
