import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { commit, folder, git, repository, write } from "./folder.cases.ts";
import { type Watcher, type WatchOptions, watchFiles } from "./watch.ts";

const open: Watcher[] = [];
afterEach(async () => {
  for (const watcher of open.splice(0)) await watcher.close();
});

/** Starts watching and remembers every path it was told of. */
async function watching(root: string, options: Partial<WatchOptions> = {}) {
  const seen = new Set<string>();
  const batches: string[][] = [];
  const warnings: string[] = [];
  const watcher = await watchFiles(root, {
    quiet: 30,
    pollEvery: 50,
    onChange(paths) {
      batches.push(paths);
      for (const path of paths) seen.add(path);
    },
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  open.push(watcher);
  const until = async (condition: () => boolean) => {
    for (let i = 0; i < 400 && !condition(); i++) await new Promise((done) => setTimeout(done, 25));
    expect([...seen].sort(), "the changes seen in ten seconds").toSatisfy(condition);
  };
  return { watcher, seen, batches, warnings, until };
}

describe.each([
  ["told by the system", false],
  ["comparing listings", true],
])("a watcher %s", (_how, poll) => {
  it("tells of edits, new files, new folders and deletions, and not of ignored files", async () => {
    const root = repository({ ".gitignore": "out/\n", "a.ts": "1", "gone.ts": "1", "out.md": "" });
    write(root, { "out/x.ts": "1" });
    const { watcher, seen, until } = await watching(root, { poll });
    expect(watcher.mode).toBe(poll ? "polling" : "events");
    write(root, { "a.ts": "22", "new/deep/b.ts": "1", "out/x.ts": "22" });
    unlinkSync(join(root, "gone.ts"));
    await until(() => ["a.ts", "new/deep/b.ts", "gone.ts"].every((path) => seen.has(path)));
    expect([...seen].filter((path) => path.startsWith("out/") || path.includes(".git/"))).toEqual([]);
  });

  it("gathers a burst into few batches, each delivered after the one before", async () => {
    const root = folder({ "a.ts": "" });
    let active = 0;
    let most = 0;
    const seen = new Set<string>();
    const { until } = await watching(root, {
      poll,
      async onChange(paths) {
        most = Math.max(most, ++active);
        await new Promise((done) => setTimeout(done, 60));
        for (const path of paths) seen.add(path);
        active--;
      },
    });
    for (let i = 0; i < 100; i++) write(root, { [`f${i}.ts`]: "x" });
    await until(() => Array.from({ length: 100 }, (_, i) => `f${i}.ts`).every((path) => seen.has(path)));
    expect(most).toBe(1);
  });

  it("goes on after a batch failed, and says so", async () => {
    const root = folder({ "a.ts": "" });
    const warnings: string[] = [];
    const { until } = await watching(root, {
      poll,
      onChange() {
        throw new Error("no room");
      },
      onWarning: (warning) => warnings.push(warning),
    });
    write(root, { "a.ts": "1" });
    await until(() => warnings.length > 0);
    // One edit may come in two batches on a busy machine.
    await new Promise((done) => setTimeout(done, 300));
    const before = warnings.length;
    write(root, { "a.ts": "22" });
    await until(() => warnings.length > before);
    expect(new Set(warnings)).toEqual(new Set(["no room"]));
  });
});

describe("a watcher", () => {
  it("lets the caller look at everything once it watches", async () => {
    const { batches, until } = await watching(folder({ "a.ts": "" }));
    await until(() => batches.length === 1);
    expect(batches).toEqual([[]]);
  });

  it("tells of a branch switch", async () => {
    const root = repository({ "a.ts": "main" });
    git(root, "checkout", "-q", "-b", "two");
    write(root, { "a.ts": "two!", "b.ts": "two" });
    commit(root);
    const { seen, until } = await watching(root);
    git(root, "checkout", "-q", "main");
    await until(() => seen.has("a.ts") && seen.has("b.ts"));
  });
});
