import { DossierError } from "../../errors.ts";
import type { Note } from "../../note.ts";
import { dateOfExport } from "../../notes/export-date.ts";
import { type OriginState, readOriginState, writeOriginState } from "../../notes/origin-state.ts";
import { readerFor } from "../../notes/readers/all.ts";
import { isOriginKind, type NoteReader } from "../../notes/readers/reader.ts";
import { noteFormat } from "../../sources/notes/note-items.ts";
import { type Origin, originsOf, readConfig, resolvePlace } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { byOneProcess } from "../files/build-lock.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import { NoteWriter } from "./note-writer.ts";

export type NotesOptions = {
  /** The time of reading that is recorded, milliseconds. */
  now: number;
  /** Read everything again, changed or not. */
  force?: boolean;
  signal?: AbortSignal;
  /** Milliseconds to wait for another process that reads the notes. */
  patience?: number;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** `total`: number of indexed notes of all origins. */
export type NotesReport = { changed: number; removed: number; total: number; warnings: string[] };

const patience = 5000;
const mostWarnings = 10;

const running = new WeakMap<object, Promise<NotesReport>>();

/**
 * Brings the notes up to date with their origins; the cost depends on what changed. An origin that cannot be read is a
 * warning, and questions use the notes read before. Concurrent calls run one after the other.
 */
export async function refreshNotes(workspace: Workspace, options: NotesOptions): Promise<NotesReport> {
  const { store } = workspace;
  for (let current = running.get(store); current; current = running.get(store)) {
    await current.catch(() => undefined); // its caller got the error
  }
  const run = afterOthers(workspace, options).finally(() => running.delete(store));
  running.set(store, run);
  return run;
}

/** If another process is still reading notes, this is a warning: questions use the notes read before. */
async function afterOthers(workspace: Workspace, options: NotesOptions): Promise<NotesReport> {
  const { owner, store } = workspace;
  let report: NotesReport | undefined;
  const warnings: string[] = [];
  const work = async () => {
    report = await bringUpToDate(workspace, options);
  };
  const isCurrent = async () => !options.force && (await areNotesCurrent(workspace, options.signal));
  try {
    await byOneProcess(workspace, "notes", { isCurrent, work }, options);
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "store-locked") throw error;
    warnings.push(`The notes were not brought up to date: ${error.message}`);
  }
  if (report) return report;
  const { count: total } = await store.shelf("note").termStatistics(owner, "unit", []);
  return { changed: 0, removed: 0, total, warnings };
}

/** Whether every origin is unchanged since it was read, as far as this is known without reading it. */
async function areNotesCurrent({ root, owner, store }: Workspace, signal: AbortSignal | undefined): Promise<boolean> {
  const [config, before] = await Promise.all([readConfig(root), readOriginState(store.shelf("note"), owner)]);
  const origins = await originsOf(root, config);
  if (origins.length !== before.length) return false;
  for (const origin of origins) {
    const state = before.find(({ name }) => name === origin.name);
    if (!state) return false;
    if (origin.from === undefined) continue;
    if (state.from !== origin.from || state.format !== noteFormat || !isOriginKind(state.kind)) return false;
    if (origin.kind !== undefined && origin.kind !== state.kind) return false;
    const place = resolvePlace(root, origin);
    try {
      const sheets = await (await readerFor(place, state.kind)).list(place, signal);
      if (sheets.length !== Object.keys(state.sheets).length) return false;
      if (sheets.some(({ name, stamp }) => state.sheets[name] !== stamp)) return false;
    } catch (error) {
      // Reading the origin reports its problem.
      stopIfAborted(signal);
      if (error instanceof DossierError) return false;
      throw error;
    }
  }
  return true;
}

async function bringUpToDate(workspace: Workspace, options: NotesOptions): Promise<NotesReport> {
  const { root, owner, store } = workspace;
  stopIfAborted(options.signal);
  const shelf = store.shelf("note");
  const [config, before] = await Promise.all([readConfig(root), readOriginState(shelf, owner)]);
  const origins = await originsOf(root, config);
  if (origins.length === 0 && before.length === 0) return { changed: 0, removed: 0, total: 0, warnings: [] };
  const writer = new NoteWriter(workspace, { ...options, patience });
  const warnings: string[] = [];
  const states: OriginState[] = [];
  for (const state of before) {
    if (!origins.some(({ name }) => name === state.name)) await writer.forget(state.name);
  }
  for (const origin of origins) {
    const previous = before.find(({ name }) => name === origin.name);
    const state = await refreshOrigin(workspace, origin, previous, writer, options);
    // Warnings from an earlier read are not repeated with every question.
    if (state !== previous) warnings.push(...state.warnings);
    states.push(state);
  }
  await writer.finish();
  if (JSON.stringify(states) !== JSON.stringify(before)) {
    await patiently(patience, () => writeOriginState(shelf, owner, states));
  }
  const { count: total } = await shelf.termStatistics(owner, "unit", []);
  return { ...writer.counts, total, warnings: warnings.slice(0, mostWarnings) };
}

/** The state of the origin afterwards. Its warnings stay until it is read again. */
async function refreshOrigin(
  workspace: Workspace,
  origin: Origin,
  previous: OriginState | undefined,
  writer: NoteWriter,
  options: NotesOptions,
): Promise<OriginState> {
  const { now, force, signal, progress } = options;
  const { name, from } = origin;
  const none: OriginState = { name, kind: "", from: from ?? "", format: noteFormat, sheets: {}, read: 0, warnings: [] };
  if (from === undefined) return previous ?? none;
  const place = resolvePlace(workspace.root, origin);
  try {
    // The kind was detected at the first read; detecting it again takes longer than a stat.
    const knownKind = previous?.from === from && isOriginKind(previous.kind) ? previous.kind : undefined;
    const reader = await readerFor(place, origin.kind ?? knownKind);
    // Another place under the same name: earlier reads do not count.
    const same = previous?.kind === reader.kind && previous.from === from && previous.format === noteFormat;
    if (previous && !same) await writer.forget(name);
    const oldSheets = same && !force ? previous.sheets : {};
    const sheetsNow = await reader.list(place, signal);
    const changed = sheetsNow.filter(({ name: sheet, stamp }) => oldSheets[sheet] !== stamp).map((sheet) => sheet.name);
    const names = new Set(sheetsNow.map((sheet) => sheet.name));
    const gone = Object.keys(same ? previous.sheets : {}).filter((sheet) => !names.has(sheet));
    if (changed.length === 0 && gone.length === 0 && same) return previous;
    const warnings: string[] = [];
    for (const sheet of gone) await writer.sheet(name, sheet, []);
    await readInto(writer, name, reader, place, changed, {
      signal,
      warn: (sentence) => warnings.push(sentence),
      progress: (done, total) => progress?.({ stage: `notes of ${name}`, done, ...(total ? { total } : {}) }),
    });
    const sheets = Object.fromEntries(sheetsNow.map((sheet) => [sheet.name, sheet.stamp]));
    const dated = await dateOfExport(place);
    return {
      ...{ name, kind: reader.kind, from, format: noteFormat, sheets, read: now },
      ...(dated === undefined ? {} : { dated }),
      warnings: warnings.slice(0, 3),
    };
  } catch (error) {
    stopIfAborted(signal);
    if (!(error instanceof DossierError) || !passable.has(error.code)) throw error;
    if (previous?.from === from && (await isSomethingElse(place, origin, previous))) {
      await writer.forget(name);
      return refreshOrigin(workspace, origin, undefined, writer, options);
    }
    const rest = previous && previous.read > 0 ? " What was read of it before is used." : "";
    const warning = `The notes of ${name} were not brought up to date: ${error.message}${rest}`;
    return { ...(previous ?? none), warnings: [warning] };
  }
}

/** True if the place holds something for another reader. */
async function isSomethingElse(place: string, { kind }: Origin, previous: OriginState): Promise<boolean> {
  if (kind !== undefined || !isOriginKind(previous.kind)) return false;
  try {
    return (await readerFor(place)).kind !== previous.kind;
  } catch (error) {
    // No reader accepts it; that problem is already reported.
    if (error instanceof DossierError) return false;
    throw error;
  }
}

/** Error codes that only mean that an origin cannot be read now. */
const passable = new Set<string>([
  "bad-input",
  "not-found",
  "not-readable",
  "not-a-folder",
  "store-locked",
  "store-damaged",
  "too-long",
]);

async function readInto(
  writer: NoteWriter,
  origin: string,
  reader: NoteReader,
  place: string,
  sheets: string[],
  reading: Parameters<NoteReader["read"]>[2],
): Promise<void> {
  const unread = new Set(sheets);
  let current: { sheet: string; notes: Note[] } | undefined;
  const flush = async () => {
    if (current) await writer.sheet(origin, current.sheet, current.notes);
    current = undefined;
  };
  for await (const { sheet, notes } of reader.read(place, sheets, reading)) {
    stopIfAborted(reading.signal);
    if (current && current.sheet !== sheet) await flush();
    current ??= { sheet, notes: [] };
    for (const note of notes) current.notes.push(note);
    unread.delete(sheet);
  }
  await flush();
  // A sheet without notes: its earlier notes are removed.
  for (const sheet of unread) await writer.sheet(origin, sheet, []);
}
