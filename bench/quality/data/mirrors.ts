import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Mirrors are clones, bare or not, in a folder: called owner+name or owner/name, with .git at the end or not, or in
 * `repo` inside such a folder.
 */
export function mirrorOf(repos: string, repo: string): string {
  for (const name of [repo.replace("/", "+"), repo]) {
    const repository = gitFolder(resolve(repos, name)) ?? gitFolder(resolve(repos, `${name}.git`));
    if (repository) return repository;
  }
  throw new Error(`There is no mirror of ${repo} among the --repos.`);
}

function gitFolder(place: string): string | undefined {
  return [place, join(place, "repo"), join(place, ".git")].find((each) => existsSync(join(each, "objects")));
}

/** owner/name of every mirror, in order. */
export function mirrorsIn(repos: string): string[] {
  const names = foldersIn(repos).flatMap((owner) => {
    if (owner.includes("+")) return gitFolder(join(repos, owner)) ? [owner.replace("+", "/")] : [];
    const own = foldersIn(join(repos, owner)).filter((name) => gitFolder(join(repos, owner, name)));
    return gitFolder(join(repos, owner)) ? [] : own.map((name) => `${owner}/${name}`);
  });
  return names.map((name) => name.replace(/\.git$/, "")).sort();
}

function foldersIn(place: string): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/**
 * A work tree of one commit that borrows the mirror's objects: it has the history up to that commit and nothing after.
 */
export function checkOut(mirror: string, commit: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  writeFileSync(join(folder, ".git", "objects", "info", "alternates"), `${join(mirror, "objects")}\n`);
  git(folder, "update-ref", "--no-deref", "HEAD", commit);
  git(folder, "read-tree", commit);
  // A mirror may lack its largest blobs: what is there is checked out, and Git names what is not.
  spawnSync("git", ["checkout-index", "-q", "-a", "-f"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

export function headOf(mirror: string): string {
  return execFileSync("git", ["--git-dir", mirror, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
