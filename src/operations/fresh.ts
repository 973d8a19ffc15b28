import type { Workspace } from "../workspace.ts";
import type { Environment } from "./operation.ts";

/** Brings the index up to date before a query; on a first run this is the whole indexing, with progress. Returns warnings. */
export async function fresh(workspace: Workspace, environment: Environment): Promise<string[]> {
  const { ensureFresh } = await import("../indexing/update.ts");
  return ensureFresh(workspace, { signal: environment.signal, progress: environment.progress });
}
