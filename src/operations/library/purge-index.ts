import type { Workspace } from "../../workspace/workspace.ts";

/** The index knows the words of what it holds; it forgets what was purged at once, not with the next question. */
export async function forgetPurged(workspace: Workspace, what: "document" | "message"): Promise<void> {
  if (what === "document") await (await import("../../indexing/library/documents.ts")).refreshDocuments(workspace);
  else await (await import("../../indexing/library/messages.ts")).refreshMessages(workspace);
  await workspace.store.compact();
}
