import type { SkipReason } from "./reasons.ts";
import {
  byExtension,
  byName,
  byPattern,
  changelogNames,
  exceptionHint,
  exceptions,
  fixtureFolders,
  hiddenFolders,
  largestByExtension,
  largestFixture,
  patternHint,
  skippedFolders,
  vendorFolders,
} from "./skip-tables.ts";

export const defaultMaxFileBytes = 1024 * 1024;

/**
 * Why a path is skipped by its name alone. It runs for every file before every query, so it takes only a few table
 * look-ups.
 */
export function reasonByPath(path: string): SkipReason | undefined {
  const slash = path.lastIndexOf("/");
  if (exceptionHint.test(path) && exceptions.test(path)) return undefined;
  const folderReason = reasonByFolder(path, slash);
  if (folderReason) return folderReason;
  const name = path.slice(slash + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  const reason = (dot >= 0 ? byExtension.get(name.slice(dot + 1)) : undefined) ?? byName.get(name);
  if (reason) return reason;
  if (!patternHint.test(name)) return undefined;
  for (const [pattern, reason] of byPattern) if (pattern.test(name)) return reason;
  return undefined;
}

/** Cache of the last answer: a listing is sorted by folder, so the answer is mostly valid for the next path. */
let lastFolder = "";
let lastReason: SkipReason | undefined;

function reasonByFolder(path: string, slash: number): SkipReason | undefined {
  if (slash <= 0) return undefined;
  if (slash !== lastFolder.length || !path.startsWith(lastFolder)) {
    lastFolder = path.slice(0, slash);
    lastReason = undefined;
    for (const segment of lastFolder.split("/")) lastReason ??= skippedFolders.get(segment);
  }
  return lastReason;
}

/** True inside `.git`, `.dossier` and the like, which Dossier ignores completely. */
export function isHidden(path: string): boolean {
  return path.split("/").some((segment) => hiddenFolders.has(segment) || segment.toLowerCase() === ".git");
}

/** Why a file is skipped by its name and size. */
export function reasonBySize(path: string, size: number, maxFileBytes: number): SkipReason | undefined {
  if (size > maxFileBytes) return "too-large";
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const largest = largestByExtension.get(extension);
  if (largest === undefined || size <= largestFixture) return undefined;
  if (size > largest && !changelogNames.test(path)) return "data";
  return path.split("/").some((segment) => fixtureFolders.has(segment)) ? "data" : undefined;
}

const directManifest = /^(?:modules\.txt|autoload\.php|manifest|bundle|gopkg\.lock|manifest\.lock)$/i;
const nestedManifest = /^(?:licen[cs]e|copying)(?:[._-].*)?$|^(?:package|composer|bower)\.json$|^go\.mod$|\.gemspec$/i;

/**
 * The folders, each ending in `/`, that hold vendored code: called `vendor` or the like, with a package manager's list
 * in them or a licence or package file in a subfolder. A folder that only has such a name (a shop's vendors) does not
 * count.
 */
export function vendoredFolders(paths: Iterable<string>): Set<string> {
  const vendored = new Set<string>();
  for (const path of paths) {
    if (!/vendor|third|pods/i.test(path)) continue;
    const segments = path.split("/");
    const at = segments.findIndex((segment) => vendorFolders.has(segment.toLowerCase()));
    if (at < 0 || at === segments.length - 1) continue;
    const name = segments[segments.length - 1]!;
    const direct = at === segments.length - 2;
    if ((direct ? directManifest : nestedManifest).test(name)) vendored.add(segments.slice(0, at + 1).join("/") + "/");
  }
  return vendored;
}
