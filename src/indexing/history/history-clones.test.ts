import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { Repository } from "./history.cases.ts";

/** Five commits: two files that change in turn, a rename and a deletion. */
function sample(): Repository {
  const repository = Repository.empty();
  repository.git("config", "uploadpack.allowFilter", "true");
  repository.commit("Add the parser", { files: { "src/parse.ts": "1\n2\n3\n", "readme.md": "hello\n" } });
  repository.commit("Add the printer", { files: { "src/print.ts": "1\n" } });
  repository.commit("Rename the parser", { files: { "src/read.ts": "1\n2\n3\n" }, remove: ["src/parse.ts"] });
  repository.commit("Remove the printer", { remove: ["src/print.ts"] });
  repository.commit("Greet in the manual", { files: { "readme.md": "good morning\n" } });
  return repository;
}

/** Cloned over the protocol, as from a server; the server is gone afterwards. */
function cloned(origin: Repository, ...options: string[]): Repository {
  const clone = new Repository(join(folder({}), "clone"));
  origin.git("clone", "-q", ...options, `file://${origin.root}`, clone.root);
  return clone;
}

function cutOff(clone: Repository): void {
  clone.git("remote", "set-url", "origin", `file://${clone.root}-is-gone`);
}

describe("a folder inside a repository", () => {
  it("has the commits that touch it, with paths relative to it", async () => {
    const repository = Repository.empty();
    repository.commit("Outside", { files: { "other/a.ts": "x\n" } });
    const both = repository.commit("Both", { files: { "other/a.ts": "y\n", "app/deep/b.ts": "x\n" } });
    repository.commit("Outside again", { files: { "other/a.ts": "z\n" } });
    const moved = repository.commit("Moved in", { files: { "app/a.ts": "z\n" }, remove: ["other/a.ts"] });
    const history = await repository.open("app");
    expect(history.workspace.root).toBe(join(repository.root, "app"));
    expect(await history.refresh()).toEqual({ added: 2, removed: 0, total: 2, warnings: [] });
    await history.expectExactly([both, moved]);
    expect((await history.commit(both)).files).toEqual([{ path: "deep/b.ts", change: "added" }]);
    expect((await history.commit(moved)).files).toEqual([{ path: "a.ts", change: "added" }]);
    expect((await history.commit(both)).insertions).toBe(1);
    const inside = repository.commit("Inside", { files: { "app/a.ts": "w\n" } });
    repository.commit("Outside at last", { files: { "c.ts": "z\n" } });
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 0, total: 3 });
    repository.git("reset", "-q", "--hard", "HEAD~2");
    expect(await history.refresh()).toMatchObject({ added: 0, removed: 1, total: 2 });
    await history.expectExactly([both, moved]);
    expect(await history.found("insid")).not.toContain(inside);
  });

  it("keeps a side branch whose changes the merge did not take", async () => {
    const repository = Repository.empty();
    repository.commit("base", { files: { "app/a.ts": "1\n" } });
    repository.git("checkout", "-q", "-b", "side");
    const abandoned = repository.commit("a dead end", { files: { "app/a.ts": "2\n" } });
    repository.git("checkout", "-q", "main");
    repository.git("merge", "-q", "--no-ff", "--no-edit", "-s", "ours", "side");
    const history = await repository.open("app");
    await history.refresh();
    expect(await history.shas()).toContain(abandoned);
  });

  it("is indexed anew when it becomes a repository of its own", async () => {
    const repository = Repository.empty();
    repository.commit("Both", { files: { "other/a.ts": "y\n", "app/b.ts": "x\n" } });
    const history = await repository.open("app");
    await history.refresh();
    const inner = new Repository(join(repository.root, "app"));
    inner.git("init", "-q", "-b", "main");
    inner.commit("Its own beginning");
    expect(await history.refresh()).toEqual({ added: 1, removed: 1, total: 1, warnings: [] });
    await history.expectExactly(inner.shas());
    expect(await history.files(inner.head())).toEqual(["b.ts"]);
  });
});

describe("a linked work tree", () => {
  it("has the history of what is checked out in it", async () => {
    const repository = Repository.empty();
    repository.commit("base", { files: { "a.ts": "1\n" } });
    const place = join(folder({}), "tree");
    repository.git("worktree", "add", "-q", "-b", "topic", place);
    const tree = new Repository(place);
    const own = tree.commit("in the work tree", { files: { "b.ts": "1\n" } });
    const history = await tree.open();
    expect(await history.refresh()).toMatchObject({ added: 2, total: 2 });
    expect(await history.files(own)).toEqual(["b.ts"]);
    repository.commit("meanwhile on the main branch", { files: { "c.ts": "1\n" } });
    expect(await history.refresh()).toMatchObject({ added: 0, total: 2 });
    repository.git("pack-refs", "--all");
    tree.git("rebase", "-q", "main");
    expect(await history.refresh()).toMatchObject({ added: 2, removed: 1, total: 3 });
    await history.expectExactly(tree.shas());
  });
});

describe("a shallow clone", () => {
  it("knows what is there, the commit at its end without files, and everything once it is deepened", async () => {
    const origin = sample();
    const clone = cloned(origin, "--depth=3");
    const history = await clone.open();
    expect(await history.refresh()).toEqual({ added: 3, removed: 0, total: 3, warnings: [] });
    const [newest, removed, renamed] = origin.shas();
    expect(await history.files(newest!)).toEqual(["readme.md"]);
    expect(await history.files(removed!)).toEqual(["src/print.ts"]);
    expect(await history.files(renamed!)).toEqual([]);
    expect(await history.found("renam")).toEqual([renamed]);
    expect((await history.commit(renamed!)).insertions).toBeUndefined();

    clone.git("fetch", "-q", "--unshallow");
    expect(await history.refresh()).toEqual({ added: 3, removed: 0, total: 5, warnings: [] });
    await history.expectExactly(origin.shas());
    expect((await history.commit(renamed!)).files).toEqual([
      { path: "src/read.ts", change: "renamed", from: "src/parse.ts" },
    ]);
    expect(await history.refresh()).toMatchObject({ added: 0, removed: 0, total: 5 });
  });

  it("that was deepened is read again until a run is complete", async () => {
    const origin = sample();
    const clone = cloned(origin, "--depth=2");
    const history = await clone.open();
    await history.refresh();
    clone.git("fetch", "-q", "--unshallow");
    const controller = new AbortController();
    await expect(
      history.refresh({ signal: controller.signal, progress: () => controller.abort() }),
    ).rejects.toMatchObject({ code: "interrupted" });
    await history.refresh();
    await history.expectExactly(origin.shas());
    expect(await history.files(origin.shas()[1]!)).toEqual(["src/print.ts"]);
  });

  it("may be deepened step by step, and take new commits meanwhile", async () => {
    const origin = sample();
    const clone = cloned(origin, "--depth=1");
    const history = await clone.open();
    expect(await history.refresh()).toMatchObject({ added: 1, total: 1 });
    origin.commit("Something new", { files: { "new.ts": "1\n" } });
    clone.git("fetch", "-q", "--deepen=2");
    clone.git("reset", "-q", "--hard", "origin/main");
    await history.refresh();
    await history.expectExactly(clone.shas());
    expect((await history.shas()).length).toBe(4);
    expect(await history.files(origin.shas()[1]!)).toEqual(["readme.md"]);
    expect(await history.files(origin.shas()[0]!)).toEqual(["new.ts"]);
    expect(await history.files(origin.shas()[3]!)).toEqual([]);
  });
});

describe("a partial clone", () => {
  it("without file contents has everything but counts of lines, and nothing is fetched", async () => {
    const origin = sample();
    const clone = cloned(origin, "--filter=blob:none");
    const objects = () => clone.git("count-objects", "-v");
    cutOff(clone);
    const before = objects();
    const history = await clone.open();
    expect(await history.refresh()).toEqual({ added: 5, removed: 0, total: 5, warnings: [] });
    await history.expectExactly(origin.shas());
    expect((await history.commit(origin.shas()[2]!)).files).toEqual([
      { path: "src/read.ts", change: "renamed", from: "src/parse.ts" },
    ]);
    expect((await history.commit(origin.shas()[4]!)).insertions).toBeUndefined();
    expect(objects()).toBe(before);
  });

  it("without trees has the messages, says so every time, and nothing is fetched", async () => {
    const origin = sample();
    const clone = cloned(origin, "--filter=tree:0");
    const before = clone.git("count-objects", "-v");
    const history = await clone.open();
    const report = await history.refresh();
    expect(clone.git("count-objects", "-v")).toBe(before);
    expect(report).toMatchObject({ added: 5, removed: 0, total: 5 });
    expect(report.warnings).toEqual([expect.stringMatching(/^Only the messages are known of \d commits?: /)]);
    await history.expectExactly(origin.shas());
    expect(await history.found("printer")).toHaveLength(2);
    cutOff(clone);
    expect(await history.refresh()).toEqual({ added: 0, removed: 0, total: 5, warnings: report.warnings });
  });

  it("without trees takes new commits, which have their trees", async () => {
    const origin = sample();
    const clone = cloned(origin, "--filter=tree:0");
    cutOff(clone);
    const history = await clone.open();
    await history.refresh();
    const own = clone.commit("Made here", { files: { "here.ts": "1\n" } });
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 0, total: 6 });
    expect(await history.files(own)).toEqual(["here.ts"]);
    expect((await history.refresh()).warnings).toHaveLength(1);
  });

  it("without trees cannot tell what touches a folder: a warning, not an error", async () => {
    const origin = sample();
    const clone = cloned(origin, "--filter=tree:0");
    cutOff(clone);
    const history = await clone.open("src");
    const report = await history.refresh();
    expect(report.warnings).toHaveLength(1);
    expect(report.total).toBe((await history.shas()).length);
  });
});

describe("a broken repository", () => {
  const objectPath = (repository: Repository, sha: string) =>
    join(repository.root, ".git/objects", sha.slice(0, 2), sha.slice(2));

  function destroy(repository: Repository, sha: string): void {
    chmodSync(objectPath(repository, sha), 0o644);
    rmSync(objectPath(repository, sha));
  }

  it("whose commits are missing is a warning, and what is known stays", async () => {
    const repository = sample();
    const history = await repository.open();
    await history.refresh();
    const shas = repository.shas();
    const lost = repository.commit("lost", { files: { "a.ts": "1\n" } });
    repository.commit("on top of it", { files: { "a.ts": "2\n" } });
    destroy(repository, lost);
    const report = await history.refresh();
    expect(report).toMatchObject({ added: 0, removed: 0, total: 5 });
    expect(report.warnings).toEqual([
      expect.stringMatching(/^The history was not brought up to date; git says: .+\.$/),
    ]);
    await history.expectExactly(shas);
  });

  it("whose trees are missing still has its messages", async () => {
    const repository = sample();
    const [, , third] = repository.shas();
    destroy(repository, repository.git("rev-parse", `${third}^{tree}`));
    const history = await repository.open();
    const report = await history.refresh();
    expect(report).toMatchObject({ added: 5, total: 5 });
    expect(report.warnings).toHaveLength(1);
    await history.expectExactly(repository.shas());
  });

  it("whose checked-out commit is nonsense is a warning or no history, never an error", async () => {
    const repository = sample();
    const history = await repository.open();
    await history.refresh();
    const head = join(repository.root, ".git/refs/heads/main");
    writeFileSync(head, `${"0".repeat(39)}1\n`);
    expect((await history.refresh()).warnings).toHaveLength(1);
    expect(await history.shas()).toHaveLength(5);
    writeFileSync(head, "nonsense\n");
    await history.refresh();
    writeFileSync(join(repository.root, ".git/HEAD"), "");
    await history.refresh();
    rmSync(join(repository.root, ".git/objects"), { recursive: true });
    expect(readdirSync(join(repository.root, ".git"))).not.toContain("objects");
    await history.refresh();
  });
});
