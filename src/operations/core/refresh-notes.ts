import type { LiveReport } from "../../indexing/notes/live.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "./operation.ts";

/** Where the notes of an answer come from: the application itself, or what was imported. */
export type AnsweringBackend = LiveReport["backend"];

export type NotesQuestion = { query: string; offline: boolean };

/**
 * Brings the notes up to date: from the files of their origins, and from the live application where one is configured
 * and answers. An origin that cannot be reached is a warning with the age of the imported notes.
 */
export async function refreshNoteSources(
  workspace: Workspace,
  { signal, progress }: Environment,
  question: NotesQuestion,
): Promise<{ backend: AnsweringBackend; warnings: string[] }> {
  const [{ refreshNotes }, { refreshLive }] = await Promise.all([
    import("../../indexing/notes/notes.ts"),
    import("../../indexing/notes/live.ts"),
  ]);
  const now = Date.now();
  const { warnings } = await refreshNotes(workspace, { now, signal, progress });
  const live = await refreshLive(workspace, { ...question, now, environment: process.env, signal });
  return { backend: live.backend, warnings: [...warnings, ...live.warnings] };
}
