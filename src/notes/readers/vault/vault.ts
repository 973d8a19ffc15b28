import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../../errors.ts";
import { hashText } from "../../../text/hash.ts";
import { type Batch, batchSize, type NoteReader, type Reading, type SheetState, withSafeLinks } from "../reader.ts";
import { flavourOf, settingsOf, settingsStamp } from "./flavour.ts";
import { listNotes } from "./list-files.ts";
import { readPage } from "./page.ts";
import { describeProblems, type Problem, readVaultFile } from "./vault-file.ts";

/**
 * A folder of Markdown files: an Obsidian vault, a Logseq graph, or any other. Every file is a sheet and is read
 * without the others.
 */
export const vault: NoteReader = { kind: "vault", recognises, list, read };

/** Characters after which other work of the process gets a turn. */
const charactersPerTurn = 256 * 1024;
/** Fixed cost of a file, in characters. */
const costOfFile = 4096;

async function recognises(place: string): Promise<boolean> {
  return (await flavourOf(place)) !== undefined;
}

async function list(place: string, signal?: AbortSignal): Promise<SheetState[]> {
  const root = await openFolder(place);
  // The settings affect every file: when they change, every sheet has changed.
  const settings = hashText(settingsStamp(await settingsOf(root))).slice(0, 6);
  const notes = await listNotes(root, signal);
  if (notes[0]?.path === "") throw new DossierError("not-readable", `The folder ${place} cannot be read.`);
  return notes.map(({ path, size, modified }) => ({ name: path, stamp: `${size} ${modified} ${settings}` }));
}

async function* read(place: string, sheets: string[], reading: Reading): AsyncIterable<Batch> {
  const root = await openFolder(place);
  const settings = await settingsOf(root);
  const problems: Problem[] = [];
  let cost = 0;
  for (const [at, sheet] of sheets.entries()) {
    const { text, modified, problem } = readVaultFile(root, sheet);
    if (problem) problems.push(problem);
    const notes = text === undefined ? [] : readPage(sheet, text, modified, settings).map(withSafeLinks);
    for (let from = 0; from === 0 || from < notes.length; from += batchSize) {
      yield { sheet, notes: notes.slice(from, from + batchSize) };
    }
    cost += costOfFile + (text?.length ?? 0);
    if (cost < charactersPerTurn) continue;
    cost = 0;
    reading.progress?.(at + 1, sheets.length);
    await nextTurn();
    reading.signal?.throwIfAborted();
  }
  for (const sentence of describeProblems(problems)) reading.warn(sentence);
}

/** The folder's real path. */
async function openFolder(place: string): Promise<string> {
  try {
    const stats = await stat(place);
    if (!stats.isDirectory())
      throw new DossierError("bad-input", `${place} is not a folder, so it is no vault of notes.`);
    return realpathSync.native(place);
  } catch (error) {
    if (error instanceof DossierError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    throw new DossierError(
      isMissing ? "not-found" : "not-readable",
      isMissing ? `${place} does not exist.` : `${place} cannot be read.`,
      {
        cause: error,
      },
    );
  }
}
