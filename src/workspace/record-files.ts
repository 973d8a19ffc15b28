import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DossierError } from "../errors.ts";
import type { LibraryStore } from "../stores/library.ts";
import { readOnly } from "../stores/read-only.ts";
import type { RecordStore } from "../stores/records.ts";
import { cannotBeMade, locateRecords, recordsBeside, userRecords } from "./database-paths.ts";
import { localOwner } from "./local-owner.ts";

/**
 * The files with the records and the library of a workspace, and with the user's records for all workspaces. Each is
 * opened on first use. A failure to open records is not kept, since the file may have been restored by the next use.
 */
export class RecordFiles {
  readonly #root: string;
  readonly #databasePath: string;
  #records: Promise<RecordStore> | undefined;
  #userRecords: Promise<RecordStore> | undefined;
  #library: Promise<LibraryStore> | undefined;

  constructor(root: string, databasePath: string) {
    this.#root = root;
    this.#databasePath = databasePath;
  }

  records(): Promise<RecordStore> {
    this.#records ??= this.#openRecords().catch((error: unknown) => {
      this.#records = undefined;
      throw error;
    });
    return this.#records;
  }

  library(): Promise<LibraryStore> {
    this.#library ??= this.#openLibrary();
    return this.#library;
  }

  /** False if nothing was ever stored. */
  exist(): boolean {
    if (this.#records !== undefined) return true;
    return existsSync(locateRecords(this.#root, this.#databasePath)?.path ?? "") || this.#hasUserRecords();
  }

  bytes(): number {
    return statSync(recordsBeside(this.#databasePath), { throwIfNoEntry: false })?.size ?? 0;
  }

  async close(): Promise<void> {
    // The caller that asked for them got the failure to open them.
    await (await this.#records?.catch(() => undefined))?.close();
    await (await this.#userRecords?.catch(() => undefined))?.close();
    await (await this.#library?.catch(() => undefined))?.close();
  }

  async #openRecords(): Promise<RecordStore> {
    const [{ openSqliteRecords }, { layeredRecords }] = await Promise.all([
      import("../stores/sqlite/records/records.ts"),
      import("../stores/layered-records.ts"),
    ]);
    const { path, writable } = this.#place();
    const stored = await openSqliteRecords(path);
    const records = writable ? stored : readOnly(stored, this.#refusal());
    return layeredRecords(records, async (owner, create) => {
      // An owner on another machine may have the same name as this machine's user.
      if (owner !== localOwner || !(create || this.#hasUserRecords())) return undefined;
      if (create) makeUserFolder();
      this.#userRecords ??= openSqliteRecords(userRecords()).catch((error: unknown) => {
        this.#userRecords = undefined;
        throw error;
      });
      return this.#userRecords;
    });
  }

  async #openLibrary(): Promise<LibraryStore> {
    const { openSqliteLibrary } = await import("../stores/sqlite/library/library.ts");
    const { path, writable } = this.#place();
    const stored = await openSqliteLibrary(path);
    return writable ? stored : readOnly(stored, this.#refusal());
  }

  #place(): { path: string; writable: boolean } {
    const place = locateRecords(this.#root, this.#databasePath);
    if (!place) throw new DossierError("not-readable", this.#refusal());
    return place;
  }

  #refusal(): string {
    return `${this.#root} cannot be written, so nothing can be written down there.`;
  }

  #hasUserRecords(): boolean {
    return this.#userRecords !== undefined || existsSync(userRecords());
  }
}

/** Makes the folder of the user's records for all workspaces, private like the folders of workspaces. */
function makeUserFolder(): void {
  const folder = dirname(userRecords());
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!cannotBeMade(error)) throw error;
    throw new DossierError(
      "not-readable",
      `What holds in all workspaces cannot be written down: there is no folder ${folder}, and none can be made.`,
      { cause: error },
    );
  }
}
