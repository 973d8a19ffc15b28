import type { FSWatcher } from "chokidar";
import { listFiles } from "./list.ts";
import { relativePath } from "./path-escape.ts";
import { hiddenFolders, skippedFolders } from "./skip-tables.ts";

export type WatchOptions = {
  /**
   * Called with the changed paths when changes pause, and never again before the previous call has finished. The first
   * call is made without paths when watching begins: the caller must find earlier changes itself.
   */
  onChange(paths: string[]): void | Promise<void>;
  /** Called with problems of watching, and with anything that `onChange` throws. */
  onWarning(warning: string): void;
  /** Milliseconds without changes that end a batch. */
  quiet?: number;
  /** Milliseconds between two listings in polling mode. */
  pollEvery?: number;
  /** Use polling only. */
  poll?: boolean;
};

/** Something that watches until it is closed. */
export type Watcher = { readonly mode: "events" | "polling"; close(): Promise<void> };

const defaultQuiet = 100;
/** A batch is sent after this many milliseconds even if changes continue. */
const longestBatch = 1000;
const defaultPollEvery = 2000;
/** Folders without indexable files are not watched: new files in them are found by a listing at this interval. */
const sweepEvery = 20_000;

/** Watches the indexable files of a root: by file system events where possible, else by comparing listings. */
export async function watchFiles(root: string, options: WatchOptions): Promise<Watcher> {
  const watch = new Watch(root, options);
  await watch.open();
  return watch;
}

class Watch implements Watcher {
  mode: Watcher["mode"] = "polling";
  readonly #root: string;
  readonly #options: WatchOptions;
  readonly #changed = new Set<string>();
  #listed = new Map<string, string>();
  #watcher: FSWatcher | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #batchTimer: NodeJS.Timeout | undefined;
  #batchBegan = 0;
  #delivery: Promise<void> = Promise.resolve();
  #lastWarning = "";
  #closed = false;

  constructor(root: string, options: WatchOptions) {
    this.#root = root;
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#listed = await this.#list();
    if (!this.#options.poll) await this.#askSystem();
    this.#schedulePoll();
    this.#deliver(true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#batchTimer);
    await this.#watcher?.close();
    await this.#delivery;
  }

  async #list(): Promise<Map<string, string>> {
    const { files } = await listFiles(this.#root);
    return new Map(files.map(({ path, size, modified, touched }) => [path, `${size} ${modified} ${touched}`]));
  }

  /** Resolves when everything is watched, or when watching turned out to be impossible. */
  async #askSystem(): Promise<void> {
    const { watch } = await import("chokidar");
    const folders = foldersOf(this.#listed.keys());
    const ignoredFolders = new Set<string>();
    let scanning = true;
    const watcher = watch(this.#root, {
      ignoreInitial: true,
      followSymlinks: false,
      // A folder without listed files at the start is ignored by git; a folder that appears later is new.
      ignored: (path, stats) => {
        const inside = relativePath(this.#root, path);
        const name = inside.slice(inside.lastIndexOf("/") + 1);
        if (hiddenFolders.has(name) || skippedFolders.has(name)) return true;
        if (scanning && inside !== "" && stats?.isDirectory() && !folders.has(inside)) ignoredFolders.add(inside);
        return ignoredFolders.has(inside);
      },
    });
    this.#watcher = watcher;
    this.mode = "events";
    await new Promise<void>((ready) => {
      watcher.on("all", (_event, path) => this.#note(relativePath(this.#root, path)));
      watcher.on("ready", () => {
        scanning = false;
        ready();
      });
      watcher.on("error", (error) => {
        this.#fallBack(error as Error);
        ready();
      });
    });
  }

  /** Switches to polling: the files exceed the system's limit of watches, or the file system has no events. */
  #fallBack(error: Error): void {
    if (this.mode === "polling" || this.#closed) return;
    this.mode = "polling";
    this.#options.onWarning(
      `Looking for changes every few seconds, because the system cannot tell of them: ${error.message}`,
    );
    this.#watcher?.close().catch(() => undefined); // it has failed already, and that was reported
    this.#watcher = undefined;
    this.#schedulePoll();
  }

  #schedulePoll(): void {
    clearTimeout(this.#pollTimer);
    if (this.#closed) return;
    const every = this.mode === "events" ? sweepEvery : (this.#options.pollEvery ?? defaultPollEvery);
    this.#pollTimer = setTimeout(() => {
      this.#poll()
        .catch((error: Error) => this.#warnOnce(`Could not list the workspace: ${error.message}`))
        .finally(() => this.#schedulePoll());
    }, every);
  }

  async #poll(): Promise<void> {
    const now = await this.#list();
    for (const [path, state] of now) if (this.#listed.get(path) !== state) this.#note(path);
    for (const path of this.#listed.keys()) if (!now.has(path)) this.#note(path);
    this.#listed = now;
  }

  /** The same problem at every poll is reported once. */
  #warnOnce(warning: string): void {
    if (warning !== this.#lastWarning) this.#options.onWarning(warning);
    this.#lastWarning = warning;
  }

  #note(path: string): void {
    if (this.#closed) return;
    if (this.#changed.size === 0) this.#batchBegan = performance.now();
    this.#changed.add(path);
    const left = this.#batchBegan + longestBatch - performance.now();
    clearTimeout(this.#batchTimer);
    this.#batchTimer = setTimeout(
      () => this.#deliver(),
      Math.max(0, Math.min(this.#options.quiet ?? defaultQuiet, left)),
    );
  }

  #deliver(first = false): void {
    this.#delivery = this.#delivery.then(async () => {
      const paths = [...this.#changed].sort();
      this.#changed.clear();
      if ((paths.length === 0 && !first) || this.#closed) return;
      try {
        await this.#options.onChange(paths);
      } catch (error) {
        this.#options.onWarning((error as Error).message);
      }
    });
  }
}

/** Every folder above these paths. */
function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
