import type { Mount, MountParts } from "../../operations/core/serving.ts";
import { readJson } from "./body.ts";
import type { Performer } from "./perform.ts";
import type { Route } from "./route.ts";

/** Routes of other surfaces, served like this surface's own. */
export function mountedRoutes(mounts: readonly Mount[], parts: MountParts, { admit, perform }: Performer): Route[] {
  const paths = mounts.flatMap((mount) => mount(parts));
  return paths.flatMap(({ path, methods, summary, scope, headers, handle }) =>
    methods.map(
      (method): Route => ({
        method,
        path,
        summary,
        scope,
        headers,
        handle: (c) => {
          const caller = c.get("caller");
          return handle(c.req.raw, {
            caller,
            requestId: c.get("requestId"),
            json: () => readJson(c.req.raw, parts.settings.maxBody),
            perform: (operation, input, options) =>
              perform(caller, operation, admit(caller, operation, input, options.nameOf), options),
          });
        },
      }),
    ),
  );
}
