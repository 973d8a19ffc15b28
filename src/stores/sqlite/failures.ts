import { DossierError } from "../../errors.ts";

/** SQLite's primary result codes that a user can meet, see https://www.sqlite.org/rescode.html. */
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

/** An error thrown by either driver as the failure a user can act on; anything else is returned as it is. */
export function asStoreFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof DossierError || !(thrown instanceof Error)) return thrown;
  const code = resultCode(thrown);
  if (code === undefined) return thrown;
  const cause = { cause: thrown };
  if (code === sharedMemorySize) return new DossierError("disk-full", `No room to write the index ${path}.`, cause);
  switch (code & 0xff) {
    case busy:
    case locked:
      return new DossierError("store-locked", `The index ${path} is locked by another process.`, cause);
    case readOnly:
      return new DossierError("not-readable", `The index ${path} cannot be written: it is read-only.`, cause);
    case corrupt:
      return new DossierError("store-damaged", `The index ${path} is damaged.`, cause);
    case notDatabase:
      return new DossierError(
        "store-damaged",
        `The file ${path} is not a database, or its beginning is damaged.`,
        cause,
      );
    case full:
      return new DossierError("disk-full", `No room to write the index ${path}.`, cause);
    case cannotOpen:
      return new DossierError("not-readable", `The index ${path} cannot be opened.`, cause);
    default:
      return thrown;
  }
}

/** node:sqlite puts the code in `errcode`, libsql in `rawCode`, except when it cannot connect: then only in the message. */
function resultCode(error: Error): number | undefined {
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown };
  if (typeof errcode === "number") return errcode;
  if (typeof rawCode === "number") return rawCode;
  const connection = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message);
  return connection ? Number(connection[1]) : undefined;
}
