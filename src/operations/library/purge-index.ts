import type { Workspace } from "../../workspace/workspace.ts";

/** Purged text must leave the index at once, not with the next question, since the index holds its words. */
export async function forgetPurged(workspace: Workspace, kind: "document" | "message"): Promise<void> {
  if (kind === "document") await (await import("../../indexing/library/documents.ts")).refreshDocuments(workspace);
  else await (await import("../../indexing/library/messages.ts")).refreshMessages(workspace);
  await workspace.store.compact();
}
