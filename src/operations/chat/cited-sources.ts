import { formatCitationsForResponse } from "../../chat/citations.ts";
import { sourceOf } from "../../sources/all.ts";
import { shelfOfId } from "../../stores/store.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { excerptOf, placeOf } from "./prime-shape.ts";

/** `citation`: as the reply has it, without brackets. */
export type CitedItem = { citation: string; item: string; name: string };
export type CitedSource = { id: string; itemId: string; source: string; excerpt?: string; usedInResponse: true };

/** Where each cited item is and how it begins, in the order of the reply; and all of them as an application lists them below it. */
export async function sourcesOf(
  cited: readonly CitedItem[],
  workspace: Workspace,
): Promise<{ citations: CitedSource[]; sources: string }> {
  const citations = await Promise.all(cited.map((each) => citationOf(each, workspace)));
  return { citations, sources: formatCitationsForResponse(citations) };
}

async function citationOf({ citation, item: itemId, name }: CitedItem, workspace: Workspace): Promise<CitedSource> {
  const cited = { id: `[${citation}]`, itemId, usedInResponse: true } as const;
  const [item] = await workspace.store.shelf(shelfOfId(itemId)).items(workspace.owner, [itemId]);
  if (!item) return { ...cited, source: name };
  const text = (await sourceOf(item.source)?.read?.([item], workspace))?.get(item.id);
  if (!text) return { ...cited, source: item.path === "" ? name : `${item.path}:${item.startLine}` };
  return { ...cited, source: placeOf(text.facts, name), excerpt: excerptOf(redact(text.lines.join("\n")).text) };
}
