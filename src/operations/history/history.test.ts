import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, git } from "../../../tests/workspace.ts";
import { authors, churn, history } from "../../index.ts";
import { call } from "../core/call.ts";
import type { Operation } from "../core/operation.ts";
import { operationTable } from "../core/registry.ts";

function commitAs(root: string, name: string, email: string, message: string): void {
  git(root, "add", "-A");
  git(root, "-c", `user.name=${name}`, "-c", `user.email=${email}`, "commit", "-qm", message);
}

const long = (seed: string) => Array.from({ length: 30 }, (_, i) => `export const ${seed}${i} = ${i};`).join("\n");

/** A file that is written, moved unchanged, moved with a change, and another that is deleted. */
function repository(): string {
  const root = folder({ "src/one.ts": `${long("a")}\n`, "notes.md": "# Notes\n" }, { git: true });
  commitAs(root, "Ada", "ada@example.org", "Begin");
  git(root, "mv", "src/one.ts", "src/two.ts");
  commitAs(root, "Ada", "ada@example.org", "Call it two");
  git(root, "mv", "src/two.ts", "src/three.ts");
  writeFileSync(join(root, "src/three.ts"), `${long("a")}\nexport function added() {}\n`);
  commitAs(root, "Grace", "grace@example.org", "Call it three and add a function\n\nBecause two was taken.");
  git(root, "rm", "-q", "notes.md");
  commitAs(root, "Grace Hopper", "Grace@example.org", "Drop the notes");
  return root;
}

const subjects = (commits: { subject: string }[]) => commits.map(({ subject }) => subject);

describe("history", () => {
  it("says why nothing is known of a file: no repository, no commits, a shallow clone, an empty span of time", async () => {
    const plain = folder({ "a.ts": "export const a = 1;" });
    await expect(history({ target: "a.ts", path: plain })).rejects.toThrow("is in no git repository");
    await expect(authors({ target: "a.ts", path: plain })).rejects.toThrow("is in no git repository");
    const unborn = folder({ "a.ts": "export const a = 1;" }, { git: true });
    await expect(history({ target: "a.ts", path: unborn })).rejects.toThrow("no commits yet");
    const full = repository();
    const clone = folder({});
    git(clone, "clone", "-q", "--depth", "1", `file://${full}`, "shallow");
    const shallow = history({ target: "src/three.ts", path: join(clone, "shallow") });
    await expect(shallow).rejects.toThrow("git fetch --unshallow");
    const input = { target: "src/three.ts", path: full, since: "2999-01-01" };
    expect((await operationTable.history()).text!(await history(input), input as never, false)).toBe(
      "No commit touched src/three.ts since 2999-01-01.",
    );
  });

  it("calls a time it cannot read as the surface does", async () => {
    const root = repository();
    const nameOf = (key: string) => `--${key}`;
    for (const name of ["history", "authors", "churn"] as const) {
      const operation = (await operationTable[name]()) as Operation;
      const input = { path: root, since: "soon", ...(name === "history" ? { target: "src" } : {}) };
      await expect(call(operation, input, { nameOf }), name).rejects.toThrow(/^--since takes/);
    }
  });

  it("follows a file through renames, with and without changes", async () => {
    const root = repository();
    const { commits, names, total } = await history({ target: "src/three.ts", path: root });
    expect(subjects(commits)).toEqual(["Call it three and add a function", "Call it two", "Begin"]);
    expect(names).toEqual(["src/three.ts", "src/two.ts", "src/one.ts"]);
    expect(total).toBe(3);
    expect(commits[0]).toMatchObject({ author: "Grace", insertions: expect.any(Number) });
    expect(commits[1]!.change).toMatchObject({ path: "src/two.ts", change: "renamed", from: "src/one.ts" });
  });

  it("leaves out what another file did under a former name, and finds the way back to a name", async () => {
    const root = repository();
    writeFileSync(join(root, "src/one.ts"), "export const another = 1;\n");
    commitAs(root, "Ada", "ada@example.org", "Something else is called one now");
    const { commits, total } = await history({ target: "src/three.ts", path: root });
    expect(subjects(commits)).not.toContain("Something else is called one now");
    expect(total).toBe(3);
    const one = await history({ target: "src/one.ts", path: root });
    expect(subjects(one.commits)).toEqual(["Something else is called one now", "Call it two", "Begin"]);
    git(root, "mv", "src/three.ts", "src/two.ts");
    commitAs(root, "Ada", "ada@example.org", "Call it two again");
    const two = await history({ target: "src/two.ts", path: root });
    expect(subjects(two.commits)).toEqual([
      "Call it two again",
      "Call it three and add a function",
      "Call it two",
      "Begin",
    ]);
    expect(two.names).toEqual(["src/two.ts", "src/three.ts", "src/one.ts"]);
    const people = await authors({ target: "src/three.ts", path: root });
    expect(people.commits).toBe(4);
  });

  it("shows a folder, a file that is gone, and only what is new enough", async () => {
    const root = repository();
    expect((await history({ target: "src/", path: root })).of).toBe("folder");
    expect(subjects((await history({ target: "notes.md", path: root })).commits)).toEqual(["Drop the notes", "Begin"]);
    const later = await history({ target: "src", path: root, since: "2999-01-01" });
    expect(later).toMatchObject({ total: 0, commits: [] });
    expect((await history({ target: "src/three.ts", path: root, limit: 1 })).total).toBe(3);
  });

  it("leads from a commit to its files and the code it touched", async () => {
    const root = repository();
    const sha = git(root, "rev-parse", "HEAD~1").trim();
    const { of, commits, units } = await history({ target: sha.slice(0, 9), path: root });
    expect(of).toBe("commit");
    expect(commits[0]).toMatchObject({ sha, message: "Call it three and add a function\n\nBecause two was taken." });
    expect(commits[0]!.files!.map(({ path }) => path)).toContain("src/three.ts");
    expect(units.map(({ name }) => name)).toEqual(["added"]);
  });

  it("says what is perhaps meant, and never leaves the workspace", async () => {
    const root = repository();
    await expect(history({ target: "three.ts", path: root })).rejects.toThrow("Did you mean src/three.ts?");
    await expect(history({ target: "deadbeef", path: root })).rejects.toMatchObject({ code: "not-found" });
    await expect(history({ target: "../other", path: root })).rejects.toMatchObject({ code: "outside-root" });
  });
});

describe("on a terminal", () => {
  it("nothing that was written into a commit steers it", async () => {
    const root = folder({ "a.md": "# A\n" }, { git: true });
    commitAs(root, "Mallory\u001b[31m", "m@example.org", "Evil \u001b[2Jsubject\n\nbody \u001b]0;title\u0007");
    const sha = git(root, "rev-parse", "HEAD").trim();
    for (const [operation, input] of [
      [operationTable.history, { target: sha, path: root }],
      [operationTable.authors, { path: root }],
      [operationTable.churn, { path: root }],
      [operationTable.search, { query: "evil subject", path: root, minScore: 0 }],
    ] as const) {
      const loaded = (await operation()) as Operation;
      const { input: read, output } = await call(loaded, input as never);
      expect(loaded.text!(output, read, false)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    }
  });
});

describe("authors", () => {
  it("counts by address, whatever its case, under the latest name", async () => {
    const root = repository();
    const all = await authors({ path: root });
    expect(all.authors.map(({ name, commits, share }) => [name, commits, share])).toEqual([
      ["Grace Hopper", 2, 0.5],
      ["Ada", 2, 0.5],
    ]);
    const file = await authors({ target: "src/three.ts", path: root });
    expect(file.authors.map(({ name, commits }) => [name, commits])).toEqual([
      ["Ada", 2],
      ["Grace", 1],
    ]);
    await expect(authors({ target: "nowhere", path: root })).rejects.toMatchObject({ code: "not-found" });
  });

  it("has nothing to say outside git", async () => {
    const root = folder({ "a.md": "# A\n" });
    expect(await authors({ path: root })).toMatchObject({ total: 0, authors: [] });
    expect(await churn({ path: root })).toMatchObject({ total: 0, files: [] });
  });
});

describe("churn", () => {
  it("ranks files by commits and marks those that are gone", async () => {
    const root = repository();
    const { files, commits } = await churn({ path: root });
    expect(commits).toBe(4);
    expect(files[0]).toMatchObject({ path: "notes.md", commits: 2, authors: 2, deleted: true });
    const moved = files.filter(({ path }) => path === "src/one.ts" || path === "src/three.ts");
    expect(Object.fromEntries(moved.map(({ path, deleted }) => [path, deleted]))).toEqual({
      "src/one.ts": true,
      "src/three.ts": false,
    });
    const only = await churn({ path: root, paths: ["src/**"] });
    expect(only.files.every(({ path }) => path.startsWith("src/"))).toBe(true);
    expect((await churn({ path: root, since: "2999-01-01" })).files).toEqual([]);
  });
});
