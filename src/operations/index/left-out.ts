import { type SkipReason, skipReasons } from "../../tree/reasons.ts";
import { largestByExtension } from "../../tree/skip-tables.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { bytes, counted } from "../terminal/phrases.ts";

/** Paths listed for a reason; if there are more, they are counted. */
const mostNamed = 2;
/** Most reasons listed, beginning with those of most paths. */
const mostReasons = 3;

/**
 * If no file is indexed: which paths were skipped and why. This lists the folder, so it is done for an empty index
 * only.
 */
export async function leftOut(workspace: Workspace, signal?: AbortSignal): Promise<string | undefined> {
  const { count } = await workspace.store.termStatistics(workspace.owner, "unit", []);
  if (count > 0) return undefined;
  const { staleFiles } = await import("./staleness.ts");
  return leftOutSentence((await staleFiles(workspace, signal)).skipped);
}

/** `Not read: big.txt (larger than the size limit); dossier index --max-file-bytes raises the limit.` */
export function leftOutSentence(skipped: ReadonlyMap<string, SkipReason>): string | undefined {
  const paths = new Map<SkipReason, string[]>();
  // Files that are read as notes are not left out.
  for (const [path, reason] of skipped) if (reason !== "notes") paths.set(reason, [...(paths.get(reason) ?? []), path]);
  if (paths.size === 0) return undefined;
  const reasons = [...paths].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).slice(0, mostReasons);
  const parts = reasons.map(([reason, list]) => {
    const named = list.length > mostNamed ? counted(list.length, "path") : list.sort().join(", ");
    return `${named} (${skipReasons[reason]})`;
  });
  const large = paths.get("too-large")?.[0];
  return `Not read: ${parts.join(", ")}${large === undefined ? "" : `; ${limitOf(large)}`}.`;
}

/** Some formats count as data above a size that no option raises. */
function limitOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const largest = largestByExtension.get(extension);
  if (largest === undefined) return "dossier index --max-file-bytes raises the limit";
  return `a .${extension} file is read up to ${bytes(largest)}`;
}
