import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A real folder with these files, gone when the test ends. */
export function folder(files: Record<string, string>, options: { git?: boolean } = {}): string {
  const root = mkdtempSync(join(tmpdir(), "dossier-test-"));
  // A command may have left a process that indexes the rest: it may write once more before it sees that the folder is
  // gone.
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  if (options.git) git(root, "init", "-q", "-b", "main");
  return root;
}

export function git(root: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: root, stdio: "pipe" }).toString();
}
