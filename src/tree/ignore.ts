import { readFileSync } from "node:fs";
import { join } from "node:path";
import makeIgnore, { type Ignore } from "ignore";

/** One ignore file: the folder it lies in (relative, `""` or ending in `/`) and its rules. */
type Rules = { folder: string; matcher: Ignore };

const caseless = process.platform === "win32" || process.platform === "darwin";

/**
 * Ignore files of one tree, nested as git nests them: the deepest file that says something about a path decides, and
 * nothing below an ignored folder can be taken back.
 */
export class IgnoreFiles {
  readonly #rules: Rules[] = [];
  readonly #folders = new Map<string, boolean>();

  get empty(): boolean {
    return this.#rules.length === 0;
  }

  /** Adds the ignore file `name` of a folder; a missing or unreadable file says nothing. */
  add(root: string, folder: string, name: string): void {
    const text = readIfThere(join(root, folder, name));
    if (text === undefined) return;
    const matcher = makeIgnore({ allowRelativePaths: true, ignorecase: caseless }).add(text.replace(/^\uFEFF/, ""));
    this.#rules.push({ folder, matcher });
    this.#rules.sort((a, b) => b.folder.length - a.folder.length);
    this.#folders.clear();
  }

  /** True when the path, or a folder above it, is ignored. A folder's path ends in `/`. */
  ignores(path: string): boolean {
    if (this.#rules.length === 0) return false;
    const slash = path.lastIndexOf("/", path.length - 2);
    return (slash >= 0 && this.#ignoresFolder(path.slice(0, slash + 1))) || this.#rulesIgnore(path);
  }

  #ignoresFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const ignored = this.ignores(folder);
    this.#folders.set(folder, ignored);
    return ignored;
  }

  #rulesIgnore(path: string): boolean {
    for (const { folder, matcher } of this.#rules) {
      if (!path.startsWith(folder) || path.length === folder.length) continue;
      const verdict = matcher.test(path.slice(folder.length));
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    // Not there, a folder of that name, or not for us to read: then it rules nothing.
    if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "ELOOP"].includes(code)) return undefined;
    throw error;
  }
}
