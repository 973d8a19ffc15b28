import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import type { OriginKind } from "../../note.ts";
import type { NoteReader } from "./reader.ts";

/**
 * Every reader, in the order in which they are tried: a folder of Markdown files is the least specific. Adding one is a
 * folder here and a line in this file. Each is loaded on first use.
 */
const loaders: Record<OriginKind, () => Promise<NoteReader>> = {
  supertag: async () => (await import("./supertag/supertag.ts")).supertag,
  "tana-export": async () => (await import("./tana/export.ts")).tanaExport,
  "tana-intermediate": async () => (await import("./intermediate/intermediate.ts")).tanaIntermediate,
  vault: async () => (await import("./vault/vault.ts")).vault,
};

export const readers: readonly NoteReader[] = (Object.keys(loaders) as OriginKind[]).map((kind) =>
  loadedWhenUsed(kind, loaders[kind]),
);

/** The name of a kind in sentences: "… is a Tana export". */
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

/** The reader of a kind, or the first that recognises the place. Throws `not-found`, `not-readable` or `bad-input`. */
export async function readerFor(place: string, kind?: OriginKind): Promise<NoteReader> {
  await refuseAbsent(place);
  const ofKind = readers.find((reader) => reader.kind === kind);
  if (ofKind) return ofKind;
  for (const reader of readers) if (await reader.recognises(place)) return reader;
  throw new DossierError("bad-input", `${place} is nothing that notes can be read from: it is neither ${kindList()}.`);
}

/** Limits of entries of a folder that are examined, and that are named. */
const mostExamined = 50;
const mostNamed = 3;

/** Files in a folder that a reader recognises: for someone who named the folder and meant a file in it. */
export async function recognisedFiles(folder: string): Promise<{ name: string; kind: OriginKind }[]> {
  const recognised: { name: string; kind: OriginKind }[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of files.sort().slice(0, mostExamined)) {
    for (const reader of readers) {
      if (recognised.length === mostNamed) return recognised;
      if (await reader.recognises(join(folder, name))) recognised.push({ name, kind: reader.kind });
    }
  }
  return recognised;
}

function kindList(): string {
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
