import type { Note } from "../../note.ts";
import { dateOfExport } from "../../notes/export-date.ts";
import { type OriginState, readOriginState, writeOriginState } from "../../notes/origin-state.ts";
import { noteItemId, type StoredNote } from "../../stores/graph.ts";
import { type Origin, originsOf, readConfig, resolvePlace } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { patiently } from "../files/writer.ts";
import { NoteWriter } from "./note-writer.ts";

export type LiveRefreshOptions = {
  /** A topic or a note's id. */
  query: string;
  offline: boolean;
  /** The time of the question, milliseconds. */
  now: number;
  /** Environment variables, which hold the tokens. */
  environment: Record<string, string | undefined>;
  signal?: AbortSignal;
};

/** `backend`: the source of the notes in the answer. */
export type LiveReport = { backend: "local-api" | "sqlite"; warnings: string[] };

const patience = 5000;

/**
 * Asks the applications behind the origins about a question, so that the index is as current as they are. An
 * application that is not running, or does not answer, is a warning with the age of the indexed notes.
 */
export async function refreshLive(workspace: Workspace, options: LiveRefreshOptions): Promise<LiveReport> {
  const { root, owner, store } = workspace;
  const origins = (await originsOf(root, await readConfig(root))).filter(({ live }) => live !== undefined);
  if (origins.length === 0 || options.offline || options.query.trim() === "")
    return { backend: "sqlite", warnings: [] };
  const states = await readOriginState(store, owner);
  const writer = new NoteWriter(workspace, { patience, signal: options.signal });
  const warnings: string[] = [];
  const refreshed = new Set<string>();
  let backend: LiveReport["backend"] = "sqlite";
  for (const origin of origins) {
    const state = states.find(({ name }) => name === origin.name);
    const { answered, caughtUp, warnings: originWarnings } = await askOrigin(workspace, origin, state, writer, options);
    if (answered) backend = "local-api";
    // Otherwise the next question requests the same edits again.
    if (caughtUp) refreshed.add(origin.name);
    warnings.push(...originWarnings);
  }
  await writer.finish();
  if (refreshed.size > 0) {
    const next = states.map((state) => (refreshed.has(state.name) ? { ...state, asked: options.now } : state));
    await patiently(patience, () => writeOriginState(store, owner, next));
  }
  return { backend, warnings };
}

async function askOrigin(
  { root, owner, store }: Workspace,
  origin: Origin,
  state: OriginState | undefined,
  writer: NoteWriter,
  { query, now, environment, signal }: LiveRefreshOptions,
): Promise<{ answered: boolean; caughtUp: boolean; warnings: string[] }> {
  const { name, live } = origin;
  const [{ chooseBackend }, { liveNotes }] = await Promise.all([
    import("../../notes/live/choose-backend.ts"),
    import("../../notes/live/live-notes.ts"),
  ]);
  const choice = await chooseBackend(live, { environment, signal });
  const exported = origin.from === undefined ? undefined : await dateOfExport(resolvePlace(root, origin));
  const dated = (warning: string) => `${warning} ${ageOf(state, exported, now)}`.trimEnd();
  if (choice.backend === "sqlite") {
    return { answered: false, caughtUp: false, warnings: choice.warning === undefined ? [] : [dated(choice.warning)] };
  }
  const lookUp = async (keys: string[]) => {
    const ids = keys.map((key) => noteItemId(name, key));
    return new Map((await store.graph.get(owner, ids)).map((note) => [note.key, asNote(note)]));
  };
  const since = state?.asked ?? exported;
  const answer = await liveNotes(choice.client, {
    query,
    lookUp,
    now,
    ...(since === undefined ? {} : { since }),
    signal,
  });
  await writer.notes(name, answer.notes, answer.gone);
  const silent = answer.warnings.length > 0 && answer.notes.length + answer.gone.length + answer.found.length === 0;
  return {
    answered: !silent,
    caughtUp: !silent && answer.caughtUp,
    warnings: silent ? answer.warnings.map(dated) : answer.warnings,
  };
}

function asNote({ id: _id, origin: _origin, sheet: _sheet, ...note }: StoredNote): Note {
  return note;
}

const minute = 60_000;

/** The age of the data, not of the import: an export of last month is a month old. Later live answers are newer. */
function ageOf(state: OriginState | undefined, exported: number | undefined, now: number): string {
  const importedAt = state?.read ?? 0;
  // If a file was replaced after it was read, its time says nothing about the data that was read.
  const imported = importedAt === 0 ? 0 : Math.min(importedAt, state?.dated ?? exported ?? importedAt);
  const last = Math.max(imported, state?.asked ?? 0);
  if (last === 0) return "Nothing was imported yet.";
  const minutes = Math.round(Math.max(0, now - last) / minute);
  const [count, unit] =
    minutes < 90
      ? [minutes, "minute"]
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), "hour"]
        : [Math.round(minutes / 1440), "day"];
  return `It is ${count} ${unit}${count === 1 ? "" : "s"} old.`;
}
