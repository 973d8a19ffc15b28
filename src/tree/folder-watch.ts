import { statfsSync, statSync, watch } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Reports changes in the folders of a listing from file system events, because a stat of every file takes 40 ms for
 * 5,700 files.
 */
export type FolderWatch = {
  /**
   * The paths whose content was edited since `reset` or `takeEdits`. Undefined when a file was added, removed or
   * renamed, and when this is unknown: events are trusted for a limited time only.
   */
  edits(): Promise<ReadonlySet<string> | undefined>;
  /** Marks the edits so far as handled: `edits` then reports only later ones. */
  takeEdits(): void;
  /** Starts over: what is listed after this call counts as unchanged. */
  reset(): void;
  close(): void;
};

type WatchOne = (
  path: string,
  options: { persistent: boolean },
  changed: (event?: string, name?: string | null) => void,
) => OneWatch;
type OneWatch = { close(): void; on(event: "error", listener: () => void): unknown };

/** Limit of watched folders, because all programs of a user share the system's watches. */
const mostFolders = 8000;
/**
 * Changes without an event, such as a write through mapped memory, are seen after this many milliseconds at the latest.
 */
const longestTrust = 30_000;

/**
 * File systems whose changes all come through this kernel: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS, bcachefs. On a
 * network file system other machines change files without an event here.
 */
const localFileSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

/**
 * Watches these folders, not their subfolders. Undefined where events are missing or may come late: only Linux queues
 * an event before the write returns.
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
  const edited = new Set<string>();
  let isUnknown = false;
  let trustedSince = performance.now();
  const close = () => {
    isUnknown = true;
    for (const each of watches.splice(0)) each.close();
  };
  try {
    for (const folder of folders) {
      const each = watchOne(`${root}/${folder}`, { persistent: false }, (event, name) => {
        if (event === "change" && name) edited.add(folder === "." ? name : `${folder}/${name}`);
        else isUnknown = true;
      });
      each.on("error", close);
      watches.push(each);
    }
  } catch (error) {
    close();
    // The limit of watches is reached, or a folder is gone: files are checked one by one instead.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
  return {
    async edits() {
      if (isUnknown || performance.now() - trustedSince > longestTrust) return undefined;
      // Events from before this call may still be queued: the second turn of the event loop comes after all queued
      // events were read.
      await nextTurn();
      await nextTurn();
      return isUnknown ? undefined : new Set(edited);
    },
    takeEdits: () => edited.clear(),
    reset() {
      edited.clear();
      isUnknown = watches.length === 0 && folders.length > 0;
      trustedSince = performance.now();
    },
    close,
  };
}

/** Whether all folders are on one local file system. */
function isLocalFileSystem(root: string, folders: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  // The type is signed on some architectures.
  if (!localFileSystems.has(statfsSync(root).type >>> 0)) return false;
  const { dev } = statSync(root);
  return folders.every((folder) => statSync(`${root}/${folder}`, { throwIfNoEntry: false })?.dev === dev);
}
