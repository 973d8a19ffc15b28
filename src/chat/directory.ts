import type { DocumentInfo, LibraryStore } from "../stores/library.ts";
import { foldersAmong, type Mentionable, mentionable } from "./complete.ts";
import { nameOf } from "./paths.ts";

/** An owner's documents by every name that a mention may use. Kept current by the library's revision. */
export type Directory = {
  revision: number;
  /** By id, those that are not deleted. */
  documents: ReadonlyMap<string, Place>;
  /** Ids by path in lower case, by base name in lower case, and by base name without its ending. */
  byPath: ReadonlyMap<string, ReadonlySet<string>>;
  byName: ReadonlyMap<string, ReadonlySet<string>>;
};

type Place = Pick<DocumentInfo, "path" | "changed">;
type Names = Map<string, Set<string>>;
type Opened = Directory & { documents: Map<string, Place>; byPath: Names; byName: Names };

const opened = new WeakMap<LibraryStore, Map<string, Promise<Opened>>>();
/** A server may have many owners; each thousand documents takes some 400 KB. */
const mostOpened = 64;
const pageSize = 5000;
/** After more changes than this the directory is read anew instead of patched. */
const mostFollowed = 100;

export async function directoryOf(library: LibraryStore, owner: string): Promise<Directory> {
  const owners = opened.get(library) ?? new Map<string, Promise<Opened>>();
  opened.set(library, owners);
  const now = follow(library, owner, owners.get(owner));
  // LRU eviction: the map keeps insertion order, so the least recently used owner is first.
  owners.delete(owner);
  owners.set(owner, now);
  if (owners.size > mostOpened) owners.delete(owners.keys().next().value!);
  try {
    return await now;
  } catch (error) {
    if (owners.get(owner) === now) owners.delete(owner);
    throw error;
  }
}

async function follow(library: LibraryStore, owner: string, before: Promise<Opened> | undefined): Promise<Opened> {
  // A failure of the earlier read was thrown to the caller that waited for it.
  const cached = await before?.catch(() => undefined);
  const revision = await library.revision(owner);
  if (cached?.revision === revision) return cached;
  if (!cached || cached.revision > revision) return readDirectory(library, owner, revision);
  const changes = await library.documentsSince(owner, cached.revision, mostFollowed, { contents: false });
  if (changes.length === mostFollowed) return readDirectory(library, owner, revision);
  for (const { info } of changes) {
    remove(cached, info.id);
    if (info.deleted === undefined) add(cached, info);
  }
  // The revision also grows with messages; without changed documents the cached mentionables stay valid.
  if (changes.length > 0) mentionables.delete(cached);
  // This revision was read before the changes, so that none is missed.
  cached.revision = revision;
  return cached;
}

async function readDirectory(library: LibraryStore, owner: string, revision: number): Promise<Opened> {
  const directory: Opened = { revision, documents: new Map(), byPath: new Map(), byName: new Map() };
  for (let offset = 0; ; offset += pageSize) {
    const { documents } = await library.documents(owner, { order: "path", limit: pageSize, offset });
    for (const info of documents) add(directory, info);
    if (documents.length < pageSize) return directory;
  }
}

function add({ documents, byPath, byName }: Opened, { id, path, changed }: DocumentInfo): void {
  documents.set(id, { path, changed });
  addName(byPath, path.toLowerCase(), id);
  for (const name of namesOf(path)) addName(byName, name, id);
}

function remove({ documents, byPath, byName }: Opened, id: string): void {
  const path = documents.get(id)?.path;
  if (path === undefined) return;
  documents.delete(id);
  removeName(byPath, path.toLowerCase(), id);
  for (const name of namesOf(path)) removeName(byName, name, id);
}

/** `setup.md` and `setup`. */
function namesOf(path: string): string[] {
  const base = nameOf(path).toLowerCase();
  const stem = stemOf(base);
  return stem === base ? [base] : [base, stem];
}

export function stemOf(base: string): string {
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}

function addName(names: Names, name: string, id: string): void {
  const ids = names.get(name);
  if (ids) ids.add(id);
  else names.set(name, new Set([id]));
}

function removeName(names: Names, name: string, id: string): void {
  const ids = names.get(name);
  ids?.delete(id);
  if (ids?.size === 0) names.delete(name);
}

const mentionables = new WeakMap<Directory, Mentionable[]>();

/** The documents and their folders as targets of mentions. */
export function mentionableIn(directory: Directory): Mentionable[] {
  let all = mentionables.get(directory);
  if (!all) {
    const documents = [...directory.documents].map(([id, { path, changed }]) =>
      mentionable("document", id, path, changed),
    );
    all = [...documents, ...foldersAmong([...directory.documents.values()])];
    mentionables.set(directory, all);
  }
  return all;
}
