import type { Item } from "../../item.ts";
import { placeOfDocument } from "../../sources/documents/document-items.ts";
import { shelfOfId } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Expected, placeOf } from "../case.ts";

/** Resolves a path, `path::Name` or an id to what a case expects. */
export async function expectedFrom(workspace: Workspace, reference: string): Promise<Expected | undefined> {
  const { store, owner } = workspace;
  const text = reference.trim().replace(/^\[(.*)\]$/, "$1");
  if (/^[a-z]{3}-[0-9a-z][0-9a-z_-]*$/.test(text)) {
    const [item, other] = await store.shelf(shelfOfId(text)).itemsByPrefix(owner, text, 2);
    if (item && (other === undefined || item.id === text)) return expectedItem(item);
  }
  const [path, name] = text.split("::");
  const clean = path!.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  const [whole] = await store.searchPaths(owner, { text: clean, mode: "exact", limit: 1 });
  if (!whole) return await document(workspace, clean);
  if (name === undefined) return { place: whole.item.path, shown: whole.item.path };
  const units = await store.itemsOf(owner, whole.item.path);
  const unit = units.find((item) => item.qualifiedName === `${whole.item.path}::${name}`) ?? only(units, name);
  return unit && expectedItem(unit);
}

function only(units: Item[], name: string): Item | undefined {
  const namesakes = units.filter((item) => item.name === name);
  return namesakes.length === 1 ? namesakes[0] : undefined;
}

function expectedItem(item: Item): Expected {
  const isPart = item.qualifiedName.includes("::") && (item.source === "code" || item.source === "file");
  return { place: placeOf(item), shown: item.qualifiedName || item.name, ...(isPart ? { unit: item.id } : {}) };
}

/** Documents are kept by id; a path is how people call them. */
async function document(workspace: Workspace, path: string): Promise<Expected | undefined> {
  if (!workspace.hasRecords()) return undefined;
  const stored = await (await workspace.library()).document(workspace.owner, path);
  return stored && expectedDocument(stored);
}

export function expectedDocument({ id, path }: { id: string; path: string }): Expected {
  return { place: `library:${placeOfDocument(id)}`, shown: path };
}
