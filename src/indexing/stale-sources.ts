import { recordTypes } from "../stores/records.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isFresh } from "./files/fresh.ts";
import { isHistoryCurrent } from "./history/history.ts";
import { areDocumentsCurrent } from "./library/documents.ts";
import { areMessagesCurrent } from "./library/messages.ts";
import { areRecordsCurrent } from "./library/records.ts";

/** Those of these sources whose index is out of date. Changes nothing. Notes are not checked. */
export async function staleSources(
  workspace: Workspace,
  sources: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const isCurrent = async (source: string): Promise<boolean> => {
    if (source === "files") return isFresh(workspace, { signal });
    if (source === "commit") return isHistoryCurrent(workspace, signal);
    const type = recordTypes.find((each) => each === source);
    if (type) return areRecordsCurrent(workspace, type);
    // If nothing was ever stored, the index is up to date.
    if (source === "document") return !workspace.hasRecords() || areDocumentsCurrent(workspace);
    if (source === "message") return !workspace.hasRecords() || areMessagesCurrent(workspace);
    return true;
  };
  const stale: string[] = [];
  for (const source of sources) if (!(await isCurrent(source))) stale.push(source);
  return stale;
}
