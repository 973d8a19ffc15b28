import { DossierError } from "../../errors.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { joinedBundle } from "../ask/already-sent.ts";
import { bundleGiven, keep } from "./hook-session.ts";

/** Adds a bundle to what the server gave in a client's session. */
export async function rememberAnswered(workspace: Workspace, session: string, bundle: string): Promise<void> {
  const before = bundleGiven("answered", workspace.root, session);
  try {
    const all = before === undefined ? bundle : await joinedBundle(workspace, [before, bundle]);
    keep(workspace.root, session, "answered", all);
  } catch (error) {
    // An index that cannot be written now costs saying something twice, and no answer.
    if (!(error instanceof DossierError)) throw error;
  }
}

/** What the client that started this process calls its session, where it says so to its servers and hooks alike. */
export function clientSession(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.CLAUDE_CODE_SESSION_ID || undefined;
}
