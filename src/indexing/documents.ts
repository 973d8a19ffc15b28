import { setImmediate } from "node:timers/promises";
import { describeDocument, documentFormat, isKeptOut, placeOfDocument, stampOf } from "../sources/document-items.ts";
import { addWords, collectWords, forgetWords, pruneWords } from "../sources/document-words.ts";
import type { DocumentChange, LibraryStore } from "../stores/library.ts";
import type { IndexedFile, Store } from "../stores/store.ts";
import { forEachTerm } from "../text/terms.ts";
import type { Workspace } from "../workspace.ts";
import { stopIfAborted } from "./run.ts";
import { patiently } from "./writer.ts";

const noteKey = "documents";
/** Changes read at once, and characters of text written in one transaction. */
const batchSize = 500;
const batchCharacters = 2 * 1024 * 1024;
const patience = 5000;

export type DocumentsOptions = {
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** What is going on, by shelf and owner: in one process two questions never index the same documents twice. */
const running = new WeakMap<Store, Map<string, Promise<void>>>();

/**
 * Brings the shelf of documents up to date with the library, at the cost of what changed since it last was. Whatever happens between a
 * document and its index, the next question finds them apart by the revision and repairs it.
 */
export async function refreshDocuments(workspace: Workspace, options: DocumentsOptions = {}): Promise<void> {
  const { owner } = workspace;
  const shelf = workspace.store.shelf("document");
  const owners = running.get(shelf) ?? new Map<string, Promise<void>>();
  running.set(shelf, owners);
  const before = owners.get(owner);
  // Whoever comes second has its own signal and its own failure, and mostly finds nothing left to do.
  const work = (before ?? Promise.resolve()).catch(() => undefined).then(() => refresh(workspace, shelf, options));
  owners.set(owner, work);
  try {
    await work;
  } finally {
    if (owners.get(owner) === work) owners.delete(owner);
  }
}

async function refresh(workspace: Workspace, shelf: Store, options: DocumentsOptions): Promise<void> {
  const { owner } = workspace;
  const library = workspace.hasRecords() ? await workspace.library() : undefined;
  const [now, seen] = await Promise.all([library ? library.revision(owner) : 0, readSeen(shelf, owner)]);
  if (seen === now) return;
  const run = new Run(shelf, owner, options);
  // Fewer changes than were seen: this is another library, put in the place of the one that was indexed.
  const anew = seen === undefined || seen > now;
  if (anew) await run.clear();
  const since = anew ? 0 : seen;
  const last = library ? await run.catchUp(library, since) : since;
  // The revision may have grown by messages alone: then there is nothing to write down.
  if (!anew && last === since) return;
  await run.finish();
  await writeSeen(shelf, owner, last);
}

class Run {
  readonly #shelf: Store;
  readonly #owner: string;
  readonly #options: DocumentsOptions;
  readonly #changed: string[] = [];
  /** Hashes of terms and words as written that were met: new ones become fewer and fewer. */
  readonly #met = { terms: new Set<number>(), words: new Set<string>() };
  /** Hashes of what documents had before they were changed or removed. */
  readonly #left = new Set<number>();
  #done = 0;

  constructor(shelf: Store, owner: string, options: DocumentsOptions) {
    this.#shelf = shelf;
    this.#owner = owner;
    this.#options = options;
  }

  async clear(): Promise<void> {
    // Until all is there again, the shelf shows no revision at all, even where another process believes it does.
    await writeSeen(this.#shelf, this.#owner, 0, unfinished);
    const states = await this.#shelf.files(this.#owner);
    for (let from = 0; from < states.length; from += batchSize) {
      const removed = states.slice(from, from + batchSize).map(({ path }) => path);
      await this.#write([], removed);
    }
    await patiently(patience, () => forgetWords(this.#shelf, this.#owner));
  }

  /**
   * Takes over all changes after a revision; returns the last one. It ends by reading that there are no more: whatever another process wrote
   * meanwhile and was written over with something older comes again as a change.
   */
  async catchUp(library: LibraryStore, since: number): Promise<number> {
    let last = since;
    let known: Map<string, string> | undefined;
    for (;;) {
      const changes = await library.documentsSince(this.#owner, last, batchSize);
      if (changes.length === 0) return last;
      // Many changes may be those of a run that was interrupted: what it wrote need not be written again.
      if (!known && changes.length === batchSize) {
        known = new Map((await this.#shelf.files(this.#owner)).map(({ path, hash }) => [path, hash]));
      }
      await this.#take(changes, known);
      last = changes.at(-1)!.revision;
    }
  }

  async #take(changes: DocumentChange[], known: ReadonlyMap<string, string> | undefined): Promise<void> {
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
      // A server answers others meanwhile.
      await setImmediate();
      const path = placeOfDocument(info.id);
      this.#done++;
      if (content === undefined || info.deleted !== undefined || isKeptOut(info.path, content)) {
        await this.#leave(path);
        removed.push(path);
      } else if (known?.get(path) === stampOf(info)) {
        for (const { id } of await this.#shelf.itemsOf(this.#owner, path)) this.#changed.push(id);
      } else {
        await this.#leave(path);
        const { file, texts } = describeDocument(info, content);
        files.push(file);
        file.items.forEach(({ unit }, i) => {
          if (this.#meetsNew(unit.terms)) collectWords(`${info.path}\n${texts[i]}`, words, this.#met.words);
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

  /** Remembers the terms of a document as the index has it now. */
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

  /** What is derived from all documents together. */
  async finish(): Promise<void> {
    await patiently(patience, () => pruneWords(this.#shelf, this.#owner, this.#left));
    if (this.#changed.length === 0) return;
    const { updateVectors } = await import("../embed/builtin.ts");
    const { count } = await this.#shelf.termStatistics(this.#owner, "unit", []);
    const { signal } = this.#options;
    await updateVectors(this.#shelf, this.#owner, { changedIds: this.#changed, total: count }, { signal });
  }
}

/** A format that no version has. */
const unfinished = 0;

type Note = { format: number; revision: number };

/** The revision that the shelf shows; 0 for one that never held anything, undefined when it must be filled anew. */
async function readSeen(shelf: Store, owner: string): Promise<number | undefined> {
  const bytes = await shelf.note(owner, noteKey);
  if (!bytes) return 0;
  const note = JSON.parse(new TextDecoder().decode(bytes)) as Note;
  return note.format === documentFormat ? note.revision : undefined;
}

async function writeSeen(shelf: Store, owner: string, revision: number, format = documentFormat): Promise<void> {
  const note: Note = { format, revision };
  await patiently(patience, () => shelf.writeNote(owner, noteKey, new TextEncoder().encode(JSON.stringify(note))));
}
