import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { repository, write } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { ensureFresh, isFresh } from "./fresh.ts";

async function named(workspace: Workspace, name: string): Promise<string[]> {
  const hits = await workspace.store.searchNames(workspace.owner, { text: name, mode: "exact", limit: 10 });
  return hits.map((hit) => hit.item.path);
}

/** Times of files are kept in steps of up to two seconds: only what is older can be told from what changes. */
const untilSettled = 2200;

// Elsewhere an edit shows once the last check is 250 ms old.
describe.runIf(process.platform === "linux")("a process that lives on", () => {
  type Change = [change: (root: string) => void, name: string, paths: string[]];

  // Two of two at once: most of the time nothing is done but waiting.
  it("sees an edit, a new file, a new folder and a removal at once, however short ago it looked", async () => {
    const edits: Change[] = [
      [(root) => write(root, { "pkg/b.py": "def edited():\n    return 3\n" }), "edited", ["pkg/b.py"]],
      [(root) => write(root, { "deep/er/d.py": "def deeper():\n    return 5\n" }), "deeper", ["deep/er/d.py"]],
    ];
    const others: Change[] = [
      [(root) => write(root, { "pkg/c.py": "def added():\n    return 4\n" }), "added", ["pkg/c.py"]],
      [(root) => rmSync(join(root, "a.py")), "first", []],
    ];
    await Promise.all([edits, others].map(seesEach));
  });

  it("indexes edits without asking git again", async () => {
    const root = repository({ "a.py": "def first():\n    return 1\n", "pkg/b.py": "def other():\n    return 2\n" });
    const workspace = await openWorkspace(root);
    await ensureFresh(workspace, { maxAge: 0 });
    await sleep(untilSettled);
    await ensureFresh(workspace, { maxAge: 0 });
    const { PATH } = process.env;
    process.env.PATH = "";
    try {
      for (const name of ["second", "third"]) {
        write(root, { "pkg/b.py": `def ${name}():\n    return 3\n` });
        // Without git there would be a warning.
        expect(await ensureFresh(workspace, { maxAge: 0 })).toEqual([]);
        expect(await named(workspace, name)).toEqual(["pkg/b.py"]);
      }
      write(root, { "pkg/c.py": "" });
      expect(await ensureFresh(workspace, { maxAge: 0 })).toEqual([expect.stringContaining("without git")]);
    } finally {
      process.env.PATH = PATH;
    }
    await workspace.close();
  });

  async function seesEach(changes: Change[]): Promise<void> {
    const root = repository({ "a.py": "def first():\n    return 1\n", "pkg/b.py": "def other():\n    return 2\n" });
    const workspace = await openWorkspace(root);
    for (const [change, name, paths] of changes) {
      await ensureFresh(workspace, { maxAge: 0 });
      await sleep(untilSettled);
      // The first look remembers what it saw, the second has the system tell of changes.
      await ensureFresh(workspace, { maxAge: 0 });
      await ensureFresh(workspace, { maxAge: 0 });
      await ensureFresh(workspace, { maxAge: 0 });
      expect(await isFresh(workspace)).toBe(true);
      change(root);
      expect(await isFresh(workspace)).toBe(false);
      await ensureFresh(workspace);
      expect(await named(workspace, name)).toEqual(paths);
    }
    await workspace.close();
  }
});
