import { DossierError } from "../../errors.ts";
import { activeSlot, activeSlots, type Experience } from "../../learned/experience.ts";
import type { StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { findRecord } from "../memory/record-find.ts";
import { grouped } from "../terminal/phrases.ts";

const defaultSession = "default";
export const longestSession = 100;

/** The session that the input names, else the surface's, else the shared one. */
export function sessionOf(input: { session?: string }, environment: Environment): string {
  const session = input.session ?? environment.session?.trim() ?? "";
  if (session.length > longestSession) {
    const limit = `${grouped(session.length)} characters long; at most ${longestSession} are kept`;
    throw new DossierError("too-long", `The session's name is ${limit}.`);
  }
  return session === "" ? defaultSession : session;
}

/** The experience that an id, its beginning or a citation means; without one, the session's active one. */
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
  const activeElsewhere = others.map(
    (record) => `${record.id} in ${JSON.stringify((record.body as Experience).session)}`,
  );
  const elsewhere =
    activeElsewhere.length > 0
      ? ` ${activeElsewhere.length} are active in others: ${activeElsewhere.slice(0, 5).join(", ")}.`
      : "";
  const problem = `Session ${JSON.stringify(session)} has no active experience.`;
  throw new DossierError("no-active-experience", `${problem}${elsewhere}`);
}

/**
 * The active experience. It belongs to the owner, the workspace and the session. Without a named session it is the
 * shared one, or the only session that has one: so a shell's command can decide what an agent began.
 */
export async function activeExperience(workspace: Workspace, session: string): Promise<StoredRecord | undefined> {
  if (!workspace.hasRecords()) return undefined;
  const active = await (await workspace.records()).inSlot(workspace.owner, activeSlot(session));
  if (active || session !== defaultSession) return active;
  const [only, ...more] = await activeExperiences(workspace);
  return more.length === 0 ? only : undefined;
}

/** The active experiences of all sessions, the one that changed last first. */
export async function activeExperiences(workspace: Workspace): Promise<StoredRecord[]> {
  if (!workspace.hasRecords()) return [];
  const active = await (await workspace.records()).inSlots(workspace.owner, activeSlots);
  return active.sort((a, b) => b.changed - a.changed || (a.id < b.id ? -1 : 1));
}
