import { DossierError } from "../../errors.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { joinedBundle } from "../ask/already-sent.ts";
import { bundleGiven, keep } from "./session-claims.ts";

/** Adds a bundle to what the server gave in a client's session. */
export async function rememberAnswered(workspace: Workspace, session: string, bundle: string): Promise<void> {
  const before = bundleGiven("answered", workspace.root, session);
  try {
    const all = before === undefined ? bundle : await joinedBundle(workspace, [before, bundle]);
    keep(workspace.root, session, "answered", all);
  } catch (error) {
    // If the index cannot be written now, a later answer may repeat something; this answer is not lost.
    if (!(error instanceof DossierError)) throw error;
  }
}

/** The session id of the client that started this process, where it passes one to its servers and hooks alike. */
export function clientSession(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.CLAUDE_CODE_SESSION_ID || undefined;
}
