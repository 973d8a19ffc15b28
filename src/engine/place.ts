import { lstatSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where the engine of a workspace listens: in a private folder of the user, never in the workspace, which may be shared
 * or on a network.
 */
export type EnginePlace = {
  folder: string;
  /** The path of a socket, or the name of a pipe on Windows. */
  address: string;
  /**
   * A file with the token that a greeting must carry; only this user can read it. All engines of the folder share it.
   */
  tokenFile: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Systems accept 104 to 108 bytes; the temporary name that a socket is first bound to is somewhat longer. */
const longestAddress = 88;

/**
 * The place for a workspace's root, a real path; undefined if no folder is suitable. Another DOSSIER_HOME has other
 * records, and so its own engine.
 */
export function enginePlace(root: string, variables: Variables = process.env): EnginePlace | undefined {
  const name = fingerprint(`${root}\0${variables.DOSSIER_HOME ?? ""}`);
  const user = process.getuid?.() ?? fingerprint(variables.USERNAME ?? "");
  if (process.platform === "win32") {
    const folder = join(tmpdir(), `dossier-${user}`);
    return { folder, address: `\\\\.\\pipe\\dossier-${user}-${name}`, tokenFile: join(folder, "token") };
  }
  for (const folder of folders(user, variables)) {
    const address = join(folder, `${name}.sock`);
    if (Buffer.byteLength(address) <= longestAddress) return { folder, address, tokenFile: join(folder, "token") };
  }
  return undefined;
}

function* folders(user: number | string, { XDG_RUNTIME_DIR: runtime = "" }: Variables): Generator<string> {
  // sudo may leave another user's folder in the environment.
  if (isAbsolute(runtime) && statsOf(runtime)?.uid === user) yield join(runtime, "dossier");
  yield join(tmpdir(), `dossier-${user}`);
  yield `/tmp/dossier-${user}`;
}

const kinds = { folder: "isDirectory", file: "isFile", socket: "isSocket" } as const;

/** True for a path that exists, is not a link, belongs to this user and is closed to all others. */
export function isPrivate(path: string, kind: keyof typeof kinds): boolean {
  const stats = statsOf(path);
  if (!stats?.[kinds[kind]]()) return false;
  // Windows gives each user a temporary folder of their own.
  return process.platform === "win32" || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0);
}

/** Identifies a file independently of its name. Inode numbers are reused, so the time of birth is part of it. */
export function identityOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats && `${stats.dev} ${stats.ino} ${stats.birthtimeMs}`;
}

export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A path that cannot be read counts as missing.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
}

/** A 64-bit hash. Two roots with the same hash would share one engine, which answers for its own root only. */
export function fingerprint(text: string): string {
  let [high, low] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x85ebca6b);
    low = Math.imul(low ^ code, 0xc2b2ae35);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  const hex = (part: number) => (part >>> 0).toString(16).padStart(8, "0");
  return hex(high ^ (low >>> 16)) + hex(low ^ (high >>> 16));
}
