import { setImmediate } from "node:timers/promises";
import {
  describeDocument,
  documentFormat,
  isKeptOut,
  placeOfDocument,
  stampOf,
} from "../../sources/documents/document-items.ts";
import { addWords, collectWords, forgetWords, pruneWords } from "../../sources/documents/vocabulary.ts";
import type { DocumentChange, LibraryStore } from "../../stores/library.ts";
import type { IndexedFile, Store } from "../../stores/store.ts";
import { forEachTerm } from "../../text/analysis/terms.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { byOneProcess } from "../files/build-lock.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import { clearShelf, type Following, indexedRevision, inTurn, noteRevision } from "./followed-shelf.ts";

/** Changes read at once, and characters of text written in one transaction. */
const batchSize = 500;
const batchCharacters = 2 * 1024 * 1024;
const patience = 5000;

export type DocumentsOptions = {
  signal?: AbortSignal;
  /** Milliseconds to wait for another process that indexes the documents. */
  patience?: number;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/**
 * Brings the shelf of documents up to date with the library; the cost depends on what changed. If the work between a
 * document and its index is interrupted, the next question sees it by the revision and repairs it.
 */
export async function refreshDocuments(workspace: Workspace, options: DocumentsOptions = {}): Promise<void> {
  const { store, owner } = workspace;
  const shelf = store.shelf("document");
  const following: Following = { shelf, owner, key: "documents", format: documentFormat };
  const work = () => bringUpToDate(following, workspace, options);
  await inTurn(shelf, owner, () =>
    byOneProcess(workspace, "documents", { isCurrent: () => areDocumentsCurrent(workspace), work }, options),
  );
}

/** Whether the shelf has the current documents. The revision also grows with messages. */
export async function areDocumentsCurrent({ store, owner, library: open }: Workspace): Promise<boolean> {
  const library = await open();
  const following = { shelf: store.shelf("document"), owner, key: "documents", format: documentFormat };
  const [now, indexed] = await Promise.all([library.revision(owner), indexedRevision(following)]);
  if (indexed === undefined || indexed >= now) return indexed === now;
  return (await library.documentsSince(owner, indexed, 1, { contents: false })).length === 0;
}

async function bringUpToDate(following: Following, workspace: Workspace, options: DocumentsOptions): Promise<void> {
  const { shelf, owner } = following;
  const library = workspace.hasRecords() ? await workspace.library() : undefined;
  const [now, indexed] = await Promise.all([library ? library.revision(owner) : 0, indexedRevision(following)]);
  if (indexed === now) return;
  // A revision below the indexed one: another library has replaced the indexed one.
  const anew = indexed === undefined || indexed > now;
  if (anew) {
    await clearShelf(following);
    await patiently(patience, () => forgetWords(shelf, owner));
  }
  const run = new Run(shelf, owner, options);
  const since = anew ? 0 : indexed;
  const last = library ? await run.catchUp(library, since) : since;
  // If the revision has grown by messages alone, there is nothing to record.
  if (!anew && last === since) return;
  await run.finish();
  await noteRevision(following, last);
}

class Run {
  readonly #shelf: Store;
  readonly #owner: string;
  readonly #options: DocumentsOptions;
  readonly #changed: string[] = [];
  /** Hashes of the terms and written words seen so far: new ones become rarer and rarer. */
  readonly #met = { terms: new Set<number>(), words: new Set<string>() };
  /** Hashes of the terms that documents had before they were changed or removed. */
  readonly #left = new Set<number>();
  #done = 0;

  constructor(shelf: Store, owner: string, options: DocumentsOptions) {
    this.#shelf = shelf;
    this.#owner = owner;
    this.#options = options;
  }

  /**
   * Applies all changes after a revision; returns the last one. It ends with a read that returns no more changes: if
   * something older overwrites another process's change, that change is read again.
   */
  async catchUp(library: LibraryStore, since: number): Promise<number> {
    let last = since;
    let hashes: Map<string, string> | undefined;
    for (;;) {
      const changes = await library.documentsSince(this.#owner, last, batchSize);
      if (changes.length === 0) return last;
      // Many changes may come from an interrupted run, whose writes need no repetition.
      if (!hashes && changes.length === batchSize) {
        hashes = new Map((await this.#shelf.files(this.#owner)).map(({ path, hash }) => [path, hash]));
      }
      await this.#take(changes, hashes);
      last = changes.at(-1)!.revision;
    }
  }

  async #take(changes: DocumentChange[], hashes: ReadonlyMap<string, string> | undefined): Promise<void> {
    let files: IndexedFile[] = [];
    let removed: string[] = [];
    let characters = 0;
    const words = new Set<string>();
    const flush = async () => {
      if (files.length === 0 && removed.length === 0) return;
      await patiently(patience, () => addWords(this.#shelf, this.#owner, words));
      await this.#write(files, removed);
      files = [];
      removed = [];
      characters = 0;
      words.clear();
    };
    for (const { info, content } of changes) {
      stopIfAborted(this.#options.signal);
      // Lets a server answer other requests meanwhile.
      await setImmediate();
      const path = placeOfDocument(info.id);
      this.#done++;
      if (content === undefined || info.deleted !== undefined || isKeptOut(info.path, content)) {
        await this.#leave(path);
        removed.push(path);
      } else if (hashes?.get(path) === stampOf(info)) {
        for (const { id } of await this.#shelf.itemsOf(this.#owner, path)) this.#changed.push(id);
      } else {
        await this.#leave(path);
        const { file, texts } = describeDocument(info, content);
        files.push(file);
        file.items.forEach(({ unit }, i) => {
          if (unit && this.#meetsNew(unit.terms)) collectWords(`${info.path}\n${texts[i]}`, words, this.#met.words);
        });
        for (const { item } of file.items) this.#changed.push(item.id);
        characters += content.length;
      }
      if (characters >= batchCharacters) await flush();
    }
    await flush();
    this.#options.progress?.({ stage: "documents", done: this.#done });
  }

  #meetsNew(terms: Uint8Array): boolean {
    const before = this.#met.terms.size;
    forEachTerm(terms, (hash) => this.#met.terms.add(hash));
    return this.#met.terms.size > before;
  }

  /** Records the terms of a document as the index has them, before it is written. */
  async #leave(path: string): Promise<void> {
    const ids = (await this.#shelf.itemsOf(this.#owner, path)).map(({ id }) => id);
    if (ids.length === 0) return;
    for (const terms of (await this.#shelf.terms(this.#owner, "unit", ids)).values()) {
      forEachTerm(terms, (hash) => this.#left.add(hash));
    }
  }

  async #write(files: IndexedFile[], removed: string[]): Promise<void> {
    await patiently(patience, () => this.#shelf.write(this.#owner, { files, removed }));
  }

  /** Updates what is derived from all documents together. */
  async finish(): Promise<void> {
    await patiently(patience, () => pruneWords(this.#shelf, this.#owner, this.#left));
    if (this.#changed.length === 0) return;
    const { updateVectors } = await import("../../embed/builtin.ts");
    const { count } = await this.#shelf.termStatistics(this.#owner, "unit", []);
    const { signal } = this.#options;
    await updateVectors(this.#shelf, this.#owner, { changedIds: this.#changed, total: count }, { signal });
  }
}
