import { docsPage } from "./docs/docs.ts";
import { docsPolicy } from "./docs/docs-parts.ts";
import { describeApi } from "./docs/openapi.ts";
import type { Metrics } from "./metrics.ts";
import type { RequestContext, Route } from "./route.ts";
import type { Service } from "./settings.ts";

const millisecondsToAnswer = 2000;

type Parts = Pick<Service, "workspace" | "keys"> & { metrics: Metrics; stopping: AbortSignal };

/**
 * Routes about the service itself: health, metrics, description. `routes` is a function, since the description
 * includes these routes.
 */
export function serviceRoutes({ workspace, keys, metrics, stopping }: Parts, routes: () => Route[]): Route[] {
  const all = () => routes().filter(({ undescribed }) => !undescribed);
  let description: object | undefined;
  const described = () => (description ??= describeApi(all()));
  return [
    {
      method: "GET",
      path: "/healthz",
      summary: "Say that the process is alive",
      open: "all",
      scope: "read",
      handle: (c) => c.json({ status: "ok" }),
    },
    {
      method: "GET",
      path: "/readyz",
      summary: "Say whether the stores answer and requests are taken",
      open: "local",
      scope: "read",
      async handle(c) {
        const ready =
          !stopping.aborted &&
          (await answers(() => Promise.all([workspace.store.revision(workspace.owner), keys.list("")])));
        return ready ? c.json({ status: "ready" }) : c.json({ status: "not ready" }, 503);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      summary: "Give the figures of the service, for Prometheus",
      open: "local",
      scope: "admin",
      contentType: "text/plain",
      handle: async (c) => c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }),
    },
    {
      method: "GET",
      path: "/openapi.json",
      summary: "Describe every route as OpenAPI 3.1, or those of one operation with ?operation=",
      open: "local",
      scope: "read",
      handle: (c) => {
        // A page that needs one form does not wait for the description of all.
        const name = c.req.query("operation");
        return c.json(
          name === undefined ? described() : describeApi(all().filter((each) => each.operation?.name === name)),
        );
      },
    },
    {
      method: "GET",
      path: "/docs",
      summary: "Show the description of every route as a page",
      open: "local",
      scope: "read",
      contentType: "text/html",
      handle: (c: RequestContext) => c.html(docsPage(all()), 200, { "Content-Security-Policy": docsPolicy }),
    },
  ];
}

/** Whether something answers in time. The reason of a failure is logged by the next request that needs it. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), millisecondsToAnswer);
  });
  try {
    return await Promise.race([
      ask().then(
        () => true,
        () => false,
      ),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
