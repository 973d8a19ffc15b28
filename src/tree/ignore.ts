import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import makeIgnore, { type Ignore } from "ignore";

const caseless = process.platform === "win32" || process.platform === "darwin";

/**
 * Ignore files of one tree, nested as git nests them: the last rule that matches decides, rules of deeper files come
 * after those above, and nothing below an ignored folder can be taken back. Folders are "" or end in `/`.
 */
export class IgnoreFiles {
  /** Rules by the folder of their file, as patterns from the top of the tree. */
  readonly #rules = new Map<string, string[]>();
  /** For each folder, the rules of every file from the top down to it. */
  readonly #matchers = new Map<string, Ignore>();

  /** Adds the ignore file `name` of a folder; a missing or unreadable file has no rules. */
  add(root: string, folder: string, name: string): void {
    const text = readIfThere(join(root, folder, name));
    if (text === undefined) return;
    const rules = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    this.#rules.set(folder, [...(this.#rules.get(folder) ?? []), ...rules.map((rule) => fromTop(folder, rule))]);
    this.#matchers.clear();
  }

  /** True when the path, or a folder above it, is ignored. A folder's path ends in `/`. */
  ignores(path: string): boolean {
    if (this.#rules.size === 0) return false;
    return this.#matcher(parentOf(path)).ignores(path);
  }

  /** True when a negated rule includes the folder, or one above it: `!docs/api/`. A folder's path ends in `/`. */
  takesBack(folder: string): boolean {
    if (this.#rules.size === 0) return false;
    for (let at = folder; at !== ""; at = parentOf(at)) if (this.#matcher(parentOf(at)).test(at).unignored) return true;
    return false;
  }

  #matcher(folder: string): Ignore {
    const cached = this.#matchers.get(folder);
    if (cached) return cached;
    const own = this.#rules.get(folder);
    let matcher: Ignore;
    if (folder === "") matcher = emptyMatcher().add(own ?? []);
    else if (own)
      matcher = emptyMatcher()
        .add(this.#matcher(parentOf(folder)))
        .add(own);
    else matcher = this.#matcher(parentOf(folder));
    this.#matchers.set(folder, matcher);
    return matcher;
  }
}

function emptyMatcher(): Ignore {
  return makeIgnore({ allowRelativePaths: true, ignorecase: caseless });
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}

/** A rule of the ignore file in `folder`, rewritten for an ignore file at the top. */
function fromTop(folder: string, rule: string): string {
  if (folder === "" || rule === "" || rule.startsWith("#")) return rule;
  const negative = rule.startsWith("!") ? "!" : "";
  const pattern = rule.slice(negative.length);
  // A slash at the start or in the middle ties a pattern to its folder; others match at any depth below it.
  const tied = /\/(?!\s*$)/.test(pattern);
  const place = `/${folder.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
  return `${negative}${place}${tied ? "" : "**/"}${pattern.replace(/^\//, "")}`;
}

function readIfThere(path: string): string | undefined {
  try {
    // Reading a pipe of that name would block for ever.
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    // Missing or not readable: no rules.
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"].includes(code)) return undefined;
    throw error;
  }
}
