import type { LibraryStore } from "../stores/library.ts";
import { foldersAmong, type Mentionable, meant } from "./complete.ts";
import { findMentions, type Mention } from "./mentions.ts";

export type MentionTarget = Mention & Pick<Mentionable, "kind" | "target" | "label">;

/** What a text mentions of this owner's library; what names nothing is absent, unless it was surely meant: then it is `missing`. */
export async function mentionsIn(
  library: LibraryStore,
  owner: string,
  text: string,
): Promise<{ found: MentionTarget[]; missing: Mention[] }> {
  const mentions = findMentions(text);
  if (mentions.length === 0) return { found: [], missing: [] };
  const among = await mentionables(library, owner);
  const found: MentionTarget[] = [];
  const missing: Mention[] = [];
  for (const mention of mentions) {
    const target = meant(mention.name, mention.folder, among);
    if (target) found.push({ ...mention, kind: target.kind, target: target.target, label: target.label });
    else if (mention.sure) missing.push(mention);
  }
  return { found, missing };
}

const pageSize = 1000;
/** Older threads are found by their id only. */
const mostThreads = 5000;

/** Documents by id, as of a revision. */
type Paths = { revision: number; byId: Map<string, { path: string; changed: number }>; names?: Mentionable[] };
/** Reading ten thousand paths for every message would cost more than all else; what changed since is little. */
const known = new WeakMap<LibraryStore, Map<string, Paths>>();
const mostOwners = 50;
/** After more changes than this the paths are read anew. */
const mostChanges = 100;

/** Everything of this owner that a mention may mean. */
export async function mentionables(library: LibraryStore, owner: string): Promise<Mentionable[]> {
  const documents = await documentNames(library, owner);
  return [...documents, ...(await threadNames(library, owner))];
}

async function documentNames(library: LibraryStore, owner: string): Promise<Mentionable[]> {
  const owners = known.get(library) ?? new Map<string, Paths>();
  known.set(library, owners);
  const revision = await library.revision(owner);
  const cached = owners.get(owner);
  const paths =
    cached && (await caughtUp(library, owner, cached, revision)) ? cached : await read(library, owner, revision);
  // The least recently asked for is the first to go.
  owners.delete(owner);
  owners.set(owner, paths);
  for (const oldest of owners.keys()) {
    if (owners.size <= mostOwners) break;
    owners.delete(oldest);
  }
  return (paths.names ??= namesOf(paths));
}

/** False when too much has changed, or when it is another library that came in the place of this one. */
async function caughtUp(library: LibraryStore, owner: string, paths: Paths, revision: number): Promise<boolean> {
  if (paths.revision === revision) return true;
  if (paths.revision > revision) return false;
  const changes = await library.documentsSince(owner, paths.revision, mostChanges);
  if (changes.length >= mostChanges) return false;
  for (const { info } of changes) {
    if (info.deleted === undefined) paths.byId.set(info.id, { path: info.path, changed: info.changed });
    else paths.byId.delete(info.id);
    paths.names = undefined;
  }
  paths.revision = Math.max(revision, changes.at(-1)?.revision ?? 0);
  return true;
}

async function read(library: LibraryStore, owner: string, revision: number): Promise<Paths> {
  const byId: Paths["byId"] = new Map();
  for (let offset = 0; ; offset += pageSize) {
    const { documents } = await library.documents(owner, { order: "path", limit: pageSize, offset });
    for (const { id, path, changed } of documents) byId.set(id, { path, changed });
    if (documents.length < pageSize) return { revision, byId };
  }
}

function namesOf({ byId }: Paths): Mentionable[] {
  const documents: Mentionable[] = [];
  for (const [id, { path, changed }] of byId) documents.push({ kind: "document", target: id, label: path, changed });
  return [...documents, ...foldersAmong([...byId.values()])];
}

async function threadNames(library: LibraryStore, owner: string): Promise<Mentionable[]> {
  const names: Mentionable[] = [];
  for (let offset = 0; offset < mostThreads; offset += pageSize) {
    const { threads } = await library.threads(owner, { limit: pageSize, offset });
    for (const { id, title, changed } of threads) names.push({ kind: "thread", target: id, label: title, changed });
    if (threads.length < pageSize) break;
  }
  return names;
}
