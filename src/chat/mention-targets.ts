import type { LibraryStore } from "../stores/library.ts";
import { foldersAmong, foldName, type Mentionable, meant, mentionable } from "./complete.ts";
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
  const documents = await documentNames(library, owner);
  const found: MentionTarget[] = [];
  const missing: Mention[] = [];
  for (const mention of mentions.slice(0, mostMentions)) {
    const target = await targetOf(library, owner, mention, documents);
    if (target) found.push({ ...mention, kind: target.kind, target: target.target, label: target.label });
    else if (mention.sure) missing.push(mention);
  }
  return { found, missing };
}

/** A path means a document, if there is one; any other name may as well be a thread's. */
async function targetOf(
  library: LibraryStore,
  owner: string,
  { name, folder }: Mention,
  documents: Mentionable[],
): Promise<Mentionable | undefined> {
  const document = meant(name, folder, documents);
  if (folder || (document && /[./]/.test(name))) return document;
  const threads = await threadsLike(library, owner, name);
  return meant(name, false, document ? [document, ...threads] : threads);
}

const pageSize = 1000;
/** More in one text are no mentions, but a list of names or an attack. */
const mostMentions = 100;

/** Documents by id, as of a revision. */
type Paths = { revision: number; byId: Map<string, { path: string; changed: number }>; names?: Mentionable[] };
/** Reading ten thousand paths for every message would cost more than all else; what changed since is little. */
const known = new WeakMap<LibraryStore, Map<string, Paths>>();
const mostOwners = 50;
/** After more changes than this the paths are read anew. */
const mostChanges = 100;

/** What this owner has that a typed name may become: documents and folders, and of the threads those like it and the newest. */
export async function mentionables(library: LibraryStore, owner: string, typed = ""): Promise<Mentionable[]> {
  const documents = await documentNames(library, owner);
  const threads = [...(await threadsLike(library, owner, typed)), ...(await threadsLike(library, owner, ""))];
  return [...documents, ...new Map(threads.map((thread) => [thread.target, thread])).values()];
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
  const changes = await library.documentsSince(owner, paths.revision, mostChanges, { contents: false });
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
  for (const [id, { path, changed }] of byId) documents.push(mentionable("document", id, path, changed));
  return [...documents, ...foldersAmong([...byId.values()])];
}

/** The newest threads whose title has the longest word of a name; the one with this id alone. */
async function threadsLike(library: LibraryStore, owner: string, name: string): Promise<Mentionable[]> {
  const byId = name.startsWith("thr-") ? await library.thread(owner, name) : undefined;
  const words = foldName(name).split("-");
  const query = words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  const { threads } = byId
    ? { threads: [byId] }
    : await library.threads(owner, { ...(query !== "" && { query }), limit: pageSize });
  return threads.map(({ id, title, changed }) => mentionable("thread", id, title, changed));
}
