import type { Note } from "../../note.ts";
import { noteItem, notePage } from "../../sources/notes/note-items.ts";
import { type GraphChange, noteItemId } from "../../stores/graph.ts";
import type { IndexedFile } from "../../stores/store.ts";
import { hashTerm, hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import { pageSizes } from "./note-pages.ts";

/**
 * Approximate notes per page of the shelf: changing one note writes its whole page, and a page costs as much as ten
 * notes.
 */
const perPage = 150;
/** Items per transaction. */
const perWrite = 7500;
/** Number of parents whose names are searched with a note. */
const ownersEach = 3;

type WriterOptions = {
  patience: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** Changes that wait to be written, all of one origin. */
type Pending = { origin: string; files: IndexedFile[]; pages: string[]; change: GraphChange; items: number };

/** A note, also as JSON, with the names of its parents; the hash covers everything that is indexed for it. */
type Described = { note: Note; json: string; owners: string[]; hash: string };

/**
 * Writes notes as items of their shelf and into the graph, only those that differ. The shelf is written first: a note
 * whose hash is in the graph is complete, so the next run writes again what was interrupted.
 */
export class NoteWriter {
  readonly counts = { changed: 0, removed: 0 };
  readonly #workspace: Workspace;
  readonly #options: WriterOptions;
  readonly #changedIds: string[] = [];
  #pending: Pending | undefined;
  /**
   * Pages from before this run, by their sheet. A sheet is written once in a run, and live notes in separate runs, so
   * new pages need no look-up.
   */
  #pages: Map<string, string[]> | undefined;

  constructor(workspace: Workspace, options: WriterOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  /** Writes all current notes of a sheet of an origin. */
  async sheet(origin: string, sheet: string, notes: readonly Note[]): Promise<void> {
    const { store, owner } = this.#workspace;
    const byKey = new Map(notes.map((note) => [note.key, note]));
    const sizes = pageSizes(byKey);
    // Described on demand: descriptions of a hundred thousand notes take as much memory as the notes.
    const described = (note: Note) => describe(withSize(note, sizes.get(note.key)), byKey);
    const before = await store.graph.hashes(owner, origin, sheet);
    const differing = new Set<string>();
    for (const [key, note] of byKey)
      if (before.size === 0 || before.get(key) !== described(note).hash) differing.add(key);
    const removed = [...before.keys()].filter((key) => !byKey.has(key));
    if (differing.size === 0 && removed.length === 0) return;

    const pageOf = pageNames(origin, sheet, byKey.size);
    const pages = grouped(byKey.values(), pageOf);
    const oldPages = await this.#oldPages();
    const old = new Set(oldPages.get(pagePrefix(origin, sheet)));
    const livePages = new Set(oldPages.get(livePrefix(origin)));
    const changedPages = new Set([...differing, ...removed].map(pageOf));
    await this.#put(origin, { pages: [...old].filter((path) => !pages.has(path)), removed });
    for (const [path, notes] of pages) {
      if (old.has(path) && !changedPages.has(path)) continue;
      const members = notes.map(described);
      const upserts = members.filter(({ note }) => differing.has(note.key));
      await this.#put(origin, {
        files: [
          notePage(
            path,
            members.map(({ note, owners }) => noteItem(origin, note, owners)),
          ),
        ],
        pages:
          livePages.size === 0
            ? []
            : upserts.map(({ note }) => livePage(origin, note.key)).filter((page) => livePages.has(page)),
        notes: upserts.map(({ note, hash, json }) => ({ note, sheet, hash, json })),
      });
    }
  }

  /** Writes single notes in their current state at the origin, whatever their sheet, and removes those in `gone`. */
  async notes(origin: string, notes: readonly Note[], gone: readonly string[]): Promise<void> {
    const { store, owner } = this.#workspace;
    const ids = notes.map(({ key }) => noteItemId(origin, key));
    const stored = new Map((await store.graph.get(owner, ids)).map((note) => [note.key, note]));
    const changed = notes
      .filter((note) => !stored.has(note.key) || !isSame(note, stored.get(note.key)!))
      .map((note) => withSize(note, stored.get(note.key)?.size));
    const byKey = new Map([...stored, ...notes.map((note) => [note.key, note] as const)]);
    await this.#put(origin, {
      files: changed.map((note) =>
        notePage(livePage(origin, note.key), [noteItem(origin, note, describe(note, byKey).owners)]),
      ),
      notes: changed.map((note) => ({
        note,
        sheet: stored.get(note.key)?.sheet ?? liveSheet,
        hash: `${liveSheet} ${describe(note, byKey).hash}`,
      })),
      pages: gone.map((key) => livePage(origin, key)),
      removed: [...gone],
    });
  }

  /** Removes all notes of an origin from the index. */
  async forget(origin: string): Promise<void> {
    const { store, owner } = this.#workspace;
    const before = await store.graph.hashes(owner, origin);
    const prefix = `${hashText(origin)}/`;
    const pages = [...(await this.#oldPages())]
      .filter(([sheet]) => sheet.startsWith(prefix))
      .flatMap(([, paths]) => paths);
    for (let from = 0; from < pages.length; from += perWrite / 10) {
      await this.#put(origin, { pages: pages.slice(from, from + perWrite / 10) });
      await this.#flush();
    }
    await this.#patiently(() => store.graph.forget(owner, origin));
    this.counts.removed += before.size;
  }

  /** Writes the pending changes, and computes the vectors of changed notes. */
  async finish(): Promise<void> {
    await this.#flush();
    if (this.#changedIds.length === 0) return;
    const { store, owner } = this.#workspace;
    const { signal, progress } = this.#options;
    const { updateVectors } = await import("../../embed/builtin.ts");
    const shelf = store.shelf("note");
    const { count } = await shelf.termStatistics(owner, "unit", []);
    await updateVectors(shelf, owner, { changedIds: this.#changedIds, total: count }, { signal, progress });
  }

  async #put(
    origin: string,
    {
      files = [],
      pages = [],
      notes = [],
      removed = [],
    }: { files?: IndexedFile[]; pages?: string[] } & Partial<GraphChange>,
  ): Promise<void> {
    if (this.#pending && this.#pending.origin !== origin) await this.#flush();
    this.#pending ??= { origin, files: [], pages: [], change: { notes: [], removed: [] }, items: 0 };
    const pending = this.#pending;
    for (const file of files) pending.files.push(file);
    for (const page of pages) pending.pages.push(page);
    for (const note of notes) pending.change.notes.push(note);
    for (const key of removed) pending.change.removed.push(key);
    pending.items += files.reduce((sum, { items }) => sum + items.length, 0) + pages.length;
    if (pending.items >= perWrite) await this.#flush();
  }

  async #flush(): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    stopIfAborted(this.#options.signal);
    const { store, owner } = this.#workspace;
    const { origin, files, pages, change } = pending;
    if (files.length > 0 || pages.length > 0) {
      await this.#patiently(() => store.shelf("note").write(owner, { files, removed: pages }));
    }
    if (change.notes.length > 0 || change.removed.length > 0) {
      await this.#patiently(() => store.graph.write(owner, origin, change));
    }
    for (const { note } of change.notes) this.#changedIds.push(noteItemId(origin, note.key));
    this.counts.changed += change.notes.length;
    this.counts.removed += change.removed.length;
  }

  async #oldPages(): Promise<Map<string, string[]>> {
    if (!this.#pages) {
      const { store, owner } = this.#workspace;
      this.#pages = new Map();
      for (const { path } of await store.shelf("note").files(owner)) {
        const sheet = path.slice(0, path.lastIndexOf("/") + 1);
        const paths = this.#pages.get(sheet);
        if (paths) paths.push(path);
        else this.#pages.set(sheet, [path]);
      }
    }
    return this.#pages;
  }

  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return patiently(this.#options.patience, work);
  }
}

const liveSheet = "live";

/** A live note has its own page; writing it removes its item from the old page. */
function livePage(origin: string, key: string): string {
  return livePrefix(origin) + hashText(key);
}

function livePrefix(origin: string): string {
  return `${hashText(origin)}/${liveSheet}/`;
}

function pagePrefix(origin: string, sheet: string): string {
  return `${hashText(origin)}/${hashText(sheet)}/`;
}

/** The page of a key, by its hash: it is the same in every run, until the sheet has twice as many notes. */
function pageNames(origin: string, sheet: string, count: number): (key: string) => string {
  const bits = Math.max(0, Math.ceil(Math.log2(Math.max(1, count) / perPage)));
  const prefix = pagePrefix(origin, sheet);
  return (key) => `${prefix}${bits}-${hashTerm(key) % 2 ** bits}`;
}

function grouped(notes: Iterable<Note>, pageOf: (key: string) => string): Map<string, Note[]> {
  const pages = new Map<string, Note[]>();
  for (const note of notes) {
    const page = pageOf(note.key);
    const members = pages.get(page);
    if (members) members.push(note);
    else pages.set(page, [note]);
  }
  return pages;
}

function describe(note: Note, byKey: ReadonlyMap<string, Note>): Described {
  const owners: string[] = [];
  let above = note.parent;
  for (let step = 0; step < ownersEach && above !== undefined; step++) {
    const parent = byKey.get(above);
    if (!parent) break;
    if (parent.name !== "") owners.push(parent.name);
    above = parent.parent;
  }
  // Parts of a file have the file's time of change, but editing one part does not change the others, so the time is not
  // hashed.
  const json = JSON.stringify(note);
  const hashed = note.place && note.parent !== undefined ? JSON.stringify({ ...note, changed: undefined }) : json;
  return { note, json, owners, hash: hashText(`[${hashed},${JSON.stringify(owners)}]`) };
}

function withSize(note: Note, size: number | undefined): Note {
  return size === undefined ? note : { ...note, size };
}

function isSame(
  note: Note,
  { id: _id, origin: _origin, sheet: _sheet, size: _size, ...stored }: Note & Record<"id" | "origin" | "sheet", string>,
): boolean {
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(note) === sorted(stored);
}
