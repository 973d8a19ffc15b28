import { existsSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Folders in the user's home where programs keep settings, logins and the transcripts of other conversations. A client that is started
 * there has opened no project, and what lies there is not for a model to read.
 */
const ofPrograms = [
  ...[".claude", ".codex", ".gemini", ".cursor", ".copilot", ".qwen", ".codeium", ".windsurf", ".continue", ".aider"],
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".npm", ".cache", ".local", ".password-store"],
];
/** Their parts may be somebody's project: people keep an editor's configuration in git. */
const ofSettings = [".config", "Library", "AppData"];
/** Where a program's folder was put elsewhere. */
const variables = ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"];

/** Whether a folder belongs to a program rather than to a project. A work tree of git inside one is a project: some clients put them there. */
export function isClientFolder(root: string, home: string | undefined): boolean {
  const inHome = (names: string[]) => (home === undefined ? [] : names.map((name) => join(home, name)));
  const moved = variables.flatMap((name) => process.env[name] || []).map(real);
  if ([...inHome(ofSettings), ...moved].includes(root)) return true;
  const isWithin = (folder: string) => root === folder || root.startsWith(folder + sep);
  if (!inHome(ofPrograms).some(isWithin)) return false;
  return inHome(ofPrograms).includes(root) || !existsSync(join(root, ".git"));
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    // A folder that does not exist, or may not be seen, cannot be meant.
    if (typeof (error as NodeJS.ErrnoException).code === "string") return path;
    throw error;
  }
}
