import { DossierError } from "../../errors.ts";
import { nameOf } from "../../sources/messages/text.ts";
import { shelfOfId } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { memoryTitle } from "../memory/memory-shape.ts";
import { plain } from "../terminal/phrases.ts";

/** An item as it is named to people. */
export type FoundItem = { id: string; name: string };

const enough = 8;

/** Items of this owner whose id is this one or begins with it; an exact match alone. */
export async function itemsCalled(workspace: Workspace, typed: string): Promise<FoundItem[]> {
  const id = typed
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (!/^[a-z]{3}-[0-9a-z][0-9a-z_-]{0,80}$/.test(id)) return [];
  const { store, owner } = workspace;
  const items = await store.shelf(shelfOfId(id)).itemsByPrefix(owner, id, enough);
  const matches = [...items.map((item) => ({ id: item.id, name: item.name })), ...(await unindexed(workspace, id))];
  const unique = [...new Map(matches.map((each) => [each.id, each])).values()];
  const exact = unique.filter((each) => each.id === id);
  if (exact.length > 0) return exact;
  // The ids of an experience's axes begin with the id of the experience: the shortest one means the whole record.
  const whole = unique.filter((each) => unique.every((other) => other.id.startsWith(each.id)));
  return whole.length === 1 ? whole : unique;
}

/** Records written a moment ago are indexed by the next question only, so they are read from the store. */
async function unindexed(workspace: Workspace, id: string): Promise<FoundItem[]> {
  const { owner } = workspace;
  if (!workspace.hasRecords()) return [];
  if (/^(?:mem|exp|val)-/.test(id)) {
    const bare = id.replace(/^(exp-[0-9a-z]+)-[a-z_]+$/, "$1");
    const records = await (await workspace.records()).byPrefix(owner, bare, enough);
    return bare === id ? records.map((record) => ({ id: record.id, name: memoryTitle(record) })) : [];
  }
  if (id.startsWith("msg-")) {
    const messages = await (await workspace.library()).messagesById(owner, [id]);
    return messages.map((message) => ({ id: message.id, name: nameOf(message) }));
  }
  if (id.startsWith("thr-")) {
    const thread = await (await workspace.library()).thread(owner, id);
    return thread ? [{ id: thread.id, name: thread.title }] : [];
  }
  if (id.startsWith("doc-")) {
    const documents = await (await workspace.library()).documentInfos(owner, [id]);
    return documents.map((document) => ({ id: document.id, name: document.path }));
  }
  return [];
}

/** The one item that an id, its beginning or a citation means. */
export async function findItem(workspace: Workspace, typed: string): Promise<FoundItem> {
  const matches = await itemsCalled(workspace, typed);
  if (matches.length === 1) return matches[0]!;
  const quoted = JSON.stringify(typed.slice(0, 100));
  if (matches.length === 0) {
    throw new DossierError("not-found", `There is no item ${quoted}; ids look like chk-1k3f, msg-1k3f or cod-1k3f.`);
  }
  const choices = matches.slice(0, 5).map(({ id, name }) => `${id} (${plain(name).slice(0, 60)})`);
  throw new DossierError("bad-input", `${quoted} could be any of ${choices.join(", ")}. Give more of the id.`);
}
