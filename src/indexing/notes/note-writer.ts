import type { Note } from "../../note.ts";
import { noteItem, notePage } from "../../sources/notes/note-items.ts";
import { type GraphChange, noteItemId } from "../../stores/graph.ts";
import type { IndexedFile } from "../../stores/store.ts";
import { hashTerm, hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import { pageSizes } from "./note-pages.ts";

/** Notes on one page of their shelf, about: a change of one of them writes all of them, and a page costs as much as ten notes. */
const perPage = 150;
/** Items of one transaction. */
const perWrite = 7500;
/** Owners whose names are searched with a note. */
const ownersEach = 3;

type WriterOptions = {
  patience: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** What waits to be written, all of one origin. */
type Pending = { origin: string; files: IndexedFile[]; pages: string[]; change: GraphChange; items: number };

/** A note, also as JSON, with the names of its owners; the hash is of all that is indexed of it. */
type Described = { note: Note; json: string; owners: string[]; hash: string };

/**
 * Writes notes as items of their shelf and into the graph, only those that differ. The shelf comes first: what the graph has the hash of is
 * complete, so whatever is interrupted is written again by the next run.
 */
export class NoteWriter {
  readonly counts = { changed: 0, removed: 0 };
  readonly #workspace: Workspace;
  readonly #options: WriterOptions;
  readonly #changedIds: string[] = [];
  #pending: Pending | undefined;
  /** Pages before this run, by the sheet they are of: a sheet is written once in a run and live notes in runs of their own, so what it adds needs no looking up. */
  #pages: Map<string, string[]> | undefined;

  constructor(workspace: Workspace, options: WriterOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  /** All notes that a sheet of an origin has now. */
  async sheet(origin: string, sheet: string, notes: readonly Note[]): Promise<void> {
    const { store, owner } = this.#workspace;
    const byKey = new Map(notes.map((note) => [note.key, note]));
    const sizes = pageSizes(byKey);
    // Described when its turn comes: of a hundred thousand notes that takes as much room as the notes.
    const described = (note: Note) => describe(withSize(note, sizes.get(note.key)), byKey);
    const before = await store.graph.hashes(owner, origin, sheet);
    const differing = new Set<string>();
    for (const [key, note] of byKey)
      if (before.size === 0 || before.get(key) !== described(note).hash) differing.add(key);
    const removed = [...before.keys()].filter((key) => !byKey.has(key));
    if (differing.size === 0 && removed.length === 0) return;

    const pageOf = pageNames(origin, sheet, byKey.size);
    const pages = grouped(byKey.values(), pageOf);
    const written = await this.#oldPages();
    const old = new Set(written.get(pagePrefix(origin, sheet)));
    const live = new Set(written.get(livePrefix(origin)));
    const touched = new Set([...differing, ...removed].map(pageOf));
    await this.#put(origin, { pages: [...old].filter((path) => !pages.has(path)), removed });
    for (const [path, notes] of pages) {
      if (old.has(path) && !touched.has(path)) continue;
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
          live.size === 0 ? [] : upserts.map(({ note }) => livePage(origin, note.key)).filter((page) => live.has(page)),
        notes: upserts.map(({ note, hash, json }) => ({ note, sheet, hash, json })),
      });
    }
  }

  /** Single notes as they are now at their origin, whatever sheet they were read from; and some that are gone. */
  async notes(origin: string, notes: readonly Note[], gone: readonly string[]): Promise<void> {
    const { store, owner } = this.#workspace;
    const ids = notes.map(({ key }) => noteItemId(origin, key));
    const known = new Map((await store.graph.get(owner, ids)).map((note) => [note.key, note]));
    const fresh = notes
      .filter((note) => !known.has(note.key) || !isSame(note, known.get(note.key)!))
      .map((note) => withSize(note, known.get(note.key)?.size));
    const byKey = new Map([...known, ...notes.map((note) => [note.key, note] as const)]);
    await this.#put(origin, {
      files: fresh.map((note) =>
        notePage(livePage(origin, note.key), [noteItem(origin, note, describe(note, byKey).owners)]),
      ),
      notes: fresh.map((note) => ({
        note,
        sheet: known.get(note.key)?.sheet ?? liveSheet,
        hash: `${liveSheet} ${describe(note, byKey).hash}`,
      })),
      pages: gone.map((key) => livePage(origin, key)),
      removed: [...gone],
    });
  }

  /** All notes of an origin leave the index. */
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

  /** Writes what still waits, and gives vectors to what changed. */
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
        const known = this.#pages.get(sheet);
        if (known) known.push(path);
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

/** A note of the live API has a page of its own: the page it was on loses it by the item's id. */
function livePage(origin: string, key: string): string {
  return livePrefix(origin) + hashText(key);
}

function livePrefix(origin: string): string {
  return `${hashText(origin)}/${liveSheet}/`;
}

function pagePrefix(origin: string, sheet: string): string {
  return `${hashText(origin)}/${hashText(sheet)}/`;
}

/** Which page a key is on, by its hash: the same in every run, until the sheet has twice as many notes. */
function pageNames(origin: string, sheet: string, count: number): (key: string) => string {
  const bits = Math.max(0, Math.ceil(Math.log2(Math.max(1, count) / perPage)));
  const prefix = pagePrefix(origin, sheet);
  return (key) => `${prefix}${bits}-${hashTerm(key) % 2 ** bits}`;
}

function grouped(notes: Iterable<Note>, pageOf: (key: string) => string): Map<string, Note[]> {
  const pages = new Map<string, Note[]>();
  for (const note of notes) {
    const page = pageOf(note.key);
    const known = pages.get(page);
    if (known) known.push(note);
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
  // Parts of a file have its time, but an edit of one of them does not change the others: they keep what they had.
  const json = JSON.stringify(note);
  const told = note.place && note.parent !== undefined ? JSON.stringify({ ...note, changed: undefined }) : json;
  return { note, json, owners, hash: hashText(`[${told},${JSON.stringify(owners)}]`) };
}

function withSize(note: Note, size: number | undefined): Note {
  return size === undefined ? note : { ...note, size };
}

function isSame(
  note: Note,
  { id: _id, origin: _origin, sheet: _sheet, size: _size, ...known }: Note & Record<"id" | "origin" | "sheet", string>,
): boolean {
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(note) === sorted(known);
}
