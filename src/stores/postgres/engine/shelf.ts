import type { ImportStatement, Item } from "../../../item.ts";
import type { LinkedItem, LinkMeanings, MentionOfItem, StoredMention } from "../../links/link-reading.ts";
import type { Definition } from "../../scope/definitions.ts";
import type { ModulePaths } from "../../scope/modules.ts";
import type { Matrix } from "../../search/matrix.ts";
import { type Recent, recentMap } from "../../search/recent-map.ts";
import type { FileOutline, Scope, Shelf } from "../../store.ts";
import type { SearchablePostings } from "../search/searchable.ts";
import type { PostgresSession } from "./session/session.ts";

/** Stored numbers: never change one, only add. */
export const shelfCodes: Record<Shelf, number> = {
  files: 0,
  memory: 1,
  experience: 2,
  value: 3,
  commit: 4,
  note: 5,
  message: 6,
  document: 7,
};

/** Only files and their items are searched by name. */
export function isNamed(shelf: number): boolean {
  return shelf === shelfCodes.files;
}

/** A shelf's row at one moment. */
export type ShelfState = {
  shelf: number;
  revision: number;
  notes: number;
  unit_count: number;
  unit_length: number;
  file_count: number;
  file_length: number;
};

/** Data derived from a shelf's rows, valid until its next revision. */
export type ShelfCache = {
  revision: number;
  paths?: { id: number; path: string }[];
  /** Where names are found by their trigrams. */
  trigrams?: SearchablePostings;
  /** File numbers that match a list of globs, by the list. */
  globs: Map<string, number[]>;
  /** Item numbers that pass a filter, by the filter as JSON. */
  passing: Map<string, Uint8Array>;
  matrices: Map<number, Matrix>;
  items: Map<number, Item>;
  itemsByKey: Map<string, Item>;
  /** Item numbers by key. */
  numbers: Recent<string, number>;
  outlines: Map<string, FileOutline>;
  /** Whole-file items with their packed terms, by path; undefined for a path without one. */
  wholeFiles: Map<string, { item: Item; terms: Uint8Array } | undefined>;
  searchables: Map<Scope, SearchablePostings>;
  /** Packed term vectors by item id; undefined for an item without one. */
  vectors: Map<Scope, Map<string, Uint8Array | undefined>>;
  links: LinkCache;
};

/** Rows for resolving links, by their look-up keys. */
export type LinkCache = {
  modules?: ModulePaths;
  /** Items whose links were requested, by id; undefined for a missing one. */
  linked: Map<string, LinkedItem | undefined>;
  mentionsIn: Map<string, StoredMention[]>;
  mentionsOf: Map<string, MentionOfItem[]>;
  children: Map<string, string[]>;
  existing: Map<string, string[]>;
  definitions: Map<string, Definition[]>;
  fields: Map<string, Definition[]>;
  imports: Map<string, ImportStatement[]>;
  bases: Map<string, string[]>;
  wholeFiles: Map<string, string[]>;
  meanings: LinkMeanings;
};

const rememberedShelves = 64;
const rememberedNumbers = 20_000;
const rememberedNotes = 256;

/**
 * How long the revisions of an owner's shelves stay valid, milliseconds: a question asks the store some seventy times
 * within a tenth of a second. Every read of rows checks them anyway, and writes of this process are seen at once.
 */
const trusted = 200;

const stateColumns = "shelf, revision, notes, unit_count, unit_length, file_count, file_length";
const readStates = `SELECT ${stateColumns} FROM shelves WHERE owner = $1`;

type States = { at: number; shelves: ReadonlyMap<number, ShelfState> };

/** The caches of a store over a session, for all owners and shelves. */
export class StoreMemory {
  readonly session: PostgresSession;
  readonly #states = new Map<string, States>();
  readonly #asking = new Map<string, Promise<States>>();
  readonly #caches = new Map<string, ShelfCache>();
  /** When the cached revisions of an owner were last invalidated, and of all. */
  readonly #forgotten = new Map<string, number>();
  #allForgotten = 0;
  readonly #notes = new Map<string, { written: number; value: Uint8Array | undefined }>();

  constructor(session: PostgresSession) {
    this.session = session;
  }

  /** The shelf's row, read now or moments ago; undefined for one that was never written to. `now`: read now. */
  async state(owner: string, shelf: number, now = false): Promise<ShelfState | undefined> {
    const cached = this.#states.get(owner);
    const states = cached && !now && performance.now() - cached.at < trusted ? cached : await this.#ask(owner);
    return states.shelves.get(shelf);
  }

  /** Calls in one turn of the event loop share an answer. */
  #ask(owner: string): Promise<States> {
    let asking = this.#asking.get(owner);
    if (!asking) {
      const at = performance.now();
      setImmediate(() => this.#asking.delete(owner));
      asking = this.session
        .of(owner)
        .all<ShelfState>(readStates)
        .then((rows) => this.#keep(owner, at, rows));
      this.#asking.set(owner, asking);
    }
    return asking;
  }

  #keep(owner: string, at: number, rows: ShelfState[]): States {
    const states = { at, shelves: new Map(rows.map((row) => [row.shelf, row])) };
    if (at < Math.max(this.#allForgotten, this.#forgotten.get(owner) ?? 0)) return states;
    if ((this.#states.get(owner)?.at ?? 0) <= at) this.#states.set(owner, states);
    if (this.#states.size > rememberedShelves * 16) this.#states.clear();
    return states;
  }

  /**
   * After a write: the revisions are read again, and earlier pending answers are not cached. Without an owner, for all.
   */
  forget(owner?: string): void {
    const now = performance.now();
    if (owner === undefined || this.#forgotten.size >= rememberedShelves * 16) {
      this.#forgotten.clear();
      this.#allForgotten = now;
      this.#states.clear();
      this.#asking.clear();
    } else {
      this.#forgotten.set(owner, now);
      this.#states.delete(owner);
      this.#asking.delete(owner);
    }
  }

  /**
   * A consistent read: `work` gets a view of the shelf at its revision, and is repeated when its rows turn out to be of
   * a later one. `none` for a shelf that was never written to.
   */
  async reading<Result>(
    owner: string,
    shelf: number,
    none: Result,
    work: (view: ShelfView) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      const state = await this.state(owner, shelf, attempt > 0);
      if (!state) return none;
      try {
        return await work(new ShelfView(this, owner, state));
      } catch (error) {
        if (!(error instanceof Overtaken) || attempt === mostAttempts) throw error;
      }
    }
  }

  /** Rows of a shelf, with its state after they were read. */
  async rows<Row>(owner: string, sql: string, values: readonly unknown[]): Promise<{ rows: Row[]; states: States }> {
    const at = performance.now();
    const queries = this.session.of(owner);
    // Sent together and run in this order: rows of a later revision come with a later state.
    const [rows, states] = await Promise.all([queries.all<Row>(sql, values), queries.all<ShelfState>(readStates)]);
    return { rows, states: this.#keep(owner, at, states) };
  }

  cacheOf(owner: string, { shelf, revision }: ShelfState): ShelfCache {
    const key = `${shelf} ${owner}`;
    const cached = this.#caches.get(key);
    if (cached?.revision === revision) return cached;
    if (!cached && this.#caches.size >= rememberedShelves) this.#caches.clear();
    const cache = emptyCache(revision);
    // A read that began before a write must not replace a newer cache.
    if (!cached || cached.revision < revision) this.#caches.set(key, cache);
    return cache;
  }

  /** The metadata of a key, as of the shelf's count of metadata writes. */
  async note(owner: string, state: ShelfState, key: string): Promise<Uint8Array | undefined> {
    const name = `${state.shelf} ${owner} ${key}`;
    const cached = this.#notes.get(name);
    if (cached?.written === state.notes) return cached.value;
    const { rows, states } = await this.rows<{ value: Uint8Array }>(
      owner,
      "SELECT value FROM notes WHERE owner = $1 AND shelf = $2 AND key = $3",
      [state.shelf, key],
    );
    const value = rows[0]?.value;
    if (states.shelves.get(state.shelf)?.notes === state.notes) {
      if (this.#notes.size >= rememberedNotes) this.#notes.clear();
      this.#notes.set(name, { written: state.notes, value });
    }
    return value;
  }

  clear(): void {
    this.#states.clear();
    this.#caches.clear();
    this.#notes.clear();
  }
}

/** Limit of repetitions of a read because of other writers; each time it sees what they wrote. */
const mostAttempts = 20;

/** Rows came from a later revision than the view's. */
class Overtaken extends Error {}

/** One shelf of one owner at one revision. */
export class ShelfView {
  readonly memory: StoreMemory;
  readonly owner: string;
  readonly state: ShelfState;
  readonly shelf: number;
  readonly cache: ShelfCache;

  constructor(memory: StoreMemory, owner: string, state: ShelfState) {
    this.memory = memory;
    this.owner = owner;
    this.state = state;
    this.shelf = state.shelf;
    this.cache = memory.cacheOf(owner, state);
  }

  /** Rows of a statement whose $1 is the owner and $2 the shelf; `values` are $3 and so on. */
  async all<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows, states } = await this.memory.rows<Row>(this.owner, sql, [this.shelf, ...values]);
    if (states.shelves.get(this.shelf)?.revision !== this.state.revision) throw new Overtaken();
    return rows;
  }

  async get<Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, values))[0];
  }
}

function emptyCache(revision: number): ShelfCache {
  return {
    revision,
    globs: new Map(),
    passing: new Map(),
    matrices: new Map(),
    items: new Map(),
    itemsByKey: new Map(),
    numbers: recentMap(rememberedNumbers),
    outlines: new Map(),
    wholeFiles: new Map(),
    searchables: new Map(),
    vectors: new Map(),
    links: {
      linked: new Map(),
      mentionsIn: new Map(),
      mentionsOf: new Map(),
      children: new Map(),
      existing: new Map(),
      definitions: new Map(),
      fields: new Map(),
      imports: new Map(),
      bases: new Map(),
      wholeFiles: new Map(),
      meanings: { targets: new Map(), bindings: new Map() },
    },
  };
}
