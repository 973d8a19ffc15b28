/**
 * Resolves an import to workspace files by paths alone. Of all build configuration, only module and crate names are
 * read, so this is a good guess for many languages, not a compiler's answer.
 */

/** Names of files that represent their folder. */
const folderFiles = new Set(["index", "__init__", "mod", "lib", "main", "package"]);
const scriptExtension = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|css|scss|less|json)$/;
/** Folders in which an import may start. */
const sourceRoots = ["", "src", "lib", "app"];
const mostTargets = 5;
/** A Go package or a namespace is a folder: all its files, up to this limit. */
const mostFolderTargets = 20;

/** The file paths of a workspace, indexed for looking up modules. Keys are lower case. */
export type ModulePaths = {
  /** Paths by the last part of their stem, or of their folder for files that represent it. */
  byLast: Map<string, { stem: string; path: string }[]>;
  byFolder: Map<string, string[]>;
  /** The entries of `byFolder`, in its order, by the last part of their path. */
  byLastFolder: Map<string, [folder: string, files: string[]][]>;
  /** Module names of the workspace's go.mod files with their folders, the longest name first. */
  goModules: NamedModule[];
  /** Crates by their names in code. */
  crates: Map<string, NamedModule>;
};

/** A module and its folder, as a manifest declares them. */
export type NamedModule = { name: string; folder: string; language: "go" | "rust" };

export function arrangePaths(paths: Iterable<string>, modules: NamedModule[] = []): ModulePaths {
  const byLast: ModulePaths["byLast"] = new Map();
  const byFolder: ModulePaths["byFolder"] = new Map();
  for (const path of paths) {
    const stem = stemOf(path).toLowerCase();
    const folder = folderOf(stem);
    add(byLast, lastSegment(stem), { stem, path });
    if (folderFiles.has(lastSegment(stem))) add(byLast, lastSegment(folder), { stem: folder, path });
    add(byFolder, folder, path);
  }
  const byLastFolder: ModulePaths["byLastFolder"] = new Map();
  for (const entry of byFolder) add(byLastFolder, lastSegment(entry[0]), entry);
  const goModules = modules.filter(({ language }) => language === "go");
  const crates = modules.filter(({ language }) => language === "rust");
  return {
    byLast,
    byFolder,
    byLastFolder,
    goModules: goModules.toSorted((a, b) => b.name.length - a.name.length),
    crates: new Map(crates.map((each) => [each.name.replaceAll("-", "_"), each])),
  };
}

/** Matches names without a separator: most names, which need no split. */
const isOnePart = /^[\w$]+$/;

/** The look-up key of a link's target: the last name in `a.b.c`, `a::b`, `./x/y.js`. */
export function lastPart(name: string): string {
  if (isOnePart.test(name)) return name;
  if (name.includes("/") || name.startsWith(".")) {
    const segments = name.split("/").filter((segment) => segment !== "" && segment !== "." && segment !== "..");
    const last = segments.at(-1) ?? name;
    return (name.includes("/") ? stemOf(last) : last.split(".").filter(Boolean).at(-1)) || name;
  }
  return (
    name
      // `#` at the beginning of a part marks a private name in JavaScript.
      .split(/\.|::|->|(?<=[^.])#|\\/)
      .filter(Boolean)
      .at(-1) ?? name
  );
}

/** The names under which imports of this file may be stored (see `lastPart`), besides the names it defines. */
export function importNames(path: string): string[] {
  const stem = stemOf(path);
  const names = [lastSegment(stem), lastSegment(folderOf(stem))].filter((name) => name !== "");
  return [...new Set([...names, ".", ".."])];
}

/** Paths that `name`, imported by the file `from`, may mean; nearest first, empty when it is not in the workspace. */
export function resolveModule(name: string, from: string, paths: ModulePaths): string[] {
  const matches = candidates(name, from, paths);
  const extension = extensionOf(from);
  const unique = [...new Set(matches.files)].filter((path) => path !== from);
  unique.sort(
    (a, b) =>
      Number(extensionOf(b) === extension) - Number(extensionOf(a) === extension) ||
      sharedFolders(b, from) - sharedFolders(a, from) ||
      (a < b ? -1 : 1),
  );
  return unique.slice(0, matches.folder ? mostFolderTargets : mostTargets);
}

type Found = { files: string[]; folder?: boolean };

function candidates(name: string, from: string, paths: ModulePaths): Found {
  const folder = folderOf(from);
  if (/^\.{1,2}(\/|$)/.test(name)) return { files: exactly(join(folder, name), paths) };
  const dots = /^\.+/.exec(name)?.[0].length ?? 0;
  if (dots > 0) {
    const base = join(folder, "../".repeat(dots - 1));
    return { files: shortened(join(base, name.slice(dots).replaceAll(".", "/")), base, paths) };
  }
  if (/^(crate|self|super)(::|$)/.test(name)) return { files: rustModule(name, from, paths) };
  if (extensionOf(from) === "rs") {
    const files = crateModule(name, paths);
    if (files.length > 0) return { files };
  }
  return absolute(name, from, paths);
}

/** `crate` is the nearest `src` folder; `a/b.rs` and `a/b/mod.rs` are both the module `a::b`. */
function rustModule(name: string, from: string, paths: ModulePaths): string[] {
  const stem = stemOf(from);
  let base = folderFiles.has(lastSegment(stem)) ? folderOf(stem) : stem;
  const segments = name.split("::");
  if (segments[0] === "crate") base = /^(?:.*\/)?src(?=\/)/.exec(from)?.[0] ?? "";
  while (segments[0] === "self" || segments[0] === "super" || segments[0] === "crate") {
    if (segments.shift() === "super") base = folderOf(base);
  }
  return shortened(join(base, segments.join("/")), base, paths);
}

/** `shop_core::till::Till`: another crate of the workspace, or the crate that a test file belongs to. */
function crateModule(name: string, paths: ModulePaths): string[] {
  const [crateName = "", ...rest] = name.split("::");
  const crate = paths.crates.get(crateName);
  if (!crate) return [];
  const base = join(crate.folder, "src").toLowerCase();
  return shortened(join(base, rest.join("/")), base, paths);
}

function absolute(name: string, from: string, paths: ModulePaths): Found {
  const isPath = name.includes("/");
  // A Go package is a folder, never a file: `errors` is the library's, not errors.go.
  if (extensionOf(from) === "go") return packageFolder(name.split("/").filter(Boolean), paths);
  const segments = name.split(isPath ? "/" : /\.|::|\\/).filter(Boolean);
  if (/^[@~#]$/.test(segments[0] ?? "")) segments.shift();
  if (segments.at(-1) === "*") return inFolder(segments.slice(0, -1), paths);
  if (isPath || /^[\w-]+\.(?:h|hh|hpp|hxx|rb|php|lua|sh)$/i.test(name)) {
    const stem = isPath ? segments.join("/").replace(/\.\w+$/, "") : stemOf(name);
    const files = endingIn(stem, from, paths, !isPath);
    return { files };
  }
  // The last parts may be names inside the module: `package.module.Class`, `Namespace\Class::method`.
  for (let length = segments.length; length > 0; length--) {
    const files = endingIn(segments.slice(0, length).join("/"), from, paths, false);
    if (files.length > 0) return { files };
  }
  return segments.length > 1 ? inFolder(segments, paths) : { files: [] };
}

/** Files whose stem is, or ends in, these parts. A single part counts only where imports start. */
function endingIn(stem: string, from: string, paths: ModulePaths, anywhere: boolean): string[] {
  const name = stem.toLowerCase();
  if (!name.includes("/") && !anywhere) {
    if (scriptExtension.test(from)) return [];
    const beside = isInPythonPackage(from, paths) ? [] : [folderOf(from).toLowerCase()];
    const starts = [...sourceRoots, ...beside].map((root) => join(root, name));
    return filesWithStem(name, paths, (each) => starts.includes(each));
  }
  return filesWithStem(name, paths, (each) => each === name || each.endsWith(`/${name}`));
}

/**
 * Inside a package, a name without dots is never the file beside it: `from http import HTTPStatus` in `shop/client.py`
 * is not `shop/http.py`.
 */
function isInPythonPackage(from: string, paths: ModulePaths): boolean {
  return /\.pyi?$/.test(from) && exactly(folderOf(from), paths).some((path) => path.endsWith("/__init__.py"));
}

/** `host/owner/repository/a/b` or `module/a/b`: the folder `a/b` of this workspace. */
function packageFolder(segments: string[], paths: ModulePaths): Found {
  const goFiles = (folder: string) =>
    (paths.byFolder.get(folder.toLowerCase()) ?? []).filter((path) => path.endsWith(".go"));
  if (paths.goModules.length > 0) {
    const importPath = segments.join("/");
    const holder = paths.goModules.find(({ name }) => importPath === name || importPath.startsWith(`${name}/`));
    return { files: holder ? goFiles(join(holder.folder, importPath.slice(holder.name.length))) : [], folder: true };
  }
  const hosted = segments[0]?.includes(".") ?? false;
  for (let skip = hosted ? 3 : 1; skip <= (hosted ? 4 : 1); skip++) {
    const files = goFiles(segments.slice(skip).join("/"));
    if (files.length > 0 && skip < segments.length) return { files, folder: true };
  }
  return { files: [] };
}

function inFolder(segments: string[], paths: ModulePaths): Found {
  const folderPath = segments.join("/").toLowerCase();
  const files: string[] = [];
  for (const [folder, members] of paths.byLastFolder.get(lastSegment(folderPath)) ?? []) {
    if (folder === folderPath || folder.endsWith(`/${folderPath}`)) files.push(...members);
    if (files.length > mostFolderTargets) break;
  }
  return { files, folder: true };
}

/** The file with this stem, with or without a script's extension, or the one that represents this folder. */
function exactly(stem: string, paths: ModulePaths): string[] {
  const lowerCase = stem.toLowerCase();
  const without = lowerCase.replace(scriptExtension, "");
  return filesWithStem(lowerCase, paths, (each) => each === lowerCase).concat(
    without === lowerCase ? [] : filesWithStem(without, paths, (each) => each === without),
  );
}

/** As `exactly`, dropping last parts (names inside the module) down to the folder `base`. */
function shortened(stem: string, base: string, paths: ModulePaths): string[] {
  for (let rest = stem; rest.length >= base.length; rest = folderOf(rest)) {
    const files = exactly(rest, paths);
    if (files.length > 0 || rest === "") return files;
  }
  return [];
}

function filesWithStem(stem: string, paths: ModulePaths, matches: (stem: string) => boolean): string[] {
  const entries = paths.byLast.get(lastSegment(stem)) ?? [];
  return entries.filter((entry) => matches(entry.stem)).map((entry) => entry.path);
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Joins and resolves `.` and `..`; a path that leaves the root stays at the root. */
function join(folder: string, rest: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${rest}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function stemOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
}

function extensionOf(path: string): string {
  return path.slice(stemOf(path).length + 1).toLowerCase();
}

/** How many leading folders two paths have in common. */
function sharedFolders(a: string, b: string): number {
  let shared = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === "/") shared++;
  return shared;
}
