import { DossierError } from "../../errors.ts";
import type { Origin } from "../../workspace/config/config.ts";
import { type LiveClient, openClient } from "./client.ts";

/**
 * Where notes are read from: the live API, or what was imported before. The warning says why a configured API is not
 * used.
 */
export type Backend = { backend: "local-api"; client: LiveClient } | { backend: "sqlite"; warning?: string };

export type ChooseOptions = {
  offline?: boolean;
  /** Environment variables by name. */
  environment: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** Milliseconds: for the health check, and for every other answer. */
  timeouts?: { health?: number; request?: number };
};

/** Long for a program on the same machine, and short for someone who waits. */
const healthTimeout = 1000;

/** Live when it is configured, has its token and passes its health check; else local. Never throws. */
export async function chooseBackend(live: Origin["live"] | undefined, options: ChooseOptions): Promise<Backend> {
  const { offline, environment, signal, timeouts } = options;
  if (!live || offline || signal?.aborted) return { backend: "sqlite" };
  const token = Object.hasOwn(environment, live.tokenVariable) ? (environment[live.tokenVariable] ?? "").trim() : "";
  if (token === "") return local(`The variable ${live.tokenVariable} with the token of Tana's Local API is not set.`);
  try {
    const client = openClient({ ...live, token, timeout: timeouts?.request });
    const health = await client.health(timeouts?.health ?? healthTimeout, signal);
    if (health === "ready") return { backend: "local-api", client };
    return local("Tana Desktop is running, but its Local API is not ready yet.");
  } catch (error) {
    if (signal?.aborted) return { backend: "sqlite" };
    if (error instanceof DossierError) return local(error.message);
    return local(`Tana's Local API cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function local(reason: string): Backend {
  return { backend: "sqlite", warning: `${reason} Local data is used.` };
}
