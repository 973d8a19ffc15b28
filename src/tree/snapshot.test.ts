import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { listFiles } from "./list.ts";
import { isUnchanged, snapshotOf } from "./snapshot.ts";

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
        expect(isUnchanged(snapshot)).toBe(true);
        change(root);
        expect(isUnchanged(snapshot)).toBe(false);
      });
    }
  }

  it("is not taken while changes are too young to tell from further ones", async () => {
    const root = folder(files);
    const listedAt = Date.now();
    expect(snapshotOf(root, await listFiles(root), listedAt)).toBeUndefined();
  });
});
