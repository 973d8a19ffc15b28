import { sourceOf } from "../../sources/all.ts";
import { shelfOfId } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { fresh } from "../core/refresh.ts";
import type { Cited } from "./bundle.ts";
import type { CitationVerdict } from "./recheck.ts";

/** What became of a citation of a memory, an experience, a value or a commit: these do not move, they are edited or forgotten. */
export async function recheckRecord(
  cited: Cited,
  workspace: Workspace,
  environment: Environment,
): Promise<CitationVerdict> {
  const shelf = shelfOfId(cited.itemId);
  await fresh(workspace, environment, [shelf]);
  const [item] = await workspace.store.shelf(shelf).items(workspace.owner, [cited.itemId]);
  const texts = item && (await sourceOf(item.source)?.read?.([item], workspace));
  const text = texts?.get(cited.itemId);
  if (!text) return "gone";
  return hashText(text.lines.join("\n")) === cited.hash ? "same" : "changed";
}
