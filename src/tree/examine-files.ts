import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { type GeneratedDocs, generatedDocs, isGeneratedDoc } from "./generated-docs.ts";
import type { IgnoreFiles } from "./ignore.ts";
import { isInside, relativePath } from "./path-escape.ts";
import type { Skipped, SkipReason } from "./reasons.ts";
import { isHidden, reasonByPath, vendoredFolders } from "./skip.ts";

/** A file that may be indexed, as it is on disk. Times are milliseconds since 1970. */
export type ListedFile = {
  path: string;
  size: number;
  /** Last change of the content, as programs can set it. */
  modified: number;
  /** Last change of content or metadata (ctime), kept by the system: no program can set it back. */
  touched: number;
};

/**
 * Every file of a workspace that may be indexed, and the paths excluded by their name or folder. Paths are relative,
 * with `/`.
 */
export type TreeListing = {
  files: ListedFile[];
  skipped: Skipped[];
  warnings: string[];
  /** Folders whose generated pages are skipped. */
  generatedDocs: GeneratedDocs[];
};

/** Sorts the paths of one tree into files, links and skipped paths. */
export class Examination {
  readonly files: ListedFile[] = [];
  readonly skipped: Skipped[] = [];
  /** Paths that turned out to be folders: submodules and repositories inside this one. */
  readonly folders: string[] = [];
  readonly unreadableFolders: string[] = [];
  generatedDocs: GeneratedDocs[] = [];
  readonly #root: string;
  #seen: Set<string> | undefined;
  #last = "";
  readonly #links: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  skip(path: string, reason: SkipReason): void {
    this.skipped.push({ path, reason });
  }

  /** Marks a folder that cannot be read; its content is unknown. */
  skipFolder(folder: string): void {
    this.skip(folder, "unreadable");
    this.unreadableFolders.push(folder);
  }

  /** Examines one path. A path that its name excludes costs no system call. */
  examine(path: string): void {
    // Git lists a file with conflicts several times in a row.
    if (path === this.#last || this.#seen?.has(path)) return;
    this.#last = path;
    const reason = reasonByPath(path);
    if (reason) {
      this.skip(path, reason);
      return;
    }
    const stats = this.#lstat(path);
    // Git lists the file, but it is missing: it was deleted without `git rm`, or it is outside a sparse checkout.
    if (!stats) return;
    if (stats.isFile()) this.#add(path, stats);
    else if (stats.isSymbolicLink()) this.#links.push(path);
    else if (stats.isDirectory()) this.folders.push(path);
    else this.skip(path, "not-a-file");
  }

  /** After this call, a path may be passed a second time; paths that were examined already are ignored. */
  expectRepeats(): void {
    this.#seen = new Set([...this.files, ...this.skipped].map(({ path }) => path));
    for (const path of [...this.#links, ...this.folders]) this.#seen.add(path);
  }

  /** The checks that need the whole listing: links, vendored folders and the user's own ignore files. */
  finish(ignored: IgnoreFiles): void {
    this.#dropBehindLinks();
    this.#filter((path) => (ignored.ignores(path) ? "ignored" : undefined));
    const isWanted = (folder: string) => ignored.takesBack(folder);
    const vendored = [...vendoredFolders(this.files.map((file) => file.path))].filter((folder) => !isWanted(folder));
    if (vendored.length > 0) {
      this.#filter((path) => (vendored.some((folder) => path.startsWith(folder)) ? "vendored" : undefined));
    }
    const paths = this.files.map((file) => file.path);
    this.generatedDocs = generatedDocs(this.#root, paths, isWanted);
    if (this.generatedDocs.length > 0) {
      const isOne = (path: string) => this.generatedDocs.some(({ folder }) => isGeneratedDoc(path, folder));
      this.#filter((path) => (isOne(path) ? "generated-docs" : undefined));
    }
    this.#followLinks(ignored);
  }

  #lstat(path: string): Stats | undefined {
    try {
      const stats = lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
      if (!stats && path.includes("\uFFFD")) this.skip(path, "odd-name");
      return stats;
    } catch {
      // Whatever the error (no permission, name too long, a loop of links), the file cannot be read.
      this.skip(path, "unreadable");
      return undefined;
    }
  }

  #add(path: string, stats: Stats): void {
    this.files.push({ path, size: stats.size, modified: stats.mtimeMs, touched: stats.ctimeMs });
  }

  #filter(reasonOf: (path: string) => SkipReason | undefined): void {
    let length = 0;
    for (const file of this.files) {
      const reason = reasonOf(file.path);
      if (reason) this.skip(file.path, reason);
      else this.files[length++] = file;
    }
    this.files.length = length;
  }

  /** Git may track files in a folder that has since become a link; those are reached through the link only. */
  #dropBehindLinks(): void {
    if (this.#links.length === 0) return;
    const links = new Set(this.#links);
    this.#filter((path) => {
      for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
        if (links.has(path.slice(0, slash))) return "link";
      }
      return undefined;
    });
  }

  #followLinks(ignored: IgnoreFiles): void {
    if (this.#links.length === 0) return;
    const indexed = new Set(this.files.map((file) => file.path));
    for (const path of this.#links) {
      const outcome = ignored.ignores(path) ? "ignored" : this.#followLink(path, indexed, ignored);
      if (typeof outcome === "string") this.skip(path, outcome);
      else this.#add(path, outcome);
    }
  }

  /**
   * The target of a link if it is inside the root and not indexed under its own path; otherwise the reason to skip it.
   */
  #followLink(path: string, indexed: Set<string>, ignored: IgnoreFiles): Stats | SkipReason {
    let target: string;
    let stats: Stats;
    try {
      target = realpathSync.native(`${this.#root}/${path}`);
      stats = statSync(target);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      return code === "EACCES" || code === "EPERM" ? "unreadable" : "broken-link";
    }
    if (!isInside(this.#root, target)) return "outside-root";
    const real = relativePath(this.#root, target);
    if (stats.isDirectory() || isHidden(real) || indexed.has(real)) return "link";
    if (!stats.isFile()) return "not-a-file";
    if (ignored.ignores(real)) return "ignored";
    indexed.add(real);
    return reasonByPath(real) ?? stats;
  }
}
