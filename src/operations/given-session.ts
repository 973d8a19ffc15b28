import { DossierError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { keep, recall } from "./hook-session.ts";
import { joinedBundle } from "./since.ts";

/**
 * What a client's session was given by the hook, and what by the server: each leaves out what the other gave. They are processes of their
 * own that know of each other by the client's name for its session. The server may give its own answers again, which an agent asks for
 * when they are gone from its context; so the two are kept apart.
 */
export type Giver = "hook" | "server";

const files: Record<Giver, string> = { hook: "given", server: "answered" };

/** The bundle that this one gave in the session, if any. */
export function givenBy(giver: Giver, root: string, session: string): string | undefined {
  const kept = recall(root, session, files[giver]);
  // What was kept is a file that anyone of this user may have changed.
  return kept !== undefined && /^bun-[0-9a-z]{1,20}$/.test(kept) ? kept : undefined;
}

/** Adds a bundle to what the server gave. */
export async function rememberAnswered(workspace: Workspace, session: string, bundle: string): Promise<void> {
  const before = givenBy("server", workspace.root, session);
  try {
    const all = before === undefined ? bundle : await joinedBundle(workspace, [before, bundle]);
    keep(workspace.root, session, files.server, all);
  } catch (error) {
    // An index that cannot be written now costs saying something twice, and no answer.
    if (!(error instanceof DossierError)) throw error;
  }
}

/** What the client that started this process calls its session, where it says so to its servers and hooks alike. */
export function clientSession(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.CLAUDE_CODE_SESSION_ID || undefined;
}
