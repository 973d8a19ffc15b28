import type { BuiltinEmbedder } from "../../embed/builtin.ts";
import {
  commitItem,
  commitItemId,
  commitPage,
  isEvidence,
  pageSize,
  shaOfItem,
} from "../../sources/commits/commit-items.ts";
import type { Commit } from "../../stores/commits.ts";
import type { IndexedFile, IndexedItem, Store } from "../../stores/store.ts";
import { collectGarbage } from "../files/collect-garbage.ts";
import { patiently } from "../files/writer.ts";

/** Commits per transaction. */
const batchItems = 600;
/**
 * Limits of a transaction: commits, touched files and characters. A path is written again for each commit that touches
 * it.
 */
const batchCommits = 3000;
const batchFiles = 20_000;
const batchCharacters = 4 * 1024 * 1024;
/** Number of commits between two garbage collections; a run of a few commits needs none. */
const garbageEvery = 1500;

export type HistoryWriterOptions = {
  store: Store;
  owner: string;
  patience: number;
  /** The embedder that made the shelf's vectors; new pages get their vectors at once. */
  embedder?: BuiltinEmbedder;
  /** Stored commits that are to be written again. */
  replaced?: string[];
};

/**
 * Writes commits: first the searchable items, then the printed fields and counts, so that a stored commit can always be
 * found. Commits are grouped in pages, and a page is written as a whole: the neighbours of a removed commit are written
 * again with new ones.
 */
export class HistoryWriter {
  readonly #options: HistoryWriterOptions;
  readonly #shelf: Store;
  readonly #replaced: Set<string>;
  /** Commits are described as they arrive, while git continues. */
  #items: IndexedItem[] = [];
  #commits: Commit[] = [];
  #files = 0;
  #characters = 0;
  /** Commits since the last garbage collection. */
  #written = 0;
  /** Commits and pages that the next write removes, and the commits of these pages that stay. */
  #leaving: string[] = [];
  #pages: string[] = [];
  #staying: IndexedItem[] = [];
  /** The shelf's revision when it was last read. */
  #revision: number | undefined;
  /** All stored commits; undefined until another process has written too. */
  #storedShas: Set<string> | undefined;

  constructor(options: HistoryWriterOptions) {
    this.#options = options;
    this.#shelf = options.store.shelf("commit");
    this.#replaced = new Set(options.replaced);
  }

  /** Plans the removal of these commits; the others on their pages stay. */
  async remove(shas: string[]): Promise<void> {
    const { owner } = this.#options;
    await this.#lookForOthers();
    this.#leaving = this.#leaving.concat(shas);
    const items = await this.#shelf.items(owner, shas.map(commitItemId));
    for (const page of new Set(items.map(({ path }) => path))) await this.#open(page);
  }

  /**
   * Plans to fill a page that has room for this many commits, so that single commits do not each get their own page.
   */
  async joinPage(adding: number): Promise<void> {
    if (adding === 0 || this.#pages.length > 0) return;
    await this.#lookForOthers();
    const pages = await this.#shelf.files(this.#options.owner);
    const smallest = pages.sort((a, b) => a.items - b.items)[0];
    if (smallest && smallest.items + adding <= pageSize) await this.#open(smallest.path);
  }

  async #open(page: string): Promise<void> {
    const { store, owner } = this.#options;
    const leaving = new Set(this.#leaving);
    const shas = (await this.#shelf.itemsOf(owner, page)).map(({ id }) => shaOfItem(id));
    const staying = shas.filter((sha) => !leaving.has(sha));
    this.#pages.push(page);
    this.#staying.push(...(await store.commits.get(owner, staying)).map(commitItem));
  }

  /** Takes one commit, newest first; resolves when there is room for the next. */
  async add(commit: Commit): Promise<void> {
    if (this.#items.length >= batchItems) await this.#writePages();
    const count = this.#commits.length;
    const isFull = count >= batchCommits || this.#files >= batchFiles || this.#characters >= batchCharacters;
    // Commits of the same time are written together: their order within one write decides which is newer.
    const isApart = this.#commits.at(-1)?.time !== commit.time || count >= 2 * batchCommits;
    if (isFull && isApart) await this.flush();
    if (this.#storedShas?.has(commit.sha) && !this.#replaced.has(commit.sha)) return;
    if (isEvidence(commit)) this.#items.push(commitItem(commit));
    this.#commits.push(commit);
    this.#files += commit.files.length;
    this.#characters += commit.message.length;
  }

  async flush(): Promise<void> {
    const { store, owner, patience } = this.#options;
    await this.#writePages();
    const change = { added: this.#commits, removed: this.#leaving };
    this.#commits = [];
    this.#leaving = [];
    this.#files = this.#characters = 0;
    if (change.added.length + change.removed.length === 0) return;
    await patiently(patience, () => store.commits.write(owner, change));
    this.#written += change.added.length;
    if (this.#written < garbageEvery) return;
    collectGarbage();
    this.#written = 0;
  }

  async #writePages(): Promise<void> {
    const { owner, patience } = this.#options;
    await this.#lookForOthers();
    // Another process may have removed commits that were to stay.
    const staying = this.#staying.filter(({ item }) => this.#storedShas?.has(shaOfItem(item.id)) ?? true);
    const files = await this.#pagesOf([...this.#items, ...staying]);
    const removed = this.#pages;
    this.#items = [];
    this.#staying = [];
    this.#pages = [];
    if (files.length + removed.length === 0) return;
    await patiently(patience, () => this.#shelf.write(owner, { files, removed }));
    this.#revision!++;
  }

  async #pagesOf(commits: IndexedItem[]): Promise<IndexedFile[]> {
    const pages: IndexedFile[] = [];
    for (let from = 0; from < commits.length; from += pageSize) {
      const page = commitPage(commits.slice(from, from + pageSize));
      const embeddable = page.items.map(({ unit }) => ({ terms: unit!.terms, text: "" }));
      const vectors = await this.#options.embedder?.embedItems(embeddable);
      if (vectors) page.items = page.items.map((indexed, i) => ({ ...indexed, vector: vectors[i]! }));
      pages.push(page);
    }
    return pages;
  }

  /** Another process may index the same history: its commits are not written again. */
  async #lookForOthers(): Promise<void> {
    const { store, owner } = this.#options;
    const revision = await this.#shelf.revision(owner);
    if (this.#revision !== undefined && revision !== this.#revision) {
      this.#storedShas = new Set(await store.commits.shas(owner));
    }
    this.#revision = revision;
  }
}
