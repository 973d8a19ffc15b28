import { describe, expect, it } from "vitest";
import { commitItemId } from "../../sources/commits/commit-items.ts";
import { firstDay, Repository } from "./history.cases.ts";
import { fillCounts } from "./line-counts.ts";

describe("a history that means harm", () => {
  it("is taken in with every word and every name", async () => {
    const repository = Repository.empty();
    const names = ["line\nbreak.ts", "tab\t.ts", 'quo"te.ts', "-dash.ts", "ünï 🦊.ts", "%00", "' OR 1=1 --.ts"];
    const messages = [
      "",
      " \n\t\n",
      "a\x1eb\x1fc\x01 %x00 \\0",
      `commit ${"b".repeat(40)}\nAuthor: Nobody\n\n:100644 100644 a b M\ta.ts`,
      `${"x".repeat(100_000)}`,
      `subject\n\n${"needle ".repeat(15_000)}`,
      "'; DROP TABLE commits; --",
      "\u202ereversed\u0000 not".replace("\0", ""),
    ];
    const shas = messages.map((message, i) => {
      const name = names[i % names.length]!;
      return repository.commit(message, { files: { [name]: `${i}\n` } });
    });
    const history = await repository.open();
    expect(await history.refresh()).toMatchObject({ added: messages.length, warnings: [] });
    await history.expectExactly(shas);
    const { store, owner } = history.workspace;
    for (const [i, sha] of shas.entries()) {
      const commit = await history.commit(sha);
      expect(commit.message).toBe(messages[i]!.trim());
      expect(commit.files).toEqual([
        { path: names[i % names.length], change: i < names.length ? "added" : "modified" },
      ]);
      const [item] = await store.shelf("commit").items(owner, [commitItemId(sha)]);
      expect(item!.name.length).toBeGreaterThan(0);
      expect(item!.name.length).toBeLessThanOrEqual(200);
    }
    expect(await history.found("needl")).toEqual([shas[5]]);
    expect(await store.commits.touching(owner, ["line\nbreak.ts"], { limit: 9 })).toEqual([shas[7], shas[0]]);
    await store.check();
  });

  it("with broken bytes, missing fields and impossible times is taken in as far as it goes", async () => {
    const repository = Repository.empty();
    const tree = repository.git("hash-object", "-t", "tree", "-w", "--stdin");
    const lines = [
      ["author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n", Buffer.from([0xff, 0xfe, 0x41, 0xc3])],
      ["author \xff\xfe <\x01> 99999999999999999999 +0000\ncommitter  <> 99999999999999999999 +0000\n\nfar future"],
      ["author\ncommitter\n\nno fields at all"],
      ["author A <a@b> 5 +9999\ncommitter A <a@b> 5 +9999\n\nseen\0unseen"],
      ["author A <a@b> 5 +0000\ncommitter A <a@b> 5 +0000"],
    ];
    const shas: string[] = [];
    for (const rest of lines) {
      const parent = shas.length > 0 ? `parent ${shas.at(-1)}\n` : "";
      shas.push(repository.commitObject([`tree ${tree}\n${parent}`, ...rest]));
    }
    const history = await repository.open();
    expect(await history.refresh({ years: 0 })).toMatchObject({ added: shas.length, warnings: [] });
    await history.expectExactly(repository.shas());
    expect(repository.shas()).toHaveLength(shas.length);
    for (const sha of shas) {
      const { time, message, author } = await history.commit(sha);
      expect(Number.isNaN(new Date(time).getTime())).toBe(false);
      expect(`${message}${author}`).not.toMatch(/[\ud800-\udfff]/u);
    }
    expect((await history.commit(shas[3]!)).message).toBe("seen");
  });

  it("with a commit of very many files is taken in whole", async () => {
    const repository = Repository.empty();
    const files = Array.from({ length: 30_000 }, (_, i) => `M 100644 inline d${i % 100}/f${i}.ts\ndata 1\nx\n`);
    const head = `commit refs/heads/main\ncommitter T <t@e> ${firstDay} +0000\ndata 5\nmany\n`;
    repository.gitAt(firstDay, ["fast-import", "--quiet"], head + files.join(""));
    const history = await repository.open();
    expect(await history.refresh()).toMatchObject({ added: 1 });
    expect(await history.files(repository.head())).toHaveLength(30_000);
    expect(await history.workspace.store.commits.paths("local", "d7")).toHaveLength(300);
  });
});

describe("counts of lines", () => {
  it("are found when asked for where they were not, and remembered", async () => {
    const repository = Repository.empty();
    const sha = repository.commit("one", { files: { "a.ts": "1\n2\n" } });
    const history = await repository.open();
    await history.refresh();
    const { store, owner } = history.workspace;
    const { insertions, deletions, ...bare } = await history.commit(sha);
    expect([insertions, deletions]).toEqual([2, 0]);
    await store.commits.write(owner, { added: [bare], removed: [] });
    expect(await fillCounts(history.workspace, [sha, "f".repeat(40)])).toEqual([
      { ...bare, insertions: 2, deletions: 0 },
    ]);
    expect((await history.commit(sha)).insertions).toBe(2);
  });

  it("are left out when there is no time for them, or when they are interrupted", async () => {
    const repository = Repository.empty();
    const sha = repository.commit("one", { files: { "a.ts": "1\n2\n" } });
    const history = await repository.open();
    await history.refresh();
    const { store, owner } = history.workspace;
    const { insertions: _, deletions: __, ...bare } = await history.commit(sha);
    await store.commits.write(owner, { added: [bare], removed: [] });
    expect(await fillCounts(history.workspace, [sha], { signal: AbortSignal.abort() })).toEqual([bare]);
    expect(await history.commit(sha)).toEqual(bare);
  });
});
