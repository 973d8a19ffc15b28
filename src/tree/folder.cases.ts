import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterFile } from "../../tests/after-file.ts";

/** Real folders and real repositories for tests; all of them are removed when the test file is done. */

/** A new folder outside any repository, with these files. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dossier-")));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  write(root, files);
  return root;
}

export function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A new repository with these files committed. */
export function repository(files: Record<string, string | Uint8Array> = {}): string {
  const root = folder(files);
  git(root, "init", "-q", "-b", "main");
  commit(root);
  return root;
}

export function commit(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "state");
}

export function git(root: string, ...args: string[]): string {
  const who = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  return execFileSync("git", ["-c", "protocol.file.allow=always", "-c", "core.hooksPath=/dev/null", ...args], {
    cwd: root,
    env: { ...process.env, ...who, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}
