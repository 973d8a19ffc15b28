import { DossierError } from "../errors.ts";
import { activeSlot } from "../learned/experience.ts";
import type { StoredRecord } from "../stores/records.ts";
import type { Workspace } from "../workspace.ts";
import type { Environment } from "./operation.ts";
import { findRecord } from "./record-find.ts";
import { grouped } from "./words.ts";

export const defaultSession = "default";
export const longestSession = 100;

/** The session the input names, else the surface's, else the one that everyone has. */
export function sessionOf(input: { session?: string }, environment: Environment): string {
  const session = input.session ?? environment.session?.trim() ?? "";
  if (session.length > longestSession) {
    const limit = `${grouped(session.length)} characters long; at most ${longestSession} are kept`;
    throw new DossierError("too-long", `The session's name is ${limit}.`);
  }
  return session === "" ? defaultSession : session;
}

/** The experience that an id means, its beginning or a citation; without one the session's active one. */
export async function findExperience(
  workspace: Workspace,
  id: string | undefined,
  session: string,
): Promise<StoredRecord> {
  if (id !== undefined) {
    const whole = /^\s*[0-9a-z]+\s*$/i.test(id) ? `exp-${id.trim()}` : id;
    return findRecord(workspace, whole, { types: ["experience"], state: "kept" });
  }
  const active = await activeExperience(workspace, session);
  if (active) return active;
  throw new DossierError("no-active-experience", `Session ${JSON.stringify(session)} has no active experience.`);
}

export async function activeExperience(workspace: Workspace, session: string): Promise<StoredRecord | undefined> {
  if (!workspace.hasRecords()) return undefined;
  return (await workspace.records()).inSlot(workspace.owner, activeSlot(session));
}
