import { DossierError, unreadSentence } from "../../errors.ts";
import { hasClosedRecords } from "../../workspace/database-paths.ts";
import { ownFolder } from "../../workspace/root.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export const closedRecords = `The records of this workspace are in a folder ${ownFolder} that this user may not read.`;

/**
 * Whether any records were ever written. Records that another user has closed to this one are an error, not an
 * absence.
 */
export function hasReadableRecords(workspace: Workspace): boolean {
  if (workspace.hasRecords()) return true;
  if (hasClosedRecords(workspace.root)) throw new DossierError("not-readable", closedRecords);
  return false;
}

/** The warning for a user whose own records cannot be read although the workspace's can. */
export async function unreadPart(workspace: Workspace): Promise<string[]> {
  if (!workspace.hasRecords()) return [];
  const failure = await (await workspace.records()).unread?.(workspace.owner);
  return failure ? [unreadSentence(failure)] : [];
}
