import { recordTypes } from "../stores/records.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isFresh } from "./files/fresh.ts";
import { isHistoryShown } from "./history/history.ts";
import { areDocumentsShown } from "./library/documents.ts";
import { areMessagesShown } from "./library/messages.ts";
import { areRecordsShown } from "./library/records.ts";

/** The sources of these whose index is out of date. Changes nothing; notes are not checked. */
export async function staleSources(
  workspace: Workspace,
  sources: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const isShown = async (source: string): Promise<boolean> => {
    if (source === "files") return isFresh(workspace, { signal });
    if (source === "commit") return isHistoryShown(workspace, signal);
    const type = recordTypes.find((each) => each === source);
    if (type) return areRecordsShown(workspace, type);
    // Where nothing was ever stored the index is complete.
    if (source === "document") return !workspace.hasRecords() || areDocumentsShown(workspace);
    if (source === "message") return !workspace.hasRecords() || areMessagesShown(workspace);
    return true;
  };
  const stale: string[] = [];
  for (const source of sources) if (!(await isShown(source))) stale.push(source);
  return stale;
}
