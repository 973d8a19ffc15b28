import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, git } from "../../tests/workspace.ts";
import { refreshHistory } from "../indexing/history/history.ts";
import { analyseQuery } from "../text/analysis/query.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { filesByHistory } from "./file-history.ts";

/** Each commit: its message, and the files it writes, or renames when a name is given for one. */
async function withHistory(
  commits: { message: string; at: string; writes?: string[]; renames?: [string, string] }[],
  work: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const root = folder({ "README.md": "# It" }, { git: true });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Begin", "--date", "2025-01-01T00:00:00Z");
  commits.forEach(({ message, at, writes = [], renames }, index) => {
    for (const path of writes) writeFileSync(join(root, path), `${index} ${message} ${path}\n`.repeat(9));
    if (renames) git(root, "mv", ...renames);
    git(root, "add", "-A");
    process.env.GIT_COMMITTER_DATE = at;
    git(root, "commit", "-q", "-m", message, "--date", at);
  });
  delete process.env.GIT_COMMITTER_DATE;
  const workspace = await openWorkspace(root);
  try {
    await refreshHistory(workspace);
    await work(workspace);
  } finally {
    await workspace.close();
  }
}

const scoresFor = (workspace: Workspace, text: string, before?: number) =>
  filesByHistory(analyseQuery(text), workspace, before);

describe("files by their history", () => {
  it("are those that commits about the like of the question touched", async () => {
    const commits = [
      { message: "Retry uploads that time out", at: "2026-01-01T00:00:00Z", writes: ["net.py"] },
      { message: "Draw rounded buttons", at: "2026-01-02T00:00:00Z", writes: ["button.py"] },
    ];
    await withHistory(commits, async (workspace) => {
      const scores = await scoresFor(workspace, "an upload timed out and was not retried");
      expect([...scores.keys()]).toEqual(["net.py"]);
      expect((await scoresFor(workspace, "zebra crossing")).size).toBe(0);
    });
  });

  it("go by the name that the file has now", async () => {
    const commits = [
      { message: "Retry uploads that time out", at: "2026-01-01T00:00:00Z", writes: ["old.py"] },
      { message: "Tidy up", at: "2026-01-02T00:00:00Z", renames: ["old.py", "new.py"] as [string, string] },
    ];
    await withHistory(commits, async (workspace) => {
      expect([...(await scoresFor(workspace, "retry uploads")).keys()]).toEqual(["new.py"]);
    });
  });

  it("count less the more a commit touched, and not at all beyond twenty", async () => {
    const many = Array.from({ length: 21 }, (_, i) => `many${i}.py`);
    const commits = [
      { message: "Retry uploads", at: "2026-01-01T00:00:00Z", writes: ["one.py"] },
      { message: "Retry uploads", at: "2026-01-01T00:00:01Z", writes: ["two.py", "three.py"] },
      { message: "Retry uploads", at: "2026-01-01T00:00:02Z", writes: many },
    ];
    await withHistory(commits, async (workspace) => {
      const scores = await scoresFor(workspace, "retry uploads");
      expect(scores.get("one.py")).toBeGreaterThan(scores.get("two.py")!);
      expect([...scores.keys()].some((path) => path.startsWith("many"))).toBe(false);
    });
  });

  it("are the code of a commit, however many tests and texts went with it", async () => {
    const around = Array.from({ length: 25 }, (_, i) => `test_${i}.py`);
    const commits = [
      { message: "Retry uploads", at: "2026-01-01T00:00:00Z", writes: ["alone.py"] },
      { message: "Retry uploads", at: "2026-01-01T00:00:00Z", writes: ["among.py", "CHANGES.md", ...around] },
      { message: "Explain how uploads are retried", at: "2026-01-01T00:00:00Z", writes: ["uploads.md"] },
    ];
    await withHistory(commits, async (workspace) => {
      const scores = await scoresFor(workspace, "retry uploads");
      expect([...scores.keys()].sort()).toEqual(["alone.py", "among.py", "uploads.md"]);
    });
  });

  it("are no evidence from the moment on that is asked about", async () => {
    const commits = [
      { message: "Retry uploads", at: "2026-01-01T00:00:00Z", writes: ["early.py"] },
      { message: "Retry uploads", at: "2026-02-01T00:00:00Z", writes: ["late.py"] },
    ];
    await withHistory(commits, async (workspace) => {
      const before = Date.parse("2026-02-01T00:00:00Z");
      expect([...(await scoresFor(workspace, "retry uploads", before)).keys()]).toEqual(["early.py"]);
      expect((await scoresFor(workspace, "retry uploads")).size).toBe(2);
    });
  });
});
