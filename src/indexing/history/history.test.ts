import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { firstDay, Repository, secondsPerDay, secondsPerYear } from "./history.cases.ts";
import { refreshHistory } from "./history.ts";
import { readHistoryState, writeHistoryState } from "./history-state.ts";

const nothing = { added: 0, removed: 0, warnings: [] };

describe("bringing the history up to date", () => {
  it("takes all of it at first, and afterwards only what is new", async () => {
    const repository = Repository.empty();
    repository.commit("Add the parser\n\nIt reads numbers.", { files: { "parse.ts": "1\n2\n" } });
    repository.commit("Add the printer", { files: { "print.ts": "1\n" } });
    const history = await repository.open();
    expect(await history.refresh()).toEqual({ added: 2, removed: 0, total: 2, warnings: [] });
    const third = repository.commit("Print in colour", { files: { "print.ts": "1\n2\n3\n" } });
    expect(await history.refresh()).toEqual({ added: 1, removed: 0, total: 3, warnings: [] });
    await history.expectExactly(repository.shas());
    expect(await history.shas()).toEqual(repository.shas());
    expect(await history.commit(third)).toEqual({
      sha: third,
      author: "Test",
      email: "test@example.org",
      time: (firstDay + 3 * secondsPerDay) * 1000,
      message: "Print in colour",
      files: [{ path: "print.ts", change: "modified" }],
      insertions: 2,
      deletions: 0,
    });
    expect(await history.found("printer")).toEqual([repository.shas()[1]]);
  });

  it("does nothing when nothing happened, whoever opens the folder", async () => {
    const repository = Repository.empty();
    repository.commit("one");
    const history = await repository.open();
    await history.refresh();
    const { store, owner } = history.workspace;
    const revision = await store.shelf("commit").revision(owner);
    expect(await history.refresh()).toEqual({ ...nothing, total: 1 });
    await history.workspace.close();
    const again = await repository.open();
    expect(await again.refresh()).toEqual({ ...nothing, total: 1 });
    expect(await again.workspace.store.shelf("commit").revision(owner)).toBe(revision);
  });

  it("puts an amended commit in the place of the old one without reading the others again", async () => {
    const repository = Repository.empty();
    for (let i = 0; i < 5; i++) repository.commit(`commit ${i}`, { files: { [`${i}.ts`]: "x\n" } });
    const history = await repository.open();
    await history.refresh();
    const old = repository.head();
    repository.commit("better words", { files: { "extra.ts": "x\n" }, amend: true });
    expect(await history.refresh()).toEqual({ added: 1, removed: 1, total: 5, warnings: [] });
    await history.expectExactly(repository.shas());
    expect(await history.workspace.store.commits.get("local", [old])).toEqual([]);
    expect(await history.files(repository.head())).toEqual(["4.ts", "extra.ts"]);
  });

  it("follows a rebase, also when git has swept up the commits that were", async () => {
    for (const swept of [false, true]) {
      const repository = Repository.empty();
      repository.commit("base", { files: { "base.ts": "x\n" } });
      repository.git("checkout", "-q", "-b", "topic");
      repository.commit("topic one", { files: { "one.ts": "x\n" } });
      repository.commit("topic two", { files: { "two.ts": "x\n" } });
      const history = await repository.open();
      await history.refresh();
      repository.git("checkout", "-q", "main");
      repository.commit("meanwhile", { files: { "main.ts": "x\n" } });
      repository.git("checkout", "-q", "topic");
      repository.git("rebase", "-q", "main");
      if (swept) {
        repository.git("reflog", "expire", "--expire=now", "--all");
        repository.git("gc", "-q", "--prune=now");
      }
      expect(await history.refresh()).toEqual({ added: 3, removed: 2, total: 4, warnings: [] });
      await history.expectExactly(repository.shas());
    }
  });

  it("shows the branch that is checked out, there and back", async () => {
    const repository = Repository.empty();
    repository.commit("base");
    repository.git("checkout", "-q", "-b", "side");
    repository.commit("side one", { files: { "side.ts": "x\n" } });
    repository.commit("side two", { files: { "side.ts": "y\n" } });
    const history = await repository.open();
    await history.refresh();
    repository.git("checkout", "-q", "main");
    expect(await history.refresh()).toEqual({ added: 0, removed: 2, total: 1, warnings: [] });
    await history.expectExactly(repository.shas());
    expect(await history.found("side")).toEqual([]);
    repository.git("checkout", "-q", "side");
    expect(await history.refresh()).toEqual({ added: 2, removed: 0, total: 3, warnings: [] });
    await history.expectExactly(repository.shas());
    repository.git("checkout", "-q", "--detach", "HEAD~1");
    expect(await history.refresh()).toMatchObject({ removed: 1, total: 2 });
    repository.git("checkout", "-q", "--orphan", "other");
    expect(await history.refresh()).toMatchObject({ removed: 2, total: 0 });
    repository.commit("a new beginning");
    expect(await history.refresh()).toMatchObject({ added: 1, total: 1 });
    await history.expectExactly(repository.shas());
  });

  it("forgets what a reset threw away", async () => {
    const repository = Repository.empty();
    for (let i = 0; i < 4; i++) repository.commit(`commit ${i}`, { files: { "a.ts": `${i}\n` } });
    const history = await repository.open();
    await history.refresh();
    repository.git("reset", "-q", "--hard", "HEAD~3");
    expect(await history.refresh()).toEqual({ added: 0, removed: 3, total: 1, warnings: [] });
    await history.expectExactly(repository.shas());
    const touch = (await history.workspace.store.commits.lastTouch("local", ["a.ts"])).get("a.ts");
    expect(touch).toEqual({ sha: repository.head(), time: (firstDay + secondsPerDay) * 1000, change: "added" });
  });

  it("reads everything again when it is told to, and changes nothing by that", async () => {
    const repository = Repository.empty();
    repository.commit("one", { files: { "a.ts": "x\n" } });
    repository.commit("two", { files: { "a.ts": "y\n" } });
    const history = await repository.open();
    await history.refresh();
    const before = await history.commit(repository.head());
    expect(await history.refresh({ force: true })).toMatchObject({ added: 2, total: 2 });
    await history.expectExactly(repository.shas());
    expect(await history.commit(repository.head())).toEqual(before);
  });

  it("knows a merge that changed nothing, and does not find it; one with changes of its own is found", async () => {
    const repository = Repository.empty();
    repository.commit("Begin", { files: { "a.ts": "1\n" } });
    repository.git("checkout", "-q", "-b", "cookies");
    const cookies = repository.commit("Read cookies", { files: { "cookies.ts": "1\n" } });
    repository.git("checkout", "-q", "main");
    repository.commit("Something else", { files: { "b.ts": "1\n" } });
    repository.git("merge", "-q", "--no-ff", "-m", "Merge branch cookies", "cookies");
    const history = await repository.open();
    expect(await history.refresh()).toEqual({ added: 4, removed: 0, total: 3, warnings: [] });
    await history.expectExactly(repository.shas());
    expect(await history.found("cooki")).toEqual([cookies]);
    const own = repository.commit("Merge cookies with conflicts", { files: { "a.ts": "2\n" }, amend: true });
    await history.refresh();
    expect((await history.found("cooki")).sort()).toEqual([cookies, own].sort());
    await history.expectExactly(repository.shas());
  });

  it("reads packed and loose references alike, and those of a reference to a reference", async () => {
    const repository = Repository.empty();
    repository.commit("one");
    repository.git("pack-refs", "--all");
    const history = await repository.open();
    expect(await history.refresh()).toMatchObject({ added: 1 });
    repository.commit("two");
    expect(await history.refresh()).toMatchObject({ added: 1 });
    repository.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    repository.git("symbolic-ref", "HEAD", "refs/heads/alias");
    expect(await history.refresh()).toEqual({ ...nothing, total: 2 });
  });
});

describe("the window of years", () => {
  const years = (count: number) => firstDay + count * secondsPerYear;

  /** A commit a year, over nine years. */
  function old(): Repository {
    const repository = Repository.empty();
    for (let i = -8; i <= 0; i++) repository.commit(`year ${i}`, { files: { [`y${-i}.ts`]: "x\n" }, at: years(i) });
    return repository;
  }

  it("reaches five years back from the commit that is checked out, not from today", async () => {
    const repository = old();
    const history = await repository.open();
    expect(await history.refresh({ years: 5 })).toMatchObject({ added: 6, total: 6 });
    await history.expectExactly(repository.shas("-6", "HEAD"));
  });

  it("reaches further back where it has few commits and no number of years was asked for", async () => {
    const repository = old();
    const history = await repository.open();
    expect(await history.refresh({ atLeast: 8 })).toMatchObject({ added: 8, total: 8 });
    await history.expectExactly(repository.shas("-8", "HEAD"));
    repository.commit("a year later", { at: years(1) });
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 0, total: 9 });
    expect(await history.refresh({ years: 2 })).toMatchObject({ added: 0, removed: 6, total: 3 });
    const other = await old().open();
    expect(await other.refresh({ atLeast: 3 })).toMatchObject({ total: 6 });
    expect(await (await old().open()).refresh()).toMatchObject({ total: 9 });
  });

  it("grows once in an index that an earlier version made of five years", async () => {
    const history = await old().open();
    await history.refresh({ years: 5 });
    const shelf = history.workspace.store.shelf("commit");
    const { atLeast: _, ...earlier } = (await readHistoryState(shelf, history.workspace.owner))!;
    await writeHistoryState(shelf, history.workspace.owner, earlier);
    expect(await history.refresh()).toMatchObject({ added: 3, removed: 0, total: 9 });
    expect(await history.refresh()).toEqual({ ...nothing, total: 9 });
  });

  it("is everything at 0, and follows another number of years", async () => {
    const repository = old();
    const history = await repository.open();
    expect(await history.refresh({ years: 0 })).toMatchObject({ added: 9, total: 9 });
    expect(await history.refresh()).toEqual({ ...nothing, total: 9 });
    expect(await history.refresh({ years: 2 })).toMatchObject({ added: 0, removed: 6, total: 3 });
    await history.expectExactly(repository.shas("-3", "HEAD"));
    expect(await history.refresh({ years: 4.5 })).toMatchObject({ added: 2, removed: 0, total: 5 });
    expect(await history.refresh({ years: 0 })).toMatchObject({ added: 4, removed: 0, total: 9 });
    await history.expectExactly(repository.shas());
  });

  it("keeps what the last run asked for, and does not move while commits are made", async () => {
    const repository = old();
    const history = await repository.open();
    await history.refresh({ years: 2 });
    repository.commit("three years later", { at: years(3) });
    expect(await history.refresh()).toEqual({ added: 1, removed: 0, total: 4, warnings: [] });
    expect(await history.refresh({ years: 2 })).toEqual({ ...nothing, total: 4 });
  });

  it("grows when an older commit is checked out", async () => {
    const repository = old();
    const history = await repository.open();
    await history.refresh({ years: 2 });
    repository.git("checkout", "-q", "--detach", "HEAD~4");
    expect(await history.refresh()).toMatchObject({ total: 3 });
    await history.expectExactly(repository.shas("-3", "HEAD"));
    repository.git("checkout", "-q", "main");
    expect(await history.refresh()).toMatchObject({ total: 7 });
    await history.expectExactly(repository.shas("-7", "main"));
  });

  it("leaves out an old commit that comes by a merge, and copes with clocks that are wrong", async () => {
    const repository = old();
    repository.git("checkout", "-q", "-b", "ancient", "HEAD~8");
    repository.commit("written long ago", { files: { "ancient.ts": "x\n" }, at: years(-7.5) });
    repository.git("checkout", "-q", "main");
    const history = await repository.open();
    await history.refresh({ years: 5 });
    repository.gitAt(years(0.1), ["merge", "-q", "--no-edit", "ancient"]);
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 0, total: 6 });
    const future = repository.commit("from the future", { at: 4_000_000_000 });
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 0, total: 7 });
    expect((await history.shas())[0]).toBe(future);
    const beginning = repository.commit("at the beginning of time", { at: 0 });
    expect(await history.refresh()).toMatchObject({ warnings: [] });
    expect(await history.refresh({ years: 0 })).toMatchObject({ total: 12, removed: 0 });
    expect((await history.commit(beginning)).time).toBe(0);
  });
});

describe("where there is no history", () => {
  it("is no error outside a repository, nor before the first commit", async () => {
    const workspace = await openWorkspace(folder({ "a.txt": "x\n" }));
    expect(await refreshHistory(workspace)).toEqual({ ...nothing, total: 0 });
    await workspace.close();
    const repository = Repository.empty();
    const history = await repository.open();
    expect(await history.refresh()).toEqual({ ...nothing, total: 0 });
    repository.commit("the first");
    expect(await history.refresh()).toEqual({ added: 1, removed: 0, total: 1, warnings: [] });
  });

  it("keeps what is known while git is missing", async () => {
    const repository = Repository.empty();
    repository.commit("one");
    const history = await repository.open();
    const path = process.env.PATH;
    process.env.PATH = repository.root;
    try {
      expect(await history.refresh()).toEqual({ ...nothing, total: 0 });
    } finally {
      process.env.PATH = path;
    }
    await history.refresh();
    repository.commit("two");
    process.env.PATH = repository.root;
    try {
      expect(await history.refresh()).toEqual({ ...nothing, total: 1 });
    } finally {
      process.env.PATH = path;
    }
    expect(await history.refresh()).toMatchObject({ added: 1, total: 2 });
    await history.expectExactly(repository.shas());
  });
});
