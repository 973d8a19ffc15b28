import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, parse, resolve, sep } from "node:path";
import { DossierError } from "../errors.ts";
import { gitTop, repositoryKind } from "../git/run-git.ts";

/** The folder that holds the index of a workspace, inside its root. */
export const ownFolder = ".dossier";

/**
 * The root of the workspace that a path lies in: the nearest folder with an index, else the top of its git work tree,
 * else the folder itself. A repository is not part of a workspace around it: one command in a folder of many projects
 * would make it the workspace of them all. A submodule is. A real path, so that every later check can compare prefixes.
 */
export function findRoot(path: string): string {
  const start = existingFolder(path);
  // A dotfiles repository or an index in the home folder must not swallow every folder below it.
  const acceptable = (folder: string | undefined) => folder === start || (folder !== undefined && !refusal(folder));
  const hasIndex = (folder: string) => isFolder(join(folder, ownFolder)) && acceptable(folder);
  const isRepository = (folder: string) =>
    ["repository", "worktree"].includes(repositoryKind(folder) ?? "") && acceptable(folder);
  const boundary = nearest(start, (folder) => hasIndex(folder) || isRepository(folder));
  if (boundary) return boundary;
  const top = gitTop(start);
  return top && acceptable(top) ? top : start;
}

/** The real path of an existing folder, or of the folder around a file. */
export function existingFolder(path: string): string {
  const absolute = resolve(path);
  try {
    const real = realpathSync.native(absolute);
    const folder = statSync(real).isDirectory() ? real : dirname(real);
    accessSync(folder, constants.R_OK | constants.X_OK);
    return folder;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EACCES" || code === "EPERM") {
      throw new DossierError("not-readable", `${absolute} cannot be read.`, { cause: error });
    }
    throw new DossierError("not-a-folder", `${absolute} does not exist.`, { cause: error });
  }
}

function nearest(start: string, matches: (folder: string) => boolean): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (matches(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const systemFolders = new Set(
  [
    "/bin /boot /dev /etc /home /lib /lib64 /proc /root /run /sbin /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/share /var /var/lib /var/log",
    "/Users /System /Library /Applications /Volumes /private /private/etc /private/tmp /private/var",
  ].flatMap((line) => line.split(" ")),
);
const systemTrees = /^\/(?:proc|sys|dev)\//;
const windowsFolders = /^[a-z]:\\(?:windows|users|program files(?: \(x86\))?|programdata)$/i;

/** Why a folder must not be indexed by accident, or undefined. */
export function refusal(root: string): string | undefined {
  if (parse(root).root === root) return "the root of the file system";
  const home = realHome();
  if (home !== undefined && root === home) return "your home folder";
  if (isClientFolder(root, home)) return "a folder of a program's own settings";
  if (home?.startsWith(root + (root.includes("\\") ? "\\" : "/"))) return "a folder above your home folder";
  if (systemFolders.has(root) || systemTrees.test(root) || windowsFolders.test(root)) return "a folder of the system";
  return undefined;
}

function realHome(): string | undefined {
  try {
    return realpathSync.native(homedir());
  } catch (error) {
    // A service account may have a home folder that does not exist: then no folder equals it.
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/**
 * Folders in the user's home where programs keep settings, logins and the transcripts of other conversations. A client
 * that is started there has opened no project, and what lies there is not for a model to read.
 */
const programFolders = [
  ...[".claude", ".codex", ".gemini", ".cursor", ".copilot", ".qwen", ".codeium", ".windsurf", ".continue", ".aider"],
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".npm", ".cache", ".local", ".password-store"],
];
/** Subfolders of these may be somebody's project: people keep an editor's configuration in git. */
const settingsFolders = [".config", "Library", "AppData"];
/** Set if a program's folder is elsewhere. */
const folderVariables = ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"];

/**
 * Whether a folder belongs to a program rather than to a project. A work tree of git inside one is a project: some
 * clients put them there.
 */
function isClientFolder(root: string, home: string | undefined): boolean {
  const inHome = (names: string[]) => (home === undefined ? [] : names.map((name) => join(home, name)));
  const moved = folderVariables.flatMap((name) => process.env[name] || []).map(real);
  if ([...inHome(settingsFolders), ...moved].includes(root)) return true;
  const isWithin = (folder: string) => root === folder || root.startsWith(folder + sep);
  if (!inHome(programFolders).some(isWithin)) return false;
  return inHome(programFolders).includes(root) || !existsSync(join(root, ".git"));
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    // A folder that does not exist, or may not be read, is a different one.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return path;
    throw error;
  }
}
