import { type FSWatcher, statfsSync, statSync, watch } from "node:fs";
import { join } from "node:path";

/** What was seen of a workspace: its folders, relative to the root. */
export type SeenFolders = { root: string; folders: readonly (readonly [folder: string, touched: number])[] };

/**
 * Tells that nothing has changed since it was last compared, without looking at every file: the kernel notes a change before the call that
 * makes it returns, so whoever asks after an edit finds it noted. Only where that is known to be complete: on Linux, on a file system of
 * this machine, with every folder watched. In all doubt it compares.
 */
export type ChangeWatch = {
  isUnchanged(seen: SeenFolders, compare: () => boolean): Promise<boolean>;
  close(): void;
};

/** Folders are watched in parts, so that a question does not wait for all of them. */
const atOnce = 100;
const mostFolders = 50_000;
/** Milliseconds after an answer until the watching is set up. */
const untilWatching = 20;
/** Milliseconds after which all is compared once more, after an answer: a write through mapped memory raises no event. */
const untilCompared = 10_000;

export function changeWatch(): ChangeWatch {
  const watchers = new Map<string, FSWatcher>();
  let events = 0;
  let armed: { seen: SeenFolders; events: number; comparedAt: number } | undefined;
  let wanted: SeenFolders | undefined;
  let isSettingUp = false;
  let isBroken = false;

  const close = () => {
    isBroken = true;
    armed = undefined;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };

  const add = (folder: string) => {
    const watcher = watch(folder, { persistent: false }, () => {
      events++;
    });
    // A folder that goes away is an event, too.
    watcher.on("error", () => {
      events++;
    });
    watchers.set(folder, watcher);
  };

  /** True when each of the folders is watched, and nothing else. */
  const watchAll = async ({ root, folders }: SeenFolders): Promise<boolean> => {
    const paths = new Set(folders.map(([folder]) => join(root, folder)));
    if (paths.size > mostFolders || !isLocal(root, paths)) return false;
    for (const [path, watcher] of watchers) {
      if (paths.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    let added = 0;
    for (const path of paths) {
      if (isBroken) return false;
      if (watchers.has(path)) continue;
      add(path);
      if (++added % atOnce === 0) await turn();
    }
    return true;
  };

  const setUp = async (compare: () => boolean) => {
    isSettingUp = true;
    try {
      while (wanted && !isBroken) {
        const seen: SeenFolders = wanted;
        wanted = undefined;
        if (!(await watchAll(seen))) return;
        const before = events;
        await turn();
        // What changed before a folder was watched is seen by comparing once more.
        if (compare() && events === before) armed = { seen, events, comparedAt: performance.now() };
      }
    } catch (error) {
      // The system's limit of watches, or a folder that is gone: from then on everything is compared.
      if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") close();
    } finally {
      isSettingUp = false;
    }
  };

  return {
    close,
    async isUnchanged(seen, compare) {
      if (armed?.seen === seen) {
        await turn();
        if (armed.seen === seen && armed.events === events) {
          if (performance.now() - armed.comparedAt < untilCompared) return true;
          const still = armed;
          still.comparedAt = performance.now();
          setTimeout(() => {
            if (armed === still && !compare()) armed = undefined;
          }, untilWatching).unref();
          return true;
        }
      }
      armed = undefined;
      const isSame = compare();
      if (isSame && !isBroken && isComplete) {
        wanted = seen;
        if (!isSettingUp) setTimeout(() => void setUp(compare), untilWatching).unref();
      }
      return isSame;
    },
  };
}

const isComplete = process.platform === "linux";

/** ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs: changes of other machines do not come to any of them. */
const local = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e]);

/** Whether all of it is on one file system of this machine. */
function isLocal(root: string, folders: Iterable<string>): boolean {
  if (!local.has(statfsSync(root).type)) return false;
  const { dev } = statSync(root);
  for (const folder of folders) if (statSync(folder).dev !== dev) return false;
  return true;
}

/** Once around the loop, so that what the kernel had noted before is told. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(() => setImmediate(done)));
}
