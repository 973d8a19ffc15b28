import { setTimeout as sleep } from "node:timers/promises";
import type { BuiltinEmbedder } from "../../embed/builtin.ts";
import { DossierError } from "../../errors.ts";
import { rolesOf } from "../../sources/roles.ts";
import type { FileState, IndexedFile, Store, StoreChange } from "../../stores/store.ts";
import type { Skipped } from "../../tree/reasons.ts";
import { isRoleOfContent } from "../../tree/roles/by-content.ts";
import { isSame } from "./compare.ts";
import type { DescribeOutcome } from "./describe.ts";
import type { IndexState } from "./index-state.ts";

/** Files and characters of text per transaction. */
const batchFiles = 100;
const batchCharacters = 4 * 1024 * 1024;

const firstPause = 50;
const longestPause = 1000;

/** Repeats a write while another process holds the store, for at most `patience` milliseconds. */
export async function patiently<Result>(patience: number, write: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + patience;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await write();
    } catch (error) {
      const locked = error instanceof DossierError && error.code === "store-locked";
      if (!locked || performance.now() + pause > until) throw error;
      await sleep(pause);
    }
  }
}

function emptyChange(): Required<StoreChange> {
  return { files: [], removed: [], touched: [], roles: [] };
}

export type WriterOptions = {
  store: Store;
  owner: string;
  states: Map<string, FileState>;
  patience: number;
  /** The embedder that made the index's vectors; new items get their vectors at once. */
  embedder?: BuiltinEmbedder;
  /** Called once, before the first files are written. */
  beforeFiles: () => Promise<void>;
};

/** Collects outcomes and writes them in batches, one batch at a time. */
export class Writer {
  readonly skipped: Skipped[] = [];
  readonly remembered: IndexState["skipped"] = new Map();
  readonly failures: string[] = [];
  readonly writtenIds: string[] = [];
  /** Those of `writtenIds` whose text differs from before. */
  readonly changedIds: string[] = [];
  readonly written = { indexed: 0, touched: 0, removed: 0, items: 0, bytes: 0 };
  readonly #options: WriterOptions;
  #change: Required<StoreChange> = emptyChange();
  #characters = 0;
  #last: Promise<void> = Promise.resolve();
  #writing = 0;
  #announced = false;
  /** True if files were added or removed, since roles depend on neighbouring files. */
  #isLayoutChanged = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Totals of the index, including batches that are not yet written. */
  get total(): { files: number; items: number } {
    let items = 0;
    for (const state of this.#options.states.values()) items += state.items;
    return { files: this.#options.states.size, items };
  }

  remove(path: string): void {
    if (!this.#options.states.delete(path)) return;
    this.#change.removed.push(path);
    this.#isLayoutChanged = true;
    this.written.removed++;
  }

  /** Takes one outcome; resolves when there is room for the next. */
  async take(outcome: DescribeOutcome): Promise<void> {
    const { path } = outcome;
    // Callers also wait while another process holds the store, so that the queue stays limited.
    while (this.#writing > 0) await this.rest();
    if (outcome.is === "described") {
      const file = this.#withRole(outcome.file);
      const { hash, size, modified, role } = file;
      this.#change.files.push(file);
      this.#characters += file.text.length;
      const state = { path, hash, size, modified, items: file.items.length };
      this.#options.states.set(path, role ? { ...state, role } : state);
      this.written.indexed++;
      this.written.items += file.items.length;
      this.written.bytes += size;
    } else if (outcome.is === "same") {
      this.#takeSame(path, outcome.size, outcome.modified);
    } else if (outcome.is === "gone") {
      this.remove(path);
    } else {
      const { reason, size, modified, detail } = outcome;
      this.remove(path);
      this.skipped.push({ path, reason });
      this.remembered.set(path, { reason, size, modified });
      if (detail) this.failures.push(`${path}: ${detail}`);
    }
    if (this.#change.files.length >= batchFiles || this.#characters >= batchCharacters) await this.flush();
  }

  /** A changed file keeps the role that its location gave it. */
  #withRole(file: IndexedFile): IndexedFile {
    const before = this.#options.states.get(file.path);
    if (!before || isRoleOfContent(before.role) !== isRoleOfContent(file.role)) this.#isLayoutChanged = true;
    const role = file.role ?? (isRoleOfContent(before?.role) ? undefined : before?.role);
    return role ? { ...file, role } : file;
  }

  /**
   * Assigns every file the role that its location implies, with the next write. Called once, before the last write, and
   * only if files were added or removed: it looks at every path (50,000 in half a second). `among`: all paths, if the
   * index does not have all of them.
   */
  assignRoles(always: boolean, among?: readonly string[]): void {
    if (!always && !this.#isLayoutChanged) return;
    const { states } = this.#options;
    const roles = rolesOf(among ?? states.keys());
    for (const { role: before, ...state } of states.values()) {
      const role = roles.get(state.path);
      if (role === before || isRoleOfContent(before)) continue;
      const next = role ? { role } : {};
      states.set(state.path, { ...state, ...next });
      this.#change.roles.push({ path: state.path, ...next });
    }
  }

  /** Writes the collected outcomes, after earlier batches. */
  flush(): Promise<void> {
    const change = this.#change;
    this.#change = emptyChange();
    this.#characters = 0;
    this.#writing++;
    this.#last = this.#last
      .then(() => this.#write(change))
      .finally(() => {
        this.#writing--;
      });
    return this.#last;
  }

  /** Resolves when no write is in progress, whether or not one has failed. */
  async rest(): Promise<void> {
    await this.#last.catch(() => undefined); // the caller of that write got the error
  }

  /** A file that was read again although its record matches needs no write. */
  #takeSame(path: string, size: number, modified: number): void {
    const state = this.#options.states.get(path);
    if (!state || isSame({ size, modified }, state)) return;
    this.#options.states.set(path, { ...state, size, modified });
    this.#change.touched.push({ path, size, modified });
    this.written.touched++;
  }

  async #write(change: Required<StoreChange>): Promise<void> {
    const { store, owner, patience, beforeFiles } = this.#options;
    if (Object.values(change).every((list) => list.length === 0)) return;
    if (change.files.length > 0 && !this.#announced) {
      this.#announced = true;
      await beforeFiles();
    }
    await this.#embed(change.files);
    await patiently(patience, () => store.write(owner, change));
  }

  /** Most units of a changed file keep their terms, so their vectors stay valid. */
  async #embed(files: IndexedFile[]): Promise<void> {
    const { store, owner, embedder } = this.#options;
    const units = files.flatMap(({ items }) => items.filter(({ unit }) => unit !== undefined));
    const ids = units.map(({ item }) => item.id);
    for (const id of ids) this.writtenIds.push(id);
    const before = embedder ? await store.terms(owner, "unit", ids) : undefined;
    const changed = units.filter(({ item, unit }) => {
      const previous = before?.get(item.id);
      return !previous || Buffer.compare(previous, unit!.terms) !== 0;
    });
    for (const { item } of changed) this.changedIds.push(item.id);
    if (!embedder) return;
    const embedded = store.keepsVectors ? changed : units;
    const vectors = await embedder.embedItems(embedded.map(({ unit }) => ({ terms: unit!.terms, text: "" })));
    embedded.forEach((indexed, index) => {
      indexed.vector = vectors[index];
    });
  }
}
