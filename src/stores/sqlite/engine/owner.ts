import type { Item } from "../../../item.ts";
import type { LinkedItem, LinkMeanings, StoredMention } from "../../links/link-reading.ts";
import type { Definition } from "../../scope/definitions.ts";
import type { ModulePaths } from "../../scope/modules.ts";
import { type Recent, recentMap } from "../../search/recent-map.ts";
import type { FileOutline, Scope } from "../../store.ts";
import type { ReadVectors } from "../search/model-vectors.ts";
import type { Searchable } from "../search/searchable.ts";
import type { FileVectors } from "../search/vectors.ts";
import type { Database } from "./driver.ts";
import { createNameTables } from "./schema.ts";

export type Owner = {
  id: number;
  revision: number;
  /** 1 if items and files are searched by name, including misspelt names. */
  named: number;
  unit_count: number;
  unit_length: number;
  file_count: number;
  file_length: number;
};

/** The owner's row; undefined if the owner has never written. */
export function findOwner(database: Database, name: string): Owner | undefined {
  return database.get<Owner>(
    "SELECT id, revision, named, unit_count, unit_length, file_count, file_length FROM owners WHERE name = ?",
    [name],
  );
}

/**
 * Only files and their items are searched by name: an index of fifty thousand commit subjects is expensive and useless.
 */
const namedShelf = "files/";

/** The owner's row, created if it is missing. Requires a write transaction. */
export function ensureOwner(database: Database, name: string): Owner {
  const existing = findOwner(database, name);
  if (existing) return existing;
  database.run("INSERT INTO owners(name, named) VALUES(?, ?)", [name, name.startsWith(namedShelf) ? 1 : 0]);
  const owner = findOwner(database, name)!;
  if (owner.named) createNameTables(database, owner.id);
  return owner;
}

/** Cached rows for resolving links: mentions of an item, definitions by name, supertypes by type, and the results. */
export type LinkMemory = {
  items: Recent<string, LinkedItem>;
  mentions: Map<number, StoredMention[]>;
  definitions: Map<string, Definition[]>;
  fields: Map<string, Definition[]>;
  bases: Map<string, string[]>;
  meanings: LinkMeanings;
};

/** One byte per item number; 1 marks the items that belong to the group. */
export type TestsApart = { tests: Uint8Array; others: Uint8Array };

/** What a write changed: numbers of the files that it wrote or removed, and of the removed items. */
export type Written = { files: Set<number>; goneItems: Set<number> };

/** A write of this process, from one revision to the next. */
export type OwnWrite = Written & { owner: number; revision: number };

/**
 * Caches of an earlier revision for the whole shelf, and what was written since: only the written files are read again.
 */
type Earlier = Written & { matrices: Map<number, FileVectors>; testsApart?: TestsApart };

/** Data derived from an owner's rows, valid until the next revision. */
export type OwnerCache = {
  revision: number;
  paths?: { id: number; path: string }[];
  /** File numbers that match a list of globs, as JSON, by the list. */
  globs: Map<string, string>;
  /** Item numbers that pass a filter, by the filter as JSON. */
  passing: Map<string, Uint8Array>;
  testsApart?: TestsApart;
  matrices: Map<number, FileVectors>;
  earlier?: Earlier;
  items: Map<number, Item>;
  itemsByKey: Map<string, Item>;
  /** Item numbers by key. */
  numbers: Recent<string, number>;
  /** Numbers of whole-file items by path, null where a file has none. */
  wholes: Map<string, number | null>;
  outlines: Map<string, FileOutline>;
  searchables: Map<Scope, Searchable>;
  /** Packed term vectors by item id. */
  vectors: Map<Scope, Map<string, Uint8Array>>;
  modules?: ModulePaths;
  links: LinkMemory;
};

/** Limit of owners with a cache, each shelf counted: a server may have many. */
const rememberedOwners = 64;

const rememberedNumbers = 20_000;
/** Limit of items with cached links, some two hundred bytes each. */
const rememberedLinked = 5_000;

/** An opened store's connection with its caches, and the writes since the caches were filled. */
export type StoreSession = {
  database: Database;
  caches: Map<number, OwnerCache>;
  models: Map<number, ReadVectors>;
  writes: Map<number, Written & { from: number; to: number }>;
};

/** Above this number of written files, everything is read again. */
const mostWritten = 200;

/** Remembers a write of this process for the next `cacheOf`. */
export function noteWrite({ caches, writes }: StoreSession, { owner, revision, files, goneItems }: OwnWrite): void {
  const before = writes.get(owner);
  const isNext = before?.to === revision;
  if (!isNext && caches.get(owner)?.revision !== revision) return;
  const all = {
    from: isNext ? before.from : revision,
    to: revision + 1,
    files: union(isNext ? before.files : [], files),
    goneItems: union(isNext ? before.goneItems : [], goneItems),
  };
  if (all.files.size <= mostWritten) writes.set(owner, all);
  else writes.delete(owner);
}

function union(one: Iterable<number>, other: Iterable<number>): Set<number> {
  return new Set([...one, ...other]);
}

/** The caches of an earlier revision for the whole shelf; undefined if another process has written since. */
function earlierOf({ writes }: StoreSession, cached: OwnerCache | undefined, { id, revision }: Owner) {
  const written = writes.get(id);
  writes.delete(id);
  if (!cached || written?.from !== cached.revision || written.to !== revision) return undefined;
  const { matrices, testsApart, earlier } = cached;
  // Data that was not cached at that revision is taken from the revision before it.
  const files = union(written.files, earlier?.files ?? []);
  if (files.size > mostWritten) return undefined;
  return {
    matrices: new Map([...(earlier?.matrices ?? []), ...matrices]),
    testsApart: testsApart ?? earlier?.testsApart,
    files,
    goneItems: union(written.goneItems, earlier?.goneItems ?? []),
  };
}

/** The cache for this revision; an older one is dropped. */
export function cacheOf(session: StoreSession, owner: Owner): OwnerCache {
  const cached = session.caches.get(owner.id);
  if (cached?.revision === owner.revision) return cached;
  if (!cached && session.caches.size >= rememberedOwners) session.caches.clear();
  const cache: OwnerCache = {
    revision: owner.revision,
    globs: new Map(),
    passing: new Map(),
    matrices: new Map(),
    earlier: earlierOf(session, cached, owner),
    items: new Map(),
    itemsByKey: new Map(),
    numbers: recentMap(rememberedNumbers),
    wholes: new Map(),
    outlines: new Map(),
    searchables: new Map(),
    vectors: new Map(),
    links: {
      items: recentMap(rememberedLinked),
      mentions: new Map(),
      definitions: new Map(),
      fields: new Map(),
      bases: new Map(),
      meanings: { targets: new Map(), bindings: new Map() },
    },
  };
  session.caches.set(owner.id, cache);
  return cache;
}

/** Paths of all the owner's files, in order. */
export function pathsOf(session: StoreSession, owner: Owner): { id: number; path: string }[] {
  const cache = cacheOf(session, owner);
  if (!cache.paths) {
    // Read as one value: thousands of rows take three times as long.
    const { rows } = session.database.get<{ rows: string }>(
      "SELECT json_group_array(json_array(id, path)) AS rows FROM (SELECT id, path FROM files WHERE owner = ? ORDER BY path)",
      [owner.id],
    )!;
    cache.paths = (JSON.parse(rows) as [number, string][]).map(([id, path]) => ({ id, path }));
  }
  return cache.paths;
}
