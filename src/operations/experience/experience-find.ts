import { DossierError } from "../../errors.ts";
import { activeSlot, activeSlots, type Experience } from "../../learned/experience.ts";
import type { StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { findRecord } from "../memory/record-find.ts";
import { grouped } from "../terminal/phrases.ts";

const defaultSession = "default";
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
  const others = session === defaultSession ? await activeExperiences(workspace) : [];
  const named = others.map((record) => `${record.id} in ${JSON.stringify((record.body as Experience).session)}`);
  const elsewhere = named.length > 0 ? ` ${named.length} are active in others: ${named.slice(0, 5).join(", ")}.` : "";
  const what = `Session ${JSON.stringify(session)} has no active experience.`;
  throw new DossierError("no-active-experience", `${what}${elsewhere}`);
}

/**
 * What is tried now. It belongs to the owner, the workspace and the session; whoever names no session means the one that everyone has, or the only
 * one that something is tried in: what an agent began is then what a shell's command decides.
 */
export async function activeExperience(workspace: Workspace, session: string): Promise<StoredRecord | undefined> {
  if (!workspace.hasRecords()) return undefined;
  const own = await (await workspace.records()).inSlot(workspace.owner, activeSlot(session));
  if (own || session !== defaultSession) return own;
  const [only, ...more] = await activeExperiences(workspace);
  return more.length === 0 ? only : undefined;
}

/** The active experiences of all sessions, the one that changed last first. */
export async function activeExperiences(workspace: Workspace): Promise<StoredRecord[]> {
  if (!workspace.hasRecords()) return [];
  const active = await (await workspace.records()).inSlots(workspace.owner, activeSlots);
  return active.sort((a, b) => b.changed - a.changed || (a.id < b.id ? -1 : 1));
}
