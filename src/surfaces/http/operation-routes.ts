import { neededScope } from "../../operations/access.ts";
import { call } from "../../operations/call.ts";
import { readInput } from "../../operations/input.ts";
import type { Operation } from "../../operations/operation.ts";
import { readBody } from "./body.ts";
import { eventStream, throttled } from "./events.ts";
import { failureOf, noteFailure } from "./failure.ts";
import { inputFor, inputOfQuery, renamed } from "./inputs.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { RequestContext, Route } from "./route.ts";
import type { Service, Settings } from "./settings.ts";
import type { Work } from "./work.ts";

export type Parts = {
  workspace: Service["workspace"];
  operations: Operation[];
  settings: Settings;
  metrics: Metrics;
  work: Work;
  log: Log;
};

/** A route for every operation that is offered from afar, and those of the first design for the three it names. */
export function operationRoutes(parts: Parts): Route[] {
  const offered = parts.operations.filter(({ onlyOn }) => onlyOn === undefined);
  const answer = answerWith(parts);
  const read = (c: RequestContext) => readBody(c.req.raw, parts.settings.maxBody);
  const routes: Route[] = offered.map((operation) => ({
    method: "POST",
    path: `/v1/${operation.name}`,
    summary: operation.summary,
    scope: neededScope(operation),
    operation,
    handle: async (c) => answer(c, operation, await read(c), (output) => output),
  }));
  const named = (
    name: string,
    route: (operation: Operation) => Pick<Route, "method" | "path" | "answers" | "handle">,
  ) => {
    const operation = offered.find((each) => each.name === name);
    if (!operation) return;
    const { summary } = operation;
    routes.push({ summary, scope: neededScope(operation), operation, ...route(operation) });
  };
  named("prime_context", (operation) => ({
    method: "POST",
    path: "/context/build",
    answers: "data",
    handle: async (c) => answer(c, operation, renamed(await read(c)), withMeta),
  }));
  named("feedback", (operation) => ({
    method: "POST",
    path: "/context/feedback",
    answers: "success",
    handle: async (c) => answer(c, operation, renamed(await read(c)), () => ({ success: true })),
  }));
  named("context_stats", (operation) => ({
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
  given: Record<string, unknown>,
  shape: (output: unknown) => unknown,
) => Promise<Response>;

function answerWith({ workspace, settings, metrics, work, log }: Parts): Answer {
  const asOwner = views(workspace);
  return async (c, operation, given, shape) => {
    const { owner } = c.get("caller");
    const input = inputFor(operation, given, workspace.root);
    const run = async (signal: AbortSignal, progress?: Parameters<typeof throttled>[0]) => {
      const options = { owner, workspace: asOwner(owner), signal, progress };
      const { output } = await call(operation, input, options);
      metrics.assembled(operation.name, output);
      return shape(output);
    };
    const request = c.req.raw.signal;
    if (!wantsEvents(c)) return c.json(await work.run(request, (signal) => run(signal), { seconds: settings.timeout }));
    // While there is still a status to answer with.
    readInput(operation, input);
    const requestId = c.get("requestId");
    return eventStream(async (send) => {
      const progress = throttled((report) => send("progress", report));
      try {
        send("result", await work.run(request, (signal) => run(signal, progress)));
      } catch (thrown) {
        const told = failureOf(thrown, requestId);
        noteFailure(told, { metrics, log });
        send("error", told.body);
      }
    });
  };
}

function wantsEvents(c: RequestContext): boolean {
  return (c.req.header("accept") ?? "")
    .split(",")
    .some((type) => type.trim().toLowerCase().startsWith("text/event-stream"));
}

/** The one workspace as each owner sees it: the same stores, asked with another name. */
function views(workspace: Service["workspace"]): (owner: string) => Service["workspace"] {
  const known = new Map([[workspace.owner, workspace]]);
  return (owner) => {
    let view = known.get(owner);
    // Made on top of the workspace, not copied from it: its stores may be opened anew.
    if (!view)
      known.set(
        owner,
        (view = Object.create(workspace, { owner: { value: owner, enumerable: true } }) as typeof workspace),
      );
    return view;
  };
}
