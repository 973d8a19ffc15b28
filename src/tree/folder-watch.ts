import { statfsSync, statSync, watch } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Whether anything changed in the folders of a listing, told by the system: asking every file takes 40 ms for 5,700 of them. */
export type FolderWatch = {
  /** True when nothing has changed since `reset`, as far as the system tells; it is believed for some time only. */
  isQuiet(): Promise<boolean>;
  /** What is looked at from now on has no changes yet. */
  reset(): void;
  close(): void;
};

type WatchOne = (path: string, options: { persistent: boolean }, changed: () => void) => OneWatch;
type OneWatch = { close(): void; on(event: "error", listener: () => void): unknown };

/** Watches are a resource that all programs of a user share. */
const mostFolders = 8000;
/** What no event tells of, such as a write through mapped memory, is seen after this many milliseconds at the latest. */
const longestTrust = 30_000;

/**
 * File systems whose changes all come through this system: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS, bcachefs. On a network another
 * machine changes files, and nobody here is told.
 */
const localFileSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

/**
 * Watches these folders, not what is below them. Undefined where the system cannot tell, or not at once: only Linux queues an event before
 * the write returns.
 */
export function watchFolders(
  root: string,
  folders: readonly string[],
  {
    watchOne = watch,
    isLocal = isLocalFileSystem,
  }: { watchOne?: WatchOne; isLocal?: (root: string, folders: readonly string[]) => boolean } = {},
): FolderWatch | undefined {
  if (folders.length > mostFolders || !isLocal(root, folders)) return undefined;
  const watches: OneWatch[] = [];
  let isChanged = false;
  let trustedSince = performance.now();
  const changed = () => {
    isChanged = true;
  };
  const close = () => {
    isChanged = true;
    for (const each of watches.splice(0)) each.close();
  };
  try {
    for (const folder of folders) {
      const each = watchOne(`${root}/${folder}`, { persistent: false }, changed);
      each.on("error", close);
      watches.push(each);
    }
  } catch (error) {
    close();
    // The limit of watches is reached, or a folder has gone meanwhile: files are looked at instead.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
  return {
    async isQuiet() {
      if (isChanged || performance.now() - trustedSince > longestTrust) return false;
      // What happened before this question may wait to be read: the second turn of the loop comes after a look at all that waits.
      await nextTurn();
      await nextTurn();
      return !isChanged;
    },
    reset() {
      isChanged = watches.length === 0 && folders.length > 0;
      trustedSince = performance.now();
    },
    close,
  };
}

/** Whether all of it is on one file system of this machine. */
function isLocalFileSystem(root: string, folders: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  // Signed on some architectures.
  if (!localFileSystems.has(statfsSync(root).type >>> 0)) return false;
  const { dev } = statSync(root);
  return folders.every((folder) => statSync(`${root}/${folder}`, { throwIfNoEntry: false })?.dev === dev);
}
