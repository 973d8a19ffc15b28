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
import { collectGarbage } from "../files/garbage.ts";
import { patiently } from "../files/writer.ts";

/** Commits on the pages of one transaction. */
const batchItems = 600;
/** Commits, files they touch and characters they say, of one transaction: a path is written again for each that touches it. */
const batchCommits = 3000;
const batchFiles = 20_000;
const batchCharacters = 4 * 1024 * 1024;
/** Commits after which memory is tidied up; single ones do not wait for that. */
const garbageEvery = 1500;

export type HistoryWriterOptions = {
  store: Store;
  owner: string;
  patience: number;
  /** Made the vectors that the shelf has; new pages get theirs at once. */
  embedder?: BuiltinEmbedder;
  /** Commits that are known, and yet are to be written. */
  replaced?: string[];
};

/**
 * Writes commits, first what is searched and then what is printed and counted: a commit that is known can always be found. Commits stand
 * on pages, and a page is written as a whole: whatever stands beside a commit that goes is written again with those that come.
 */
export class HistoryWriter {
  readonly #options: HistoryWriterOptions;
  readonly #shelf: Store;
  readonly #replaced: Set<string>;
  /** Described as they come: meanwhile git goes on. */
  #items: IndexedItem[] = [];
  #commits: Commit[] = [];
  #files = 0;
  #characters = 0;
  /** Commits since memory was tidied up. */
  #written = 0;
  /** Commits and pages that the next write takes from the store, and what of these pages stays. */
  #leaving: string[] = [];
  #pages: string[] = [];
  #staying: IndexedItem[] = [];
  /** The shelf's when this writer looked last. */
  #revision: number | undefined;
  /** All that is known, once another process has written too. */
  #known: Set<string> | undefined;

  constructor(options: HistoryWriterOptions) {
    this.#options = options;
    this.#shelf = options.store.shelf("commit");
    this.#replaced = new Set(options.replaced);
  }

  /** Plans to remove these commits; those that stand beside them stay. */
  async remove(shas: string[]): Promise<void> {
    const { owner } = this.#options;
    await this.#lookForOthers();
    this.#leaving = this.#leaving.concat(shas);
    const items = await this.#shelf.items(owner, shas.map(commitItemId));
    for (const page of new Set(items.map(({ path }) => path))) await this.#open(page);
  }

  /** Plans to fill up a page that has room for as many, so that single commits do not each make a page of their own. */
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
    // Commits of one time are written together: which of them is the newer is told by their order in one write.
    const isApart = this.#commits.at(-1)?.time !== commit.time || count >= 2 * batchCommits;
    if (isFull && isApart) await this.flush();
    if (this.#known?.has(commit.sha) && !this.#replaced.has(commit.sha)) return;
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
    // Another process may have taken out what was to stay.
    const staying = this.#staying.filter(({ item }) => this.#known?.has(shaOfItem(item.id)) ?? true);
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

  /** Another process may index the same history: what it wrote is not written again. */
  async #lookForOthers(): Promise<void> {
    const { store, owner } = this.#options;
    const revision = await this.#shelf.revision(owner);
    if (this.#revision !== undefined && revision !== this.#revision) {
      this.#known = new Set(await store.commits.shas(owner));
    }
    this.#revision = revision;
  }
}
