import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import type { OriginKind } from "../../note.ts";
import type { NoteReader } from "./reader.ts";

/**
 * Every reader, in the order in which they are asked whether they know a place: a folder of Markdown files is the least particular.
 * Adding one is a file in this folder and a line here. Each is loaded when it is first used.
 */
const loaders: Record<OriginKind, () => Promise<NoteReader>> = {
  supertag: async () => (await import("./supertag.ts")).supertag,
  "tana-export": async () => (await import("./tana-export.ts")).tanaExport,
  "tana-intermediate": async () => (await import("./tana-intermediate.ts")).tanaIntermediate,
  vault: async () => (await import("./vault.ts")).vault,
};

export const readers: readonly NoteReader[] = (Object.keys(loaders) as OriginKind[]).map((kind) =>
  loadedWhenUsed(kind, loaders[kind]),
);

/** What a kind is, for sentences: "… is a Tana export". */
export const kindWords: Readonly<Record<OriginKind, string>> = {
  supertag: "an index of supertag-cli",
  "tana-export": "a Tana export",
  "tana-intermediate": "a file in Tana Intermediate Format",
  vault: "a folder of Markdown notes",
};

function loadedWhenUsed(kind: OriginKind, load: () => Promise<NoteReader>): NoteReader {
  return {
    kind,
    recognises: async (place) => (await load()).recognises(place),
    list: async (place, signal) => (await load()).list(place, signal),
    async *read(place, sheets, reading) {
      yield* (await load()).read(place, sheets, reading);
    },
  };
}

/** The reader for a place: the one of the kind, or the first that knows what is there. Throws `not-found`, `not-readable` or `bad-input`. */
export async function readerFor(place: string, kind?: OriginKind): Promise<NoteReader> {
  await refuseAbsent(place);
  const named = readers.find((reader) => reader.kind === kind);
  if (named) return named;
  for (const reader of readers) if (await reader.recognises(place)) return reader;
  throw new DossierError("bad-input", `${place} is nothing that notes can be read from: it is neither ${tried()}.`);
}

/** At most so many entries of a folder are looked into, and so many named. */
const mostLooked = 50;
const mostNamed = 3;

/** Files in a folder that a reader knows: for someone who named the folder and meant what is in it. */
export async function knownInside(folder: string): Promise<{ name: string; kind: OriginKind }[]> {
  const found: { name: string; kind: OriginKind }[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of files.sort().slice(0, mostLooked)) {
    for (const reader of readers) {
      if (found.length === mostNamed) return found;
      if (await reader.recognises(join(folder, name))) found.push({ name, kind: reader.kind });
    }
  }
  return found;
}

function tried(): string {
  const words = readers.map(({ kind }) => kindWords[kind]);
  return `${words.slice(0, -1).join(", ")} nor ${words.at(-1)}`;
}

async function refuseAbsent(place: string): Promise<void> {
  try {
    await stat(place);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new DossierError("not-found", `${place} does not exist.`, { cause: error });
    throw new DossierError("not-readable", `${place} cannot be read: ${message}.`, { cause: error });
  }
}
