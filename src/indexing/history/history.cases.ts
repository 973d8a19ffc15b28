import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { shaOfItem } from "../../sources/commits/commit-items.ts";
import type { Commit } from "../../stores/commits.ts";
import { ownFolder } from "../../workspace/root.ts";
import { type OpenOptions, openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { type HistoryOptions, type HistoryReport, refreshHistory } from "./history.ts";

/** Midday of a day in 2024, in seconds: test commits are a day apart by default. */
export const firstDay = Date.UTC(2024, 0, 1, 12) / 1000;
export const secondsPerDay = 24 * 3600;
export const secondsPerYear = 365.25 * secondsPerDay;

export type CommitOptions = {
  files?: Record<string, string>;
  remove?: string[];
  /** Seconds since 1970. */
  at?: number;
  amend?: boolean;
};

/** A real repository whose commits have fixed times; removed when the test ends. */
export class Repository {
  readonly root: string;
  #days = 0;

  constructor(root: string) {
    this.root = root;
  }

  static empty(): Repository {
    return new Repository(folder({}, { git: true }));
  }

  /** Runs git here; returns its output without the last line break. */
  git(...args: string[]): string {
    return this.gitAt(firstDay + this.#days * secondsPerDay, args);
  }

  gitAt(seconds: number, args: string[], input?: string | Uint8Array): string {
    return execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
      cwd: this.root,
      input: input ?? "",
      stdio: "pipe",
      env: { ...process.env, GIT_AUTHOR_DATE: `@${seconds} +0000`, GIT_COMMITTER_DATE: `@${seconds} +0000` },
    })
      .toString()
      .replace(/\n$/, "");
  }

  write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** Commits these changes, a day after the previous commit; returns the sha. */
  commit(message: string, { files = {}, remove = [], at, amend = false }: CommitOptions = {}): string {
    for (const path of remove) rmSync(join(this.root, path));
    this.write(files);
    this.#days++;
    const when = at ?? firstDay + this.#days * secondsPerDay;
    this.gitAt(when, ["add", "-A"]);
    const args = ["commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-"];
    this.gitAt(when, amend ? [...args, "--amend"] : args, message);
    return this.head();
  }

  /** Checks out a commit object with exactly this content, which `git commit` would refuse or tidy up. */
  commitObject(lines: (string | Uint8Array)[]): string {
    const content = Buffer.concat(lines.map((line) => Buffer.from(line as string)));
    const sha = this.gitAt(firstDay, ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], content);
    this.git("update-ref", "HEAD", sha);
    return sha;
  }

  head(): string {
    return this.git("rev-parse", "HEAD");
  }

  /** Hashes of the commits that git lists, newest first. */
  shas(...range: string[]): string[] {
    return this.git("rev-list", ...(range.length > 0 ? range : ["HEAD"]))
      .split("\n")
      .filter(Boolean);
  }

  /** Opens the folder, or a folder inside it that has its own index; closed when the test ends. */
  async open(path = ".", options: OpenOptions = {}): Promise<History> {
    mkdirSync(join(this.root, path, ownFolder), { recursive: true });
    writeFileSync(join(this.root, path, ownFolder, ".gitignore"), "*\n");
    const workspace = await openWorkspace(join(this.root, path), options);
    onTestFinished(() => workspace.close());
    return new History(workspace);
  }
}

/** The history that a workspace has indexed. */
export class History {
  readonly workspace: Workspace;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  refresh(options: HistoryOptions = {}): Promise<HistoryReport> {
    return refreshHistory(this.workspace, options);
  }

  shas(): Promise<string[]> {
    return this.workspace.store.commits.shas(this.workspace.owner);
  }

  async commit(sha: string): Promise<Commit> {
    return (await this.workspace.store.commits.get(this.workspace.owner, [sha]))[0]!;
  }

  async files(sha: string): Promise<string[]> {
    return (await this.commit(sha)).files.map(({ path }) => path).sort();
  }

  /** The items on the shelf, named by their commits; a duplicate is listed twice. */
  async onShelf(): Promise<string[]> {
    const { store, owner } = this.workspace;
    const shelf = store.shelf("commit");
    const shas: string[] = [];
    for (const { path } of await shelf.files(owner)) {
      for (const { id } of await shelf.itemsOf(owner, path)) shas.push(shaOfItem(id));
    }
    return shas;
  }

  /** Commits that are found by words, best first. */
  async found(...terms: string[]): Promise<string[]> {
    const { store, owner } = this.workspace;
    const weighted = terms.map((term) => ({ term, weight: 1 }));
    const hits = await store.shelf("commit").searchText(owner, { scope: "unit", terms: weighted, limit: 10 });
    return hits.map(({ item }) => shaOfItem(item.id));
  }

  /** Expects exactly these commits, each once; all of them are found, except merges that changed nothing. */
  async expectExactly(shas: string[]): Promise<void> {
    const { store, owner } = this.workspace;
    const expected = [...shas].sort();
    expect((await this.shas()).sort()).toEqual(expected);
    const commits = await store.commits.get(owner, expected);
    const evidence = commits.filter(({ files, message }) => files.length > 0 || !message.startsWith("Merge "));
    expect((await this.onShelf()).sort()).toEqual(evidence.map(({ sha }) => sha).sort());
    expect((await store.shelf("commit").termStatistics(owner, "unit", [])).count).toBe(evidence.length);
  }
}
