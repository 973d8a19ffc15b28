/** The folders of a workspace as a tree with their files: roles depend on neighbours. */
export type Folder = {
  name: string;
  /** "" for the root; otherwise ends in `/`. */
  path: string;
  parent?: Folder;
  files: string[];
  folders: Map<string, Folder>;
  /** Counts of everything in it, at any depth. */
  counts: LayoutCounts;
};

/** `own`: see `IsOwnCode`; `script` and `typed` count the JavaScript and TypeScript files among the own code. */
type LayoutCounts = { prose: number; own: number; script: number; typed: number };

/** Whether a path is source code that is neither a test nor a tool's settings. */
export type IsOwnCode = (path: string) => boolean;

export function layoutOf(paths: Iterable<string>, isOwnCode: IsOwnCode): Folder {
  const root = newFolder("", "");
  const folders = new Map<string, Folder>([["", root]]);
  let last = root;
  for (const path of paths) {
    const slash = path.lastIndexOf("/") + 1;
    // Cache of the last folder, since files of one folder are mostly listed one after the other.
    if (slash !== last.path.length || !path.startsWith(last.path)) last = folderAt(path.slice(0, slash), folders);
    const name = path.slice(slash);
    last.files.push(name);
    count(last, name, isOwnCode);
  }
  return root;
}

function newFolder(name: string, path: string, parent?: Folder): Folder {
  const counts = { prose: 0, own: 0, script: 0, typed: 0 };
  return { name, path, ...(parent ? { parent } : {}), files: [], folders: new Map(), counts };
}

function folderAt(path: string, folders: Map<string, Folder>): Folder {
  const existing = folders.get(path);
  if (existing) return existing;
  const slash = path.lastIndexOf("/", path.length - 2) + 1;
  const parent = folderAt(path.slice(0, slash), folders);
  const name = path.slice(slash, -1);
  const folder = newFolder(name, path, parent);
  parent.folders.set(name, folder);
  folders.set(path, folder);
  return folder;
}

function count(folder: Folder, name: string, isOwnCode: IsOwnCode): void {
  const add = (kind: keyof LayoutCounts) => {
    for (let at: Folder | undefined = folder; at; at = at.parent) at.counts[kind]++;
  };
  if (isProseName(name)) add("prose");
  else if (isOwnCode(folder.path + name)) {
    add("own");
    if (scriptEnding.test(name)) add("script");
    else if (typedEnding.test(name) && !declarationEnding.test(name)) add("typed");
  }
}

export const scriptEnding = /\.[cm]?jsx?$/i;
export const declarationEnding = /\.d\.[cm]?ts$/i;
const typedEnding = /\.[cm]?tsx?$/i;

export const proseEnding = /\.(?:md|markdown|mdx|rst|rest|adoc|asciidoc|org|rdoc|pod|txt|html?|textile|wiki)$/i;

/** README, CHANGES, ChangeLog; a Makefile is not prose. */
const proseName = /^(?:[A-Z][A-Z_-]+|Change[Ll]og|Changes|History|News|Readme)$/;

export function isProseName(name: string): boolean {
  return proseEnding.test(name) || proseName.test(name);
}

/** Names of the texts in a folder at any depth, relative to it and in lower case, except those in `without`. */
export function textsIn(folder: Folder, without: ReadonlySet<Folder> = new Set()): Set<string> {
  const names = new Set<string>();
  const visit = (at: Folder) => {
    if (at.counts.prose === 0 || without.has(at)) return;
    const prefix = at.path.slice(folder.path.length);
    for (const name of at.files) if (isProseName(name)) names.add((prefix + name).toLowerCase());
    for (const inner of at.folders.values()) visit(inner);
  };
  visit(folder);
  return names;
}

/** How many of the first names are among the second, 0..1. */
export function share(names: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (names.size === 0) return 0;
  let common = 0;
  for (const name of names) if (others.has(name)) common++;
  return common / names.size;
}
