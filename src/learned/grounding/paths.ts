import { lstatSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import type { CommitStore, Touch } from "../../stores/commits.ts";
import { isInside, relativePath } from "../../tree/path-escape.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Where a written path leads now. */
export type ResolvedPath = { path: string; folder: boolean };

/** Answers about paths, cached for one call, during which the workspace is not expected to change. */
export class Paths {
  readonly #workspace: Workspace;
  readonly #onDisk = new Map<string, ResolvedPath | undefined>();
  readonly #located = new Map<string, Promise<ResolvedPath | undefined>>();
  readonly #touches = new Map<string, Touch | undefined>();
  #folders: Promise<string[]> | undefined;
  #history: Promise<string[]> | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Resolved from the root: the disk has files that are not indexed, and is faster to ask than the index. */
  onDisk(path: string): ResolvedPath | undefined {
    if (!this.#onDisk.has(path)) this.#onDisk.set(path, placeOnDisk(this.#workspace.root, path));
    return this.#onDisk.get(path);
  }

  /** Candidate paths from the root; none for a path outside. */
  fromRoot(name: string): string[] {
    const { root } = this.#workspace;
    if (isAbsolute(name) || /^[A-Za-z]:/.test(name)) {
      const target = resolve(name);
      return isAbsolute(name) && isInside(root, target) ? [relativePath(root, target)] : [];
    }
    const path = name.replace(/\/+$/, "");
    const own = `${basename(root)}/`;
    return path.startsWith(own) ? [path, path.slice(own.length)] : [path];
  }

  /** The file or folder that is meant: as written, or the end of a longer path. */
  locate(name: string): Promise<ResolvedPath | undefined> {
    let place = this.#located.get(name);
    if (!place) this.#located.set(name, (place = this.#find(name)));
    return place;
  }

  async #find(name: string): Promise<ResolvedPath | undefined> {
    const { store, owner } = this.#workspace;
    const candidates = this.fromRoot(name);
    for (const path of candidates) {
      const place = this.onDisk(path);
      if (place && (place.folder || !name.endsWith("/"))) return place;
    }
    for (const path of candidates) {
      const end = path.replace(/^(\.\.\/)+/, "");
      const [hit] = name.endsWith("/") ? [] : await store.searchPaths(owner, { text: end, mode: "suffix", limit: 1 });
      if (hit) return { path: hit.item.path, folder: false };
      const mayBeFolder = name.endsWith("/") || !/\.[^/]*$/.test(end);
      const folder = mayBeFolder ? await this.#folderEndingIn(end) : undefined;
      if (folder !== undefined) return { path: folder, folder: true };
    }
    return undefined;
  }

  async #folderEndingIn(end: string): Promise<string | undefined> {
    this.#folders ??= foldersOf(this.#workspace);
    const tail = `/${end.toLowerCase()}`;
    return (await this.#folders).find((folder) => `/${folder.toLowerCase()}`.endsWith(tail));
  }

  /** All paths in history that were in this folder. */
  onceUnder(folder: string): Promise<string[]> {
    const { store, owner } = this.#workspace;
    return store.commits.paths(owner, folder);
  }

  /** All paths in history with this ending. */
  async onceEndingIn(end: string): Promise<string[]> {
    this.#history ??= historyOf(this.#workspace);
    return (await this.#history).filter((path) => path.endsWith(`/${end}`));
  }

  /** The last change of these paths, queried together. */
  async touches(paths: string[]): Promise<Map<string, Touch>> {
    const { store, owner } = this.#workspace;
    const uncached = [...new Set(paths)].filter((path) => !this.#touches.has(path));
    if (uncached.length > 0) {
      const lastTouches = await store.commits.lastTouch(owner, uncached);
      for (const path of uncached) this.#touches.set(path, lastTouches.get(path));
    }
    return new Map(
      paths.flatMap((path) => (this.#touches.get(path) ? [[path, this.#touches.get(path)!] as const] : [])),
    );
  }
}

/** All paths in history, cached until there are new commits: some ten milliseconds for 20,000 of them. */
const histories = new WeakMap<CommitStore, { owner: string; revision: number; paths: string[] }>();

async function historyOf({ store, owner }: Workspace): Promise<string[]> {
  const revision = await store.shelf("commit").revision(owner);
  const cached = histories.get(store.commits);
  if (cached?.owner === owner && cached.revision === revision) return cached.paths;
  const paths = await store.commits.paths(owner);
  histories.set(store.commits, { owner, revision, paths });
  return paths;
}

function placeOnDisk(root: string, path: string): ResolvedPath | undefined {
  const target = resolve(root, path);
  if (path === "" || path.includes("\0") || !isInside(root, target)) return undefined;
  try {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    return stats && { path: relativePath(root, target), folder: stats.isDirectory() };
  } catch (error) {
    // A file in place of a folder, a name too long, a folder without permission: not found.
    if (
      ["ENOTDIR", "ENAMETOOLONG", "EACCES", "EPERM", "ELOOP", "EINVAL"].includes(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    ) {
      return undefined;
    }
    throw error;
  }
}

async function foldersOf({ store, owner }: Workspace): Promise<string[]> {
  const folders = new Set<string>();
  for (const { path } of await store.files(owner)) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** What happened to a path that no longer exists. */
export type Fate =
  | { fate: "renamed"; to: string; at: number; names: string[] }
  /** `last`: its last name, under which it was deleted. */
  | { fate: "deleted"; sha: string; last: string; at: number; names: string[] };

const longestChain = 50;

/** Answers that only git itself has. */
export type GitAnswers = {
  /** What a file was renamed to by the commit that seems to have deleted it. */
  renamed(sha: string, path: string): Promise<string | undefined>;
  /** The commit that deleted a file which another branch has changed since. */
  deleted(path: string): Promise<string | undefined>;
};

/** Follows renames to the present. Undefined when history does not say. */
export async function fateOf(path: string, paths: Paths, git: GitAnswers): Promise<Fate | undefined> {
  const names = [path];
  for (let at = path; names.length <= longestChain; ) {
    const touch = (await paths.touches([at])).get(at);
    if (touch === undefined) return undefined;
    let next = touch.change === "renamed" ? touch.to : undefined;
    if (next === undefined) {
      const sha = touch.change === "deleted" ? touch.sha : await git.deleted(at);
      next = sha && (await git.renamed(sha, at));
      if (sha !== undefined && next === undefined) return { fate: "deleted", sha, last: at, at: touch.time, names };
    }
    if (next === undefined || names.includes(next)) return undefined;
    names.push(next);
    if (paths.onDisk(next)) return { fate: "renamed", to: next, at: touch.time, names };
    at = next;
  }
  return undefined;
}

const mostFiles = 5000;

/** The same for a folder: renamed when everything that was not deleted moved to one place. */
export async function folderFateOf(
  folder: string,
  paths: Paths,
  earlierNames: string[] = [],
): Promise<Fate | undefined> {
  const files = await paths.onceUnder(folder);
  if (files.length === 0 || files.length > mostFiles) return undefined;
  const touches = await paths.touches(files);
  const homes = new Set<string>();
  let last: Touch | undefined;
  for (const [path, touch] of touches) {
    // Git still has it, so it is only not checked out, or its removal is not committed.
    if (touch.change !== "deleted" && touch.change !== "renamed") return undefined;
    if (last === undefined || touch.time > last.time) last = touch;
    const rest = path.slice(folder.length);
    if (touch.change === "renamed") homes.add(touch.to?.endsWith(rest) ? touch.to.slice(0, -rest.length) : "");
  }
  if (last === undefined) return undefined;
  const [home] = homes;
  const names = [...earlierNames, folder];
  if (home && homes.size === 1 && !names.includes(home) && names.length < longestChain) {
    if (paths.onDisk(home)?.folder) return { fate: "renamed", to: home, at: last.time, names: [...names, home] };
    const further = await folderFateOf(home, paths, names);
    if (further) return further;
  }
  return { fate: "deleted", sha: last.sha, last: folder, at: last.time, names: [folder] };
}
