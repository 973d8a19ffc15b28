import type { Workspace } from "../../workspace/workspace.ts";

/** Milliseconds to wait for another process that indexes the same. */
const patience = 60_000;

/** Purged text must leave the index at once, not with the next question, since the index holds its words. */
export async function forgetPurged(workspace: Workspace, kind: "document" | "message"): Promise<void> {
  if (kind === "document") {
    await (await import("../../indexing/library/documents.ts")).refreshDocuments(workspace, { patience });
  } else await (await import("../../indexing/library/messages.ts")).refreshMessages(workspace, { patience });
  await workspace.store.compact();
}
