import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { folder } from "./folder.cases.ts";
import { type FolderWatch, watchFolders } from "./folder-watch.ts";

const open: FolderWatch[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

function watching(root: string, folders: string[]): FolderWatch {
  const watch = watchFolders(root, folders, { isLocal: () => true })!;
  open.push(watch);
  return watch;
}

const tree = { "a.py": "a", "sub/b.py": "b" };

// Elsewhere events come some time after the write, and are not believed.
describe.runIf(process.platform === "linux")("a watch of folders", () => {
  it("tells which files were edited, at once", async () => {
    const root = folder(tree);
    const watch = watching(root, [".", "sub"]);
    expect(await watch.edits()).toEqual(new Set());
    writeFileSync(join(root, "sub/b.py"), "c");
    expect(await watch.edits()).toEqual(new Set(["sub/b.py"]));
    writeFileSync(join(root, "a.py"), "d");
    expect(await watch.edits()).toEqual(new Set(["a.py", "sub/b.py"]));
    watch.takeEdits();
    expect(await watch.edits()).toEqual(new Set());
  });

  it("knows no more than that when a file was made, renamed or removed", async () => {
    const root = folder(tree);
    const changes = [
      () => writeFileSync(join(root, "sub/new.py"), "new"),
      () => renameSync(join(root, "sub/new.py"), join(root, "other.py")),
      () => mkdirSync(join(root, "sub/deep")),
      () => rmSync(join(root, "a.py")),
    ];
    const watch = watching(root, [".", "sub"]);
    expect(await watch.edits()).toEqual(new Set());
    for (const change of changes) {
      change();
      expect(await watch.edits()).toBeUndefined();
      watch.reset();
      expect(await watch.edits()).toEqual(new Set());
    }
  });

  it("tells of nothing any more once it is closed, and is not believed", async () => {
    const watch = watching(folder(tree), [".", "sub"]);
    watch.close();
    watch.reset();
    expect(await watch.edits()).toBeUndefined();
  });

  it("is none where the limit of watches is reached, on a network, and for more folders than are decent", () => {
    const root = folder(tree);
    let watched = 0;
    let closed = 0;
    const watchOne = () => {
      if (++watched === 2) throw Object.assign(new Error("limit"), { code: "ENOSPC" });
      return { close: () => void closed++, on: () => undefined };
    };
    expect(watchFolders(root, [".", "sub"], { watchOne, isLocal: () => true })).toBeUndefined();
    expect(closed).toBe(1);
    expect(watchFolders(root, [".", "sub"], { isLocal: () => false })).toBeUndefined();
    expect(watchFolders(root, Array<string>(9000).fill("."), { isLocal: () => true })).toBeUndefined();
  });

  it("is given up when one of its folders fails", async () => {
    const failures: (() => void)[] = [];
    const watchOne = () => ({
      close: () => undefined,
      on: (_: string, listener: () => void) => void failures.push(listener),
    });
    const watch = watchFolders(folder(tree), ["."], { watchOne, isLocal: () => true })!;
    expect(await watch.edits()).toEqual(new Set());
    failures[0]!();
    expect(await watch.edits()).toBeUndefined();
  });
});
