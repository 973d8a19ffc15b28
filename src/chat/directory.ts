import type { DocumentInfo, LibraryStore } from "../stores/library.ts";
import { foldersAmong, type Mentionable, mentionable } from "./complete.ts";
import { nameOf } from "./paths.ts";

/** Where an owner's documents are, by every name that somebody may call one. Follows the library by its revision. */
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
/** More changes than this are not followed one by one. */
const mostFollowed = 100;

export async function directoryOf(library: LibraryStore, owner: string): Promise<Directory> {
  const owners = opened.get(library) ?? new Map<string, Promise<Opened>>();
  opened.set(library, owners);
  const now = follow(library, owner, owners.get(owner));
  // The least recently asked for is the first to go.
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
  // A failure of the one before was thrown to whoever asked for it.
  const known = await before?.catch(() => undefined);
  const revision = await library.revision(owner);
  if (known?.revision === revision) return known;
  if (!known || known.revision > revision) return read(library, owner, revision);
  const changes = await library.documentsSince(owner, known.revision, mostFollowed, { contents: false });
  if (changes.length === mostFollowed) return read(library, owner, revision);
  for (const { info } of changes) {
    remove(known, info.id);
    if (info.deleted === undefined) add(known, info);
  }
  // The revision may have grown by messages alone: then what was made of the names is still right.
  if (changes.length > 0) mentionables.delete(known);
  // Taken before the changes were read, so that none is missed.
  known.revision = revision;
  return known;
}

async function read(library: LibraryStore, owner: string, revision: number): Promise<Opened> {
  const fresh: Opened = { revision, documents: new Map(), byPath: new Map(), byName: new Map() };
  for (let offset = 0; ; offset += pageSize) {
    const { documents } = await library.documents(owner, { order: "path", limit: pageSize, offset });
    for (const info of documents) add(fresh, info);
    if (documents.length < pageSize) return fresh;
  }
}

function add({ documents, byPath, byName }: Opened, { id, path, changed }: DocumentInfo): void {
  documents.set(id, { path, changed });
  note(byPath, path.toLowerCase(), id);
  for (const name of namesOf(path)) note(byName, name, id);
}

function remove({ documents, byPath, byName }: Opened, id: string): void {
  const path = documents.get(id)?.path;
  if (path === undefined) return;
  documents.delete(id);
  drop(byPath, path.toLowerCase(), id);
  for (const name of namesOf(path)) drop(byName, name, id);
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

function note(names: Names, name: string, id: string): void {
  const known = names.get(name);
  if (known) known.add(id);
  else names.set(name, new Set([id]));
}

function drop(names: Names, name: string, id: string): void {
  const known = names.get(name);
  known?.delete(id);
  if (known?.size === 0) names.delete(name);
}

const mentionables = new WeakMap<Directory, Mentionable[]>();

/** The documents and their folders, as a mention may mean them. */
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
