import type { Item } from "../../../item.ts";
import type { LinkedItem, LinkMeanings, StoredMention } from "../../links/link-reading.ts";
import type { Definition } from "../../scope/definitions.ts";
import type { ModulePaths } from "../../scope/modules.ts";
import type { Matrix } from "../../search/matrix.ts";
import { type Recent, recentMap } from "../../search/recent-map.ts";
import type { FileOutline, Scope } from "../../store.ts";
import type { ReadVectors } from "../search/model-vectors.ts";
import type { Searchable } from "../search/searchable.ts";
import type { Database } from "./driver.ts";
import { createNameTables } from "./schema.ts";

export type Owner = {
  id: number;
  revision: number;
  /** 1 when items and files are searched by name, also misspelt. */
  named: number;
  unit_count: number;
  unit_length: number;
  file_count: number;
  file_length: number;
};

/** The owner's row, or undefined for one who never wrote. */
export function findOwner(database: Database, name: string): Owner | undefined {
  return database.get<Owner>(
    "SELECT id, revision, named, unit_count, unit_length, file_count, file_length FROM owners WHERE name = ?",
    [name],
  );
}

/** Only files and their items are searched by name; an index of fifty thousand commit subjects would cost much for nothing. */
const namedShelf = "files/";

/** The owner's row, created when missing. Inside a write transaction. */
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
  signatures: Map<string, string[]>;
  meanings: LinkMeanings;
};

/** A byte for each item number, 1 for those that are meant. */
export type TestsApart = { tests: Uint8Array; others: Uint8Array };

/** Data derived from an owner's rows, valid until the next revision. */
export type OwnerCache = {
  revision: number;
  paths?: { id: number; path: string }[];
  /** File numbers that match a list of globs, as JSON, by the list. */
  globs: Map<string, string>;
  /** Item numbers that pass a filter, by the filter as JSON. */
  passing: Map<string, Uint8Array>;
  testsApart?: TestsApart;
  matrices: Map<number, Matrix>;
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
/** Items whose links were asked for, some two hundred bytes each. */
const rememberedLinked = 5_000;

/** An opened store's connection with its caches. */
export type StoreSession = { database: Database; caches: Map<number, OwnerCache>; models: Map<number, ReadVectors> };

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
      signatures: new Map(),
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
    // As one value: thousands of rows take a third of the time.
    const { rows } = session.database.get<{ rows: string }>(
      "SELECT json_group_array(json_array(id, path)) AS rows FROM (SELECT id, path FROM files WHERE owner = ? ORDER BY path)",
      [owner.id],
    )!;
    cache.paths = (JSON.parse(rows) as [number, string][]).map(([id, path]) => ({ id, path }));
  }
  return cache.paths;
}
