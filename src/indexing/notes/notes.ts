import { DossierError } from "../../errors.ts";
import type { Note } from "../../note.ts";
import { dateOfExport } from "../../notes/export-date.ts";
import { type OriginState, readOriginState, writeOriginState } from "../../notes/origin-state.ts";
import { readerFor } from "../../notes/readers/all.ts";
import { isOriginKind, type NoteReader } from "../../notes/readers/reader.ts";
import { noteFormat } from "../../sources/notes/note-items.ts";
import { type Origin, originsOf, readConfig, resolvePlace } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { stopIfAborted } from "../files/run-jobs.ts";
import { patiently } from "../files/writer.ts";
import { NoteWriter } from "./note-writer.ts";

export type NotesOptions = {
  /** The moment that is remembered as the time of reading, milliseconds. */
  now: number;
  /** Read everything again, changed or not. */
  force?: boolean;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** `total`: notes of all origins that the index has now. */
export type NotesReport = { changed: number; removed: number; total: number; warnings: string[] };

const patience = 5000;
const mostWarnings = 10;

const running = new WeakMap<object, Promise<NotesReport>>();

/**
 * Brings the notes up to date with their origins, at the cost of what changed there. An origin that cannot be read is a warning, and is
 * answered from what was read before. Calls at the same time wait for each other.
 */
export async function refreshNotes(workspace: Workspace, options: NotesOptions): Promise<NotesReport> {
  const { store } = workspace;
  for (let current = running.get(store); current; current = running.get(store)) {
    await current.catch(() => undefined); // whoever began it was told
  }
  const run = bringUpToDate(workspace, options).finally(() => running.delete(store));
  running.set(store, run);
  return run;
}

async function bringUpToDate(workspace: Workspace, options: NotesOptions): Promise<NotesReport> {
  const { root, owner, store } = workspace;
  stopIfAborted(options.signal);
  const shelf = store.shelf("note");
  const [config, before] = await Promise.all([readConfig(root), readOriginState(shelf, owner)]);
  const origins = await originsOf(root, config);
  if (origins.length === 0 && before.length === 0) return { changed: 0, removed: 0, total: 0, warnings: [] };
  const writer = new NoteWriter(workspace, { patience, ...options });
  const warnings: string[] = [];
  const states: OriginState[] = [];
  for (const state of before) {
    if (!origins.some(({ name }) => name === state.name)) await writer.forget(state.name);
  }
  for (const origin of origins) {
    const known = before.find(({ name }) => name === origin.name);
    const state = await refreshOrigin(workspace, origin, known, writer, options);
    // What was said of an origin when it was read is not said again with every question.
    if (state !== known) warnings.push(...state.warnings);
    states.push(state);
  }
  await writer.finish();
  if (JSON.stringify(states) !== JSON.stringify(before)) {
    await patiently(patience, () => writeOriginState(shelf, owner, states));
  }
  const { count: total } = await shelf.termStatistics(owner, "unit", []);
  return { ...writer.counts, total, warnings: warnings.slice(0, mostWarnings) };
}

/** What is known of the origin afterwards. Its warnings stay with it until it is read again. */
async function refreshOrigin(
  workspace: Workspace,
  origin: Origin,
  known: OriginState | undefined,
  writer: NoteWriter,
  options: NotesOptions,
): Promise<OriginState> {
  const { now, force, signal, progress } = options;
  const { name, from } = origin;
  const none: OriginState = { name, kind: "", from: from ?? "", format: noteFormat, sheets: {}, read: 0, warnings: [] };
  if (from === undefined) return known ?? none;
  const place = resolvePlace(workspace.root, origin);
  try {
    // What a place is was found out when it was first read: looking inside again takes longer than a stat.
    const found = known?.from === from && isOriginKind(known.kind) ? known.kind : undefined;
    const reader = await readerFor(place, origin.kind ?? found);
    // Another place under the old name: nothing that was read before counts.
    const same = known?.kind === reader.kind && known.from === from && known.format === noteFormat;
    if (known && !same) await writer.forget(name);
    const old = same && !force ? known.sheets : {};
    const listed = await reader.list(place, signal);
    const changed = listed.filter(({ name: sheet, stamp }) => old[sheet] !== stamp).map((sheet) => sheet.name);
    const still = new Set(listed.map((sheet) => sheet.name));
    const gone = Object.keys(same ? known.sheets : {}).filter((sheet) => !still.has(sheet));
    if (changed.length === 0 && gone.length === 0 && same) return known;
    const warnings: string[] = [];
    for (const sheet of gone) await writer.sheet(name, sheet, []);
    await readInto(writer, name, reader, place, changed, {
      signal,
      warn: (sentence) => warnings.push(sentence),
      progress: (done, total) => progress?.({ stage: `notes of ${name}`, done, ...(total ? { total } : {}) }),
    });
    const sheets = Object.fromEntries(listed.map((sheet) => [sheet.name, sheet.stamp]));
    const dated = await dateOfExport(place);
    return {
      ...{ name, kind: reader.kind, from, format: noteFormat, sheets, read: now },
      ...(dated === undefined ? {} : { dated }),
      warnings: warnings.slice(0, 3),
    };
  } catch (error) {
    stopIfAborted(signal);
    if (!(error instanceof DossierError) || !passable.has(error.code)) throw error;
    if (known?.from === from && (await isSomethingElse(place, origin, known))) {
      await writer.forget(name);
      return refreshOrigin(workspace, origin, undefined, writer, options);
    }
    const rest = known && known.read > 0 ? " What was read of it before is used." : "";
    const warning = `The notes of ${name} were not brought up to date: ${error.message}${rest}`;
    return { ...(known ?? none), warnings: [warning] };
  }
}

/** True when what lies there now is for another reader than what was read before. */
async function isSomethingElse(place: string, { kind }: Origin, known: OriginState): Promise<boolean> {
  if (kind !== undefined || !isOriginKind(known.kind)) return false;
  try {
    return (await readerFor(place)).kind !== known.kind;
  } catch (error) {
    // Nobody's: what was wrong with it is told already.
    if (error instanceof DossierError) return false;
    throw error;
  }
}

/** What only means that an origin cannot be read now. */
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
  // A sheet without a single note: what it had before is gone.
  for (const sheet of unread) await writer.sheet(origin, sheet, []);
}
