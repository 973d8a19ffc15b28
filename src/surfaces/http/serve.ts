import { once } from "node:events";
import { allOperations } from "../../operations/core/registry.ts";
import type { Mount, Served, ServiceParts } from "../../operations/core/serving.ts";
import { vectorsInBackground } from "../../operations/index/background-vectors.ts";
import { createLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { openServer } from "./server.ts";

/**
 * Serves until the signal; then accepts no more requests, finishes the running ones, and returns. A second signal ends
 * the process by itself.
 */
export async function serveHttp(
  { workspace, keys, settings, signal, progress, listening }: ServiceParts,
  mounts: readonly Mount[] = [],
): Promise<Served> {
  const metrics = createMetrics({ process: true });
  const log = createLog(settings.log);
  const operations = await allOperations();
  const background = vectorsInBackground({
    onRun: ({ state, made, warnings }) => {
      if (made > 0 || warnings.length > 0) log.info({ state, made, warnings }, "vectors");
    },
  });
  const server = await openServer({ workspace, keys, operations, mounts, settings, metrics, log, background });
  background.changed(workspace);
  const { url } = server;
  const say = (detail: string) => progress?.({ stage: "serving", done: 0, detail });
  say(`Serving ${workspace.root} at ${url}; open it in a browser to look inside, ${url}/docs shows the API.`);
  await listening?.(url);
  const keyless = (await keys.list()).length === 0;
  say(
    keyless
      ? "There is no key, so only programs on this machine are served, as the owner local. dossier key create <name> makes one."
      : "Every request needs a key; dossier key create <name> makes another one.",
  );
  log.info({ url, keys: !keyless }, "serving");
  if (!signal.aborted) await once(signal, "abort");
  await Promise.all([server.close(), background.close()]);
  log.info({ requests: server.requests() }, "stopped");
  return { url, requests: server.requests() };
}
