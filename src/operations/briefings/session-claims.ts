import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashText } from "../../text/hash.ts";
import { cacheFolder } from "../../workspace/database-paths.ts";

/**
 * What a client's session has received already. It is kept in the user's cache, since a workspace may have no index. If
 * the cache is lost, something is repeated.
 */

const daysKept = 7;
const day = 86_400_000;

/** True for the first caller; of several at once only one gets it. */
export function claim(root: string, session: string, purpose: string): boolean {
  const file = fileOf(root, session, purpose);
  try {
    prepare();
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    return ignoreFileError(error);
  }
}

export function unclaim(root: string, session: string, purpose: string): void {
  rmSync(fileOf(root, session, purpose), { force: true });
}

function recall(root: string, session: string, purpose: string): string | undefined {
  try {
    return readFileSync(fileOf(root, session, purpose), "utf8");
  } catch (error) {
    ignoreFileError(error);
    return undefined;
  }
}

export function keep(root: string, session: string, purpose: string, text: string): void {
  try {
    prepare();
    writeFileSync(fileOf(root, session, purpose), text, { mode: 0o600 });
  } catch (error) {
    ignoreFileError(error);
  }
}

/**
 * Bundles of what a client's session was given by the hook (`given`) and by the server (`answered`): each leaves out
 * what the other gave. They are separate processes that share only the client's session id. The server may repeat its
 * own answers, which an agent asks for when they are gone from its context; so the two are kept apart.
 */
export function bundleGiven(by: "given" | "answered", root: string, session: string): string | undefined {
  const stored = recall(root, session, by);
  // Any program of this user may have changed the file, so its content is checked.
  return stored !== undefined && /^bun-[0-9a-z]{1,20}$/.test(stored) ? stored : undefined;
}

function folder(): string {
  return join(cacheFolder(), "sessions");
}

function fileOf(root: string, session: string, purpose: string): string {
  return join(folder(), `${purpose}-${hashText(JSON.stringify([root, session]))}`);
}

/** Makes the folder, and clears it of sessions that are over. */
function prepare(): void {
  mkdirSync(folder(), { recursive: true });
  const limit = Date.now() - daysKept * day;
  for (const name of readdirSync(folder())) {
    const file = join(folder(), name);
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? limit;
    if (changed < limit) rmSync(file, { force: true });
  }
}

/**
 * A cache that cannot be read or written must not make the hook fail. Returns false (nothing is claimed), so nothing is
 * printed twice.
 */
function ignoreFileError(error: unknown): false {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (["EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "ENOSPC"].includes(code)) return false;
  throw error;
}
