import { existsSync } from "node:fs";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import { addNote, capture, type ExperienceVerdict } from "../../learned/experience/steps.ts";
import { type Experience, isActive } from "../../learned/experience.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { recordsBeside } from "../../workspace/database-paths.ts";
import { findRoot, ownFolder } from "../../workspace/root.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { bodyOf } from "./experience-shape.ts";
import { type Ending, endingText, succeeded } from "./run-command.ts";

export type FinishedRun = {
  command: readonly string[];
  ending: Ending;
  /** Milliseconds since 1970. */
  started: number;
  ended: number;
};

export type Expectation = { expect: "pass" | "fail"; observe: boolean };

/**
 * The existing workspace, or undefined if nothing was ever stored there: running a command is no reason to create one.
 */
export async function openExisting(path: string, environment: Environment): Promise<Workspace | undefined> {
  const create = existsSync(recordsBeside(join(findRoot(path), ownFolder, "index.db")));
  try {
    return await environment.workspace({ create });
  } catch (error) {
    if (error instanceof DossierError && error.code === "not-indexed") return undefined;
    throw error;
  }
}

/** Records on the active experience how a command ended. */
export async function captureRun(
  workspace: Workspace,
  active: StoredRecord,
  { command, ending, started, ended }: FinishedRun,
  { expect, observe }: Expectation,
): Promise<{ experience: StoredRecord; message: string }> {
  const success = succeeded(ending) === true;
  const confirmed = success === (expect === "pass");
  const summary = `${commandText(command, longestShown)} ${endingText(ending)}`;
  const verdict: ExperienceVerdict = {
    status: confirmed ? "confirmed" : "falsified",
    command: commandText(command, longestKept),
    result: expect === "pass" ? summary : `${summary}, ${success ? "though" : "as"} it was predicted to fail`,
  };
  let message = "";
  const experience = await (await workspace.records()).change(workspace.owner, active.id, (record) => {
    const before = bodyOf(record);
    let body: Experience;
    const began = attemptStart(record);
    // An attempt that seems to begin in the future was begun before the clock was set back.
    const isOvertaken = began > started && began <= ended;
    if (observe || isOvertaken) {
      body = addNote(before, summary, ended);
      message = observe
        ? `Noted in ${record.id}.`
        : `${record.id} changed while the command ran: its end is only noted.`;
    } else {
      body = capture(before, verdict, ended);
      message = messageFor(record.id, verdict, before);
    }
    return { ...record, changed: ended, slot: isActive(body) ? record.slot : undefined, body };
  });
  return { experience, message };
}

function messageFor(id: string, { status }: ExperienceVerdict, before: Experience): string {
  if (status === "falsified")
    return `${id} is falsified (gold) once you say what surprised and why, or goes on with an update:`;
  if (before.outcome) return `Noted in ${id}. It failed before, so what changed since must be stated first:`;
  return `${id} is confirmed (gold). To add what worked:`;
}

/** When the present attempt began. A command that started earlier says nothing about it. */
function attemptStart(record: StoredRecord): number {
  return bodyOf(record).history.at(-1)?.until ?? record.created;
}

const longestShown = 200;
const longestKept = 1000;

/** A command as it may be stored: on one line, without secrets, and at most this long. */
export function commandText(command: readonly string[], longest: number): string {
  const line = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  const { text } = redact(line.join(" ").replace(/\s+/g, " "));
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** After this long without a failure, work counts as a new session, whatever its name. */
const sessionPause = 8 * 60 * 60 * 1000;

/** Remembers when something failed last in a session. True for the first failure of it. */
export async function isFirstFailure({ store, owner }: Workspace, session: string, now: number): Promise<boolean> {
  const key = `failed:${hashText(session)}`;
  const note = await store.metadata(owner, key);
  const before = note?.length === 8 ? new DataView(note.buffer, note.byteOffset, 8).getFloat64(0) : undefined;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, now);
  await store.writeMetadata(owner, key, bytes);
  // After the clock was set back, the difference means nothing.
  return before === undefined || before > now || now - before > sessionPause;
}
