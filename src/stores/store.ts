import type { ImportStatement, Item, Kind, Link, LinkKind, Role, SourceName } from "../item.ts";
import type { BundleStore } from "./bundles.ts";
import type { CommitStore } from "./commits.ts";
import type { GraphStore } from "./graph.ts";
import type { ModelVectorStore } from "./model-vectors.ts";

/**
 * Where items live. One contract, one case suite (`store.cases.ts`), every engine.
 * The owner is an argument of every call: one owner never sees another's items.
 * Every method is asynchronous so that an engine may be a server.
 */
export type Store = {
  /**
   * The same store with another shelf. Items are ranked among their like, so each shelf has its own statistics,
   * vectors, metadata and revision; nothing on one is visible from another. A store is opened at `files`.
   */
  shelf(name: Shelf): Store;
  /** The commits behind the items on the shelf `commit`. */
  readonly commits: CommitStore;
  /** The notes behind the items on the shelf `note`, and how they are connected. */
  readonly graph: GraphStore;
  /** Bundles of what was sent in answers, so that it is not sent again. */
  readonly bundles: BundleStore;

  /** Vectors of language models for the items on this shelf. */
  readonly modelVectors: ModelVectorStore;

  /**
   * Grows by one with every committed `write` or `writeVectors` of this owner, from any process; caches are keyed by
   * it.
   */
  revision(owner: string): Promise<number>;

  /**
   * Replaces everything these files contributed and removes those in `removed`, in one transaction. An item's path is
   * its file's, a link starts at an item of its file, and of a repeated id or path the last counts.
   */
  write(owner: string, change: StoreChange): Promise<void>;

  /** The state of every indexed file, without text, to compare with a listing. */
  files(owner: string): Promise<FileState[]>;
  /** Stored text and import statements of one file. */
  file(owner: string, path: string): Promise<StoredFile | undefined>;

  /** Items are shared and frozen: copy one to change it. */
  /** What printing needs of files besides their text, without reading it; paths that are not indexed are absent. */
  outlines(owner: string, paths: string[]): Promise<Map<string, FileOutline>>;

  items(owner: string, ids: string[]): Promise<Item[]>;
  /** Items of one file in line order. */
  itemsOf(owner: string, path: string): Promise<Item[]>;
  /** Items whose id starts with the prefix, for citations; at most `limit`. */
  itemsByPrefix(owner: string, prefix: string, limit: number): Promise<Item[]>;
  /** Ids that start with one of these prefixes, where more than one does; at most some dozen for each. */
  sharedPrefixes(owner: string, prefixes: string[]): Promise<string[]>;

  /** BM25 over analysed terms (already stemmed, see text/analyse). First phase: brings candidates, best first. */
  searchText(owner: string, search: TextSearch): Promise<Hit[]>;
  /**
   * Items of the shelf `files` by name: exact (case-insensitive), suffix of the qualified name (`Outer.inner`), or
   * fuzzy by trigrams.
   */
  searchNames(owner: string, search: NameSearch): Promise<Hit[]>;
  /** Whole files by path: exact, suffix (`views/base.py`), or fuzzy by trigrams. */
  searchPaths(owner: string, search: NameSearch): Promise<Hit[]>;
  /** Nearest vectors by dot product, exact. Vectors are int8, see embed/embedder. */
  searchVectors(owner: string, search: VectorSearch): Promise<Hit[]>;

  /** Item count, mean length in terms and document frequencies, by scope, for BM25. */
  termStatistics(owner: string, scope: Scope, terms: string[]): Promise<TermStatistics>;
  /** Packed term vectors (text/terms) by id; ids without one are absent. */
  terms(owner: string, scope: Scope, ids: string[]): Promise<Map<string, Uint8Array>>;
  /**
   * The whole-file items of these paths with their packed `file` term vectors; paths that are not indexed are absent.
   */
  wholeFiles(owner: string, paths: string[]): Promise<Map<string, { item: Item; terms: Uint8Array }>>;
  /** Every packed term vector of a scope, in batches: for training the built-in embedder. */
  allTerms(owner: string, scope: Scope): AsyncIterable<{ id: string; terms: Uint8Array }[]>;

  /**
   * Links leaving (`from`) or reaching (`to`) these items. Targets given by name are resolved to items where one is
   * defined.
   */
  links(
    owner: string,
    ids: string[],
    direction: "from" | "to",
    kinds?: LinkKind[],
    limit?: number,
  ): Promise<ResolvedLink[]>;
  /**
   * What names in an item mean, resolved as its links are, fields among them: ids by name, none where a name means
   * nothing there. Names are written as in the source, after their receiver (`Limits.largest`).
   */
  meanings(owner: string, id: string, names: string[]): Promise<Map<string, string[]>>;

  /** True where an item that is written with the same terms and without a vector keeps its vector. */
  keepsVectors?: true;
  /** Replaces the vectors of these items; used after training. */
  writeVectors(owner: string, vectors: Map<string, Int8Array>): Promise<void>;

  /** Small named values (embedder model, last indexing, schema facts). */
  metadata(owner: string, key: string): Promise<Uint8Array | undefined>;
  writeMetadata(owner: string, key: string, value: Uint8Array): Promise<void>;

  statistics(owner: string): Promise<StoreStatistics>;
  /** Throws `store-damaged` when the database fails its own integrity check. */
  check(): Promise<void>;
  /** Rewrites the database, so that no byte of removed data is left on disk. Slow for a large one. */
  compact(): Promise<void>;
  close(): Promise<void>;
};

export const shelves = ["files", "memory", "experience", "value", "commit", "note", "message", "document"] as const;
export type Shelf = (typeof shelves)[number];

/** The shelf of an item with this id: ids begin with their source. */
export function shelfOfId(id: string): Shelf {
  const prefixes: Record<string, Shelf> = {
    mem: "memory",
    exp: "experience",
    val: "value",
    com: "commit",
    not: "note",
    msg: "message",
    thr: "message",
    chk: "document",
  };
  return prefixes[id.slice(0, 3)] ?? "files";
}

/**
 * `unit`: an item's own text (a class without its methods). `file`: the whole file, of items that are whole files only.
 */
export type Scope = "unit" | "file";

export type FileState = { path: string; hash: string; size: number; modified: number; items: number; role?: Role };
export type StoredFile = FileState & { text: string; language?: string; imports: ImportStatement[] };

/** `spans`: first and last line and name of every unit of the file, except fields. */
export type FileOutline = {
  hash: string;
  imports: ImportStatement[];
  spans: [startLine: number, endLine: number, name: string][];
};

/** The analysed text of one item in one scope: its packed terms (text/terms) and how many there are. */
export type ItemTerms = { terms: Uint8Array; length: number };

export type IndexedItem = {
  item: Item;
  /** Absent for items that are found by name or place only: they count in no statistics and have no vector. */
  unit?: ItemTerms;
  file?: ItemTerms;
  vector?: Int8Array;
};

/** A text or list packed as stores keep it (written-files), and its number of characters or entries. */
export type PackedText = { packed: Uint8Array; length: number };

export type IndexedFile = {
  path: string;
  hash: string;
  size: number;
  /** Modification time, milliseconds. */
  modified: number;
  language?: string;
  /** Its items have it, too. */
  role?: Role;
  text: string | PackedText;
  /** Packed: their JSON. */
  imports: ImportStatement[] | PackedText;
  items: IndexedItem[];
  links: Link[];
};

export type StoreChange = {
  files: IndexedFile[];
  removed: string[];
  /** Files whose content is as indexed but whose size or time on disk differ from the record. */
  touched?: { path: string; size: number; modified: number }[];
  /** Files with another role now, or none, because their neighbours changed. */
  roles?: { path: string; role?: Role }[];
};

export type Filter = {
  /** Only these items. */
  ids?: string[];
  sources?: SourceName[];
  kinds?: Kind[];
  languages?: string[];
  /** Globs relative to the root; a leading `!` excludes. */
  paths?: string[];
  /** Only items of these files, by their exact paths. */
  files?: string[];
  /** Only test code (true) or no test code (false); see `Item.test`. */
  tests?: boolean;
};

export type WeightedTerm = { term: string; weight: number };
export type TextSearch = { scope: Scope; terms: WeightedTerm[]; limit: number; filter?: Filter };
export type NameSearch = { text: string; mode: "exact" | "suffix" | "fuzzy"; limit: number; filter?: Filter };
export type VectorSearch = { vector: Int8Array; limit: number; filter?: Filter };

/** `score`: higher is better, on the strategy's own scale. */
export type Hit = { item: Item; score: number };

/** `texts`: as the source writes it, for links by name (see sources/code/receivers.ts), in order. */
export type ResolvedLink = { from: string; to: string; kind: LinkKind; texts?: string[] };
export type TermStatistics = { count: number; averageLength: number; frequencies: Map<string, number> };
export type StoreStatistics = {
  engine: string;
  bytes: number;
  files: number;
  items: number;
  links: number;
  vectors: number;
  textBytes: number;
  kinds: Record<string, number>;
  languages: Record<string, number>;
};
