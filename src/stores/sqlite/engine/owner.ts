import type { Item } from "../../../item.ts";
import type { LinkMeanings, StoredMention } from "../../links/link-reading.ts";
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
  /** 1 when items and files are found by their names, also misspelt. */
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

/** Only files and what is in them are asked for by name; an index of fifty thousand commits' subjects would cost much for nothing. */
const namedShelf = "files/";

/** The owner's row, made when it is missing. Inside a write transaction. */
export function ensureOwner(database: Database, name: string): Owner {
  const known = findOwner(database, name);
  if (known) return known;
  database.run("INSERT INTO owners(name, named) VALUES(?, ?)", [name, name.startsWith(namedShelf) ? 1 : 0]);
  const owner = findOwner(database, name)!;
  if (owner.named) createNameTables(database, owner.id);
  return owner;
}

/** What links were found to mean: what an item mentions, definitions by name, bases by type, and what follows from them. */
export type LinkMemory = {
  mentions: Map<number, StoredMention[]>;
  definitions: Map<string, Definition[]>;
  bases: Map<string, string[]>;
  meanings: LinkMeanings;
};

/** What is derived from an owner's rows and kept until the next revision. */
export type OwnerCache = {
  revision: number;
  paths?: { id: number; path: string }[];
  /** File numbers that a list of globs allows, as JSON, by the list. */
  globs: Map<string, string>;
  /** Item numbers that a filter lets pass, by the filter as JSON. */
  passing: Map<string, Uint8Array>;
  matrices: Map<number, Matrix>;
  items: Map<number, Item>;
  itemsByKey: Map<string, Item>;
  /** Item numbers by key. */
  numbers: Recent<string, number>;
  outlines: Map<string, FileOutline>;
  searchables: Map<Scope, Searchable>;
  /** Packed term vectors by item id. */
  vectors: Map<Scope, Map<string, Uint8Array>>;
  modules?: ModulePaths;
  links: LinkMemory;
};

/** Owners remembered at once, each shelf of theirs counted: a server may have many. */
const rememberedOwners = 64;

const rememberedNumbers = 20_000;

/** An opened store's connection with what it remembers. */
export type StoreSession = { database: Database; caches: Map<number, OwnerCache>; models: Map<number, ReadVectors> };

/** The cache for this revision; an older one is dropped. */
export function cacheOf(session: StoreSession, owner: Owner): OwnerCache {
  const known = session.caches.get(owner.id);
  if (known?.revision === owner.revision) return known;
  if (!known && session.caches.size >= rememberedOwners) session.caches.clear();
  const fresh: OwnerCache = {
    revision: owner.revision,
    globs: new Map(),
    passing: new Map(),
    matrices: new Map(),
    items: new Map(),
    itemsByKey: new Map(),
    numbers: recentMap(rememberedNumbers),
    outlines: new Map(),
    searchables: new Map(),
    vectors: new Map(),
    links: {
      mentions: new Map(),
      definitions: new Map(),
      bases: new Map(),
      meanings: { targets: new Map(), bindings: new Map() },
    },
  };
  session.caches.set(owner.id, fresh);
  return fresh;
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
