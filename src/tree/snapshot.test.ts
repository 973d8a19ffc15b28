import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { listFiles } from "./list.ts";
import { renewed, snapshotOf } from "./snapshot.ts";

const files = { "a.py": "a = 1\n", "src/b.py": "b = 1\n", "src/deep/c.py": "c = 1\n", ".gitignore": "*.log\n" };

/** A snapshot as of a time when everything had long settled. */
async function snapshotNow(root: string) {
  const listing = await listFiles(root);
  return snapshotOf(root, listing, Date.now() + 10_000)!;
}

describe("a snapshot", () => {
  const changes: [string, (root: string) => void][] = [
    ["an edit", (root) => appendFileSync(join(root, "src/deep/c.py"), "d = 2\n")],
    [
      "an edit that keeps size and time",
      (root) => {
        writeFileSync(join(root, "a.py"), "a = 2\n");
        utimesSync(join(root, "a.py"), 1, 1);
      },
    ],
    ["a new file", (root) => writeFileSync(join(root, "src/new.py"), "")],
    ["a new folder", (root) => mkdirSync(join(root, "src/other"))],
    ["a deleted file", (root) => rmSync(join(root, "a.py"))],
    ["a renamed file", (root) => renameSync(join(root, "src/b.py"), join(root, "src/z.py"))],
    ["a deleted folder", (root) => rmSync(join(root, "src/deep"), { recursive: true })],
    ["a changed ignore file", (root) => writeFileSync(join(root, ".gitignore"), "*.py\n")],
  ];
  for (const [title, change] of changes) {
    for (const git of [true, false]) {
      it(`shows ${title} ${git ? "in a repository" : "in a folder"}`, async () => {
        const root = folder(files, { git });
        const snapshot = await snapshotNow(root);
        expect(renewed(snapshot)).toBe(snapshot);
        change(root);
        expect(renewed(snapshot)).not.toBe(snapshot);
      });
    }
  }

  it("is the same in a linked work tree, whose git folder is elsewhere, and where that folder is gone", async () => {
    const place = folder({ "main/.gitignore": "*.log\n", "main/a.py": "a = 1\n", "main/src/b.py": "b = 1\n" });
    const git = (cwd: string, ...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd });
    const [main, root] = [join(place, "main"), join(place, "linked")];
    git(main, "init", "-q");
    git(main, "add", "-A");
    git(main, "commit", "-qm", "one");
    git(main, "worktree", "add", "-q", root);
    const snapshot = await snapshotNow(root);
    expect(renewed(snapshot)).toBe(snapshot);
    appendFileSync(join(root, "a.py"), "b = 1\n");
    expect(renewed(snapshot)?.listing.files.map(({ path }) => path)).toEqual([".gitignore", "a.py", "src/b.py"]);
    const later = await snapshotNow(root);
    git(root, "rm", "-q", "--cached", "src/b.py");
    appendFileSync(join(root, "a.py"), "c = 1\n");
    // A file that git no longer tracks decides nothing here, but git's index has changed.
    expect(renewed(later)).toBeUndefined();
    const excluding = await snapshotNow(root);
    writeFileSync(join(main, ".git/info/exclude"), "a.py\n");
    expect(renewed(excluding)).toBeUndefined();
    rmSync(main, { recursive: true });
    const orphan = await snapshotNow(root);
    expect(renewed(orphan)).toBe(orphan);
  });

  it("is renewed without a listing after edits of files that stay", async () => {
    const root = folder(files, { git: true });
    execFileSync("git", ["add", "-A"], { cwd: root });
    const snapshot = await snapshotNow(root);
    appendFileSync(join(root, "a.py"), "b = 1\n");
    const { files: before } = snapshot.listing;
    const { files: now } = renewed(snapshot)!.listing;
    expect(now.map(({ path }) => path)).toEqual(before.map(({ path }) => path));
    expect(now.filter((file, i) => file !== before[i])).toEqual([
      expect.objectContaining({ path: "a.py", size: "a = 1\nb = 1\n".length }),
    ]);
  });

  it("looks at nothing but the edits that are known, unless one is of no listed file", async () => {
    const root = folder(files);
    const snapshot = await snapshotNow(root);
    appendFileSync(join(root, "a.py"), "b = 1\n");
    appendFileSync(join(root, "src/b.py"), "c = 1\n");
    const changed = (edits: string[]) =>
      renewed(snapshot, new Set(edits))!.listing.files.filter((file, i) => file !== snapshot.listing.files[i]);
    expect(changed(["a.py"]).map(({ path }) => path)).toEqual(["a.py"]);
    expect(changed(["src"]).map(({ path }) => path)).toEqual(["a.py", "src/b.py"]);
  });

  const listings: [string, (root: string) => void][] = [
    ["a new file", (root) => writeFileSync(join(root, "src/new.py"), "")],
    [
      "a file that git no longer tracks",
      (root) => execFileSync("git", ["rm", "-q", "--cached", "src/b.py"], { cwd: root }),
    ],
    ["a changed ignore file", (root) => writeFileSync(join(root, ".gitignore"), "*.py\n")],
    ["a deleted file", (root) => rmSync(join(root, "src/b.py"))],
  ];
  for (const [title, change] of listings) {
    it(`is not renewed after ${title}: that takes a listing`, async () => {
      const root = folder(files, { git: true });
      execFileSync("git", ["add", "-A"], { cwd: root });
      const snapshot = await snapshotNow(root);
      appendFileSync(join(root, "a.py"), "b = 1\n");
      change(root);
      expect(renewed(snapshot)).toBeUndefined();
    });
  }

  it("is not taken while changes are too young to tell from further ones", async () => {
    const root = folder(files);
    const listedAt = Date.now();
    expect(snapshotOf(root, await listFiles(root), listedAt)).toBeUndefined();
  });
});
