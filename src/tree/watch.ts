import type { FSWatcher } from "chokidar";
import { listFiles } from "./list.ts";
import { relativePath } from "./path-escape.ts";
import { hiddenFolders, skippedFolders } from "./skip-tables.ts";

export type WatchOptions = {
  /**
   * Called with the changed paths once changes pause; never again before it has finished. The first call comes when the
   * watching begins, with no paths: what changed before that is for the caller to find.
   */
  onChange(paths: string[]): void | Promise<void>;
  /** Told of what limits the watching, and of anything `onChange` throws. */
  onWarning(warning: string): void;
  /** Milliseconds of quiet that end a batch. */
  quiet?: number;
  /** Milliseconds between two listings where the system does not tell of changes. */
  pollEvery?: number;
  /** Do not ask the system at all. */
  poll?: boolean;
};

/** Something that watches until it is closed. */
export type Watcher = { readonly mode: "events" | "polling"; close(): Promise<void> };

const defaultQuiet = 100;
/** A batch goes out after this many milliseconds even while changes go on. */
const longestBatch = 1000;
const defaultPollEvery = 2000;
/** Folders without indexable files are not watched: what appears in one is found by a listing at this interval. */
const sweepEvery = 20_000;

/** Watches the files of a root that may be indexed: told by the system where it can, by comparing listings elsewhere. */
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
  #told: FSWatcher | undefined;
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
    await this.#told?.close();
    await this.#delivery;
  }

  async #list(): Promise<Map<string, string>> {
    const { files } = await listFiles(this.#root);
    return new Map(files.map(({ path, size, modified, touched }) => [path, `${size} ${modified} ${touched}`]));
  }

  /** Resolves when the system watches everything, or when it turned out that it cannot. */
  async #askSystem(): Promise<void> {
    const { watch } = await import("chokidar");
    const folders = foldersOf(this.#listed.keys());
    const left = new Set<string>();
    let scanning = true;
    const told = watch(this.#root, {
      ignoreInitial: true,
      followSymlinks: false,
      // A folder that has no listed files when the watching begins is one that git ignores; one that appears later is new.
      ignored: (path, stats) => {
        const inside = relativePath(this.#root, path);
        const name = inside.slice(inside.lastIndexOf("/") + 1);
        if (hiddenFolders.has(name) || skippedFolders.has(name)) return true;
        if (scanning && inside !== "" && stats?.isDirectory() && !folders.has(inside)) left.add(inside);
        return left.has(inside);
      },
    });
    this.#told = told;
    this.mode = "events";
    await new Promise<void>((ready) => {
      told.on("all", (_event, path) => this.#note(relativePath(this.#root, path)));
      told.on("ready", () => {
        scanning = false;
        ready();
      });
      told.on("error", (error) => {
        this.#fallBack(error as Error);
        ready();
      });
    });
  }

  /** Too many files for the system's watches, or a file system without them. */
  #fallBack(error: Error): void {
    if (this.mode === "polling" || this.#closed) return;
    this.mode = "polling";
    this.#options.onWarning(
      `Looking for changes every few seconds, because the system cannot tell of them: ${error.message}`,
    );
    this.#told?.close().catch(() => undefined); // it has failed already, and that was said
    this.#told = undefined;
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

  /** The same trouble at every poll is said once. */
  #warnOnce(warning: string): void {
    if (warning !== this.#lastWarning) this.#options.onWarning(warning);
    this.#lastWarning = warning;
  }

  #note(path: string): void {
    if (this.#closed) return;
    if (this.#changed.size === 0) this.#batchBegan = Date.now();
    this.#changed.add(path);
    const left = this.#batchBegan + longestBatch - Date.now();
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
