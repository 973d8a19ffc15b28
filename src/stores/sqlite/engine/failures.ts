import { DossierError } from "../../../errors.ts";

/** SQLite's primary result codes that a user can meet, see https://www.sqlite.org/rescode.html. */
const general = 1;
const busy = 5;
const locked = 6;
const readOnly = 8;
const inputOutput = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notDatabase = 26;

// Growing the shared-memory file is the one place where SQLite reports a full disk as an I/O error.
const sharedMemorySize = inputOutput | (19 << 8);

const missingPart = /\bno such (?:column|table|index|collation sequence)\b|\bhas no column named\b/;

/** The content of a database: an index can be rebuilt, records cannot, so the advice about damage differs. */
export type Holding = "index" | "records";
const nouns: Record<Holding, string> = { index: "index", records: "record database" };

/** Turns an error of either driver into one that a user can act on; other errors are returned unchanged. */
export function asStoreFailure(thrown: unknown, path: string, holding: Holding = "index"): unknown {
  if (thrown instanceof DossierError || !(thrown instanceof Error)) return thrown;
  const code = resultCode(thrown);
  if (code === undefined) return thrown;
  const cause = { cause: thrown };
  const subject = `${nouns[holding]} ${path}`;
  const damaged = holding === "index" ? "store-damaged" : "records-damaged";
  if (code === sharedMemorySize) return new DossierError("disk-full", `No room to write the ${subject}.`, cause);
  switch (code & 0xff) {
    case general:
      // The schema is a text in the file and may be damaged like any other data. An index has its version checked, and
      // can be rebuilt.
      if (holding !== "records" || !missingPart.test(thrown.message)) return thrown;
      return new DossierError(damaged, `The ${subject} is damaged (${thrown.message}).`, cause);
    case busy:
    case locked:
      return new DossierError("store-locked", `The ${subject} is locked by another process.`, cause);
    case readOnly:
      return new DossierError("not-readable", `The ${subject} cannot be written: it is read-only.`, cause);
    case corrupt:
      return new DossierError(damaged, `The ${subject} is damaged.`, cause);
    case notDatabase:
      return new DossierError(damaged, `The file ${path} is not a database, or its beginning is damaged.`, cause);
    case full:
      return new DossierError("disk-full", `No room to write the ${subject}.`, cause);
    case cannotOpen:
      return new DossierError("not-readable", `The ${subject} cannot be opened.`, cause);
    default:
      return thrown;
  }
}

/**
 * node:sqlite puts the code in `errcode`, libsql in `rawCode`. If libsql cannot connect, the code is only in the
 * message.
 */
function resultCode(error: Error): number | undefined {
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown };
  if (typeof errcode === "number") return errcode;
  if (typeof rawCode === "number") return rawCode;
  const connection = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message);
  return connection ? Number(connection[1]) : undefined;
}
