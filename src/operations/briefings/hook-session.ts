import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashText } from "../../text/hash.ts";
import { cacheFolder } from "../../workspace/database-paths.ts";

/**
 * What a client's session was told already, in the user's cache: a workspace may have no index to keep it in. Losing it costs saying
 * something twice.
 */

const daysKept = 7;
const day = 86_400_000;

/** True for whoever comes first; of several at once only one. */
export function claim(root: string, session: string, what: string): boolean {
  const file = fileOf(root, session, what);
  try {
    prepare();
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    return passable(error);
  }
}

export function unclaim(root: string, session: string, what: string): void {
  rmSync(fileOf(root, session, what), { force: true });
}

function recall(root: string, session: string, what: string): string | undefined {
  try {
    return readFileSync(fileOf(root, session, what), "utf8");
  } catch (error) {
    passable(error);
    return undefined;
  }
}

export function keep(root: string, session: string, what: string, text: string): void {
  try {
    prepare();
    writeFileSync(fileOf(root, session, what), text, { mode: 0o600 });
  } catch (error) {
    passable(error);
  }
}

/**
 * What a client's session was given by the hook (`given`) and by the server (`answered`): each leaves out what the other gave. They are
 * processes of their own that know of each other by the client's name for its session. The server may give its own answers again, which
 * an agent asks for when they are gone from its context; so the two are kept apart.
 */
export function bundleGiven(by: "given" | "answered", root: string, session: string): string | undefined {
  const kept = recall(root, session, by);
  // What was kept is a file that anyone of this user may have changed.
  return kept !== undefined && /^bun-[0-9a-z]{1,20}$/.test(kept) ? kept : undefined;
}

function folder(): string {
  return join(cacheFolder(), "sessions");
}

function fileOf(root: string, session: string, what: string): string {
  return join(folder(), `${what}-${hashText(JSON.stringify([root, session]))}`);
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

/** A cache that cannot be read or written is no reason to fail, and none to say everything twice. */
function passable(error: unknown): false {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (["EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "ENOSPC"].includes(code)) return false;
  throw error;
}
