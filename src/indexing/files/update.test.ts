import { readdirSync, renameSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { commit, folder, git, repository, write } from "../../tree/folder.cases.ts";
import { type OpenOptions, openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { descriptionFolders } from "../descriptions/cache-folder.ts";
import { indexContent } from "../index-content.cases.ts";
import { ensureFresh } from "./fresh.ts";
import type { IndexReport } from "./update.ts";
import { updateIndex } from "./update.ts";

const opened: Workspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
});

async function open(root: string, options?: OpenOptions): Promise<Workspace> {
  const workspace = await openWorkspace(root, options);
  opened.push(workspace);
  return workspace;
}

function source(name: string): string {
  return `def ${name}(value):\n    """Says ${name}."""\n    return value\n`;
}

function sources(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`pkg/m${i}.py`, source(`function_${i}`)]));
}

function counts({ files }: IndexReport): [indexed: number, unchanged: number, touched: number, removed: number] {
  return [files.indexed, files.unchanged, files.touched, files.removed];
}

async function indexedTexts(workspace: Workspace): Promise<Record<string, string>> {
  const { store, owner } = workspace;
  const texts: Record<string, string> = {};
  for (const { path } of await store.files(owner)) texts[path] = (await store.file(owner, path))!.text;
  return texts;
}

async function named(workspace: Workspace, name: string): Promise<string[]> {
  const hits = await workspace.store.searchNames(workspace.owner, { text: name, mode: "exact", limit: 10 });
  return hits.map((hit) => hit.item.path);
}

describe("bringing the index up to date", () => {
  it("indexes everything once and then only what changed", async () => {
    const root = repository(sources(30));
    const workspace = await open(root);
    const first = await updateIndex(workspace);
    expect(counts(first)).toEqual([30, 0, 0, 0]);
    expect(first.items).toBe(first.total.items);
    expect(first.total.files).toBe(30);
    expect(counts(await updateIndex(workspace))).toEqual([0, 30, 0, 0]);

    write(root, { "pkg/m3.py": source("renamed_function") });
    expect(counts(await updateIndex(workspace))).toEqual([1, 29, 0, 0]);
    expect(await named(workspace, "renamed_function")).toEqual(["pkg/m3.py"]);
    expect(await named(workspace, "function_3")).toEqual([]);
  });

  it("does not describe again what another branch or work tree had, and holds the same as if it did", async () => {
    const root = repository(sources(30));
    const workspace = await open(root);
    await updateIndex(workspace);
    const place = descriptionFolders(root)!;
    const segments = () => readdirSync(place.folder).length;
    expect(segments()).toBe(1);

    git(root, "switch", "-q", "-c", "other");
    for (let i = 0; i < 30; i++)
      write(root, { [`pkg/m${i}.py`]: `${source(`other_${i}`)}\n${source(`function_${i}`)}` });
    commit(root);
    await updateIndex(workspace);
    expect(segments()).toBe(2);
    git(root, "switch", "-q", "main");
    expect(counts(await updateIndex(workspace))).toEqual([30, 0, 0, 0]);
    const tree = join(folder(), "tree");
    git(root, "worktree", "add", "-q", tree, "other");
    const beside = await open(tree);
    expect(counts(await updateIndex(beside))).toEqual([30, 0, 0, 0]);
    expect(segments()).toBe(2);

    for (const each of [workspace, beside]) {
      const content = await indexContent(each);
      await updateIndex(each, { rebuild: true, workers: 0 });
      expect(content).toEqual(await indexContent(each));
    }
  });

  it("describes nothing when a file is only touched", async () => {
    const root = repository(sources(5));
    const workspace = await open(root);
    await updateIndex(workspace);
    const later = new Date(Date.now() + 10_000);
    utimesSync(join(root, "pkg/m1.py"), later, later);
    expect(counts(await updateIndex(workspace))).toEqual([0, 4, 1, 0]);
    expect(counts(await updateIndex(workspace))).toEqual([0, 5, 0, 0]);
    // A time so close to the next millisecond that a store may round it up.
    utimesSync(join(root, "pkg/m2.py"), 1_794_777_446.817996, 1_794_777_446.817996);
    expect(counts(await updateIndex(workspace))).toEqual([0, 4, 1, 0]);
    expect(counts(await updateIndex(workspace))).toEqual([0, 5, 0, 0]);
  });

  it("takes a rename as one new file and one removed, and a branch switch as the files that differ", async () => {
    const root = repository(sources(10));
    git(root, "checkout", "-q", "-b", "other");
    write(root, { "pkg/m1.py": source("other_1"), "pkg/new.py": source("other_new") });
    commit(root);
    git(root, "checkout", "-q", "main");
    const workspace = await open(root);
    await updateIndex(workspace);
    renameSync(join(root, "pkg/m0.py"), join(root, "pkg/moved.py"));
    expect(counts(await updateIndex(workspace))).toEqual([1, 9, 0, 1]);
    renameSync(join(root, "pkg/moved.py"), join(root, "pkg/m0.py"));
    await updateIndex(workspace);
    git(root, "checkout", "-q", "other");
    expect(counts(await updateIndex(workspace))).toEqual([2, 9, 0, 0]);
    git(root, "checkout", "-q", "main");
    expect(counts(await updateIndex(workspace))).toEqual([1, 9, 0, 1]);
  });

  it("leaves no trace of a deleted file", async () => {
    const root = folder({ "keep.py": source("kept"), "gone.py": source("vanished_function") });
    const workspace = await open(root);
    const { store, owner } = workspace;
    await updateIndex(workspace);
    const before = await store.itemsOf(owner, "gone.py");
    expect(before.length).toBeGreaterThan(1);
    unlinkSync(join(root, "gone.py"));
    expect(counts(await updateIndex(workspace))).toEqual([0, 1, 0, 1]);
    expect(await store.file(owner, "gone.py")).toBeUndefined();
    expect(await store.itemsOf(owner, "gone.py")).toEqual([]);
    expect(
      await store.items(
        owner,
        before.map((item) => item.id),
      ),
    ).toEqual([]);
    expect(await named(workspace, "vanished_function")).toEqual([]);
    const statistics = await store.termStatistics(owner, "unit", ["vanish"]);
    expect(statistics.frequencies.get("vanish") ?? 0).toBe(0);
    const remaining = (await store.itemsOf(owner, "keep.py")).length;
    expect((await store.statistics(owner)).items).toBe(remaining);
  });

  it("sees files that were swapped without a change of size or time", async () => {
    const root = folder({ "a.py": source("aaa"), "b.py": source("bbb") });
    const workspace = await open(root);
    const old = new Date(Date.now() - 100_000);
    for (const name of ["a.py", "b.py"]) utimesSync(join(root, name), old, old);
    await updateIndex(workspace);
    renameSync(join(root, "a.py"), join(root, "c.py"));
    renameSync(join(root, "b.py"), join(root, "a.py"));
    renameSync(join(root, "c.py"), join(root, "b.py"));
    expect(counts(await updateIndex(workspace))).toEqual([2, 0, 0, 0]);
    expect(await named(workspace, "aaa")).toEqual(["b.py"]);
  });

  it("does not even read what has rested since the last check", async () => {
    const root = folder({ ...sources(3), "made.py": "# Code generated by x. DO NOT EDIT.\n" });
    const workspace = await open(root);
    await updateIndex(workspace);
    await sleep(2100);
    const looked: string[] = [];
    const progress = ({ detail }: { detail?: string }) => detail && looked.push(detail);
    await updateIndex(workspace, { progress });
    expect(looked.sort()).toEqual(["made.py", "pkg/m0.py", "pkg/m1.py", "pkg/m2.py"]);
    looked.length = 0;
    const revision = await workspace.store.revision(workspace.owner);
    const report = await updateIndex(workspace, { progress });
    expect(looked).toEqual([]);
    expect(report.files.skipped).toEqual({ generated: { count: 1, examples: ["made.py"] } });
    expect(await workspace.store.revision(workspace.owner)).toBe(revision);
    writeFileSync(join(root, "made.py"), source("by_hand"));
    expect(counts(await updateIndex(workspace))).toEqual([1, 3, 0, 0]);
  });

  it("says what it left out and why", async () => {
    const root = folder({
      "a.py": source("a"),
      "image.png": "x",
      "odd.py": new Uint8Array([1, 2, 0, 4]),
      "package-lock.json": "{}",
      ".env": "KEY=value",
      "big.py": "x = 1\n".repeat(300),
      "app.js": `${"var a=1;".repeat(150)}`.repeat(10),
    });
    const workspace = await open(root);
    const report = await updateIndex(workspace, { maxFileBytes: 1500 });
    const one = (path: string) => ({ count: 1, examples: [path] });
    expect(report.files.skipped).toEqual({
      binary: { count: 2, examples: ["image.png", "odd.py"] },
      "lock-file": one("package-lock.json"),
      secret: one(".env"),
      "too-large": { count: 2, examples: ["app.js", "big.py"] },
    });
    // The limit is kept until another one is given.
    expect(counts(await updateIndex(workspace))).toEqual([0, 1, 0, 0]);
    const larger = await updateIndex(workspace, { maxFileBytes: 1024 * 1024 });
    expect(larger.files.skipped.minified).toEqual(one("app.js"));
    expect(counts(larger)).toEqual([1, 1, 0, 0]);
    expect(counts(await updateIndex(workspace, { maxFileBytes: 1500 }))).toEqual([0, 1, 0, 1]);
  });

  it("removes a file that is text no longer, or ignored by now", async () => {
    const root = folder({ "a.py": source("a"), "b.py": source("b"), "c.py": source("c") });
    const workspace = await open(root);
    await updateIndex(workspace);
    write(root, { "a.py": new Uint8Array(50), ".dossierignore": "b.py\n" });
    const report = await updateIndex(workspace);
    expect(report.files.removed).toBe(2);
    expect(Object.keys(await indexedTexts(workspace)).sort()).toEqual([".dossierignore", "c.py"]);
  });

  it("describes everything again when forced, and from nothing when rebuilt", async () => {
    const root = folder(sources(3));
    const workspace = await open(root);
    await updateIndex(workspace);
    expect(counts(await updateIndex(workspace, { force: true }))).toEqual([3, 0, 0, 0]);
    expect(counts(await updateIndex(workspace, { rebuild: true }))).toEqual([3, 0, 0, 0]);
    expect((await workspace.store.files(workspace.owner)).length).toBe(3);
  });

  it("accepts an empty folder", async () => {
    const report = await updateIndex(await open(folder()));
    expect(report).toMatchObject({
      files: { indexed: 0, removed: 0, skipped: {} },
      total: { files: 0, items: 0 },
      warnings: [],
    });
  });

  it("keeps what was written when it is interrupted, and goes on from there", async () => {
    const root = folder(sources(150));
    const workspace = await open(root);
    const controller = new AbortController();
    const progress = ({ stage, done }: { stage: string; done: number }) => {
      if (stage === "indexing" && done === 120) controller.abort();
    };
    await expect(updateIndex(workspace, { workers: 0, signal: controller.signal, progress })).rejects.toMatchObject({
      code: "interrupted",
    });
    const indexed = (await workspace.store.files(workspace.owner)).length;
    expect(indexed).toBeGreaterThan(0);
    expect(indexed).toBeLessThan(150);
    const rest = await updateIndex(workspace);
    expect(counts(rest)).toEqual([150 - indexed, indexed, 0, 0]);
    const { items, vectors } = await workspace.store.statistics(workspace.owner);
    expect(vectors).toBeGreaterThan(0);
    expect(items).toBe(rest.total.items);
  });

  it("stops workers when it is interrupted", async () => {
    const root = folder(sources(150));
    const workspace = await open(root);
    const controller = new AbortController();
    const progress = ({ stage, done }: { stage: string; done: number }) => {
      if (stage === "indexing" && done === 10) controller.abort();
    };
    await expect(updateIndex(workspace, { workers: 2, signal: controller.signal, progress })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(counts(await updateIndex(workspace, { workers: 2 }))[0]).toBeGreaterThan(0);
    expect(Object.keys(await indexedTexts(workspace)).length).toBe(150);
  });

  it("holds the same with workers as without", async () => {
    const files = { ...sources(40), "README.md": "# Title\n\nText.\n", "bad.py": "def (((:\n" };
    const [alone, helped] = [await open(folder(files)), await open(folder(files))];
    const first = await updateIndex(alone, { workers: 0 });
    const second = await updateIndex(helped, { workers: 2 });
    expect(second.warnings).toEqual([]);
    expect(counts(second)).toEqual(counts(first));
    for (const path of Object.keys(files)) {
      const ids = (workspace: Workspace) => workspace.store.itemsOf(workspace.owner, path);
      const without = (items: { changed?: number }[]) => items.map((item) => ({ ...item, changed: 0 }));
      expect(without(await ids(helped))).toEqual(without(await ids(alone)));
    }
  });

  it("starts no thread for a command with some dozen files, and caches their descriptions all the same", async () => {
    const root = folder(sources(40));
    const failing = join(folder({ "worker.mjs": "throw new Error('not to be started')" }), "worker.mjs");
    for (const round of ["described", "cached"]) {
      const workspace = Object.assign(await open(root), { isForOneCall: true });
      const report = await updateIndex(workspace, { rebuild: true, workerScript: failing });
      expect([round, report.files.indexed, report.warnings]).toEqual([round, 40, []]);
      expect(Object.keys(await indexedTexts(workspace)).length).toBe(40);
    }
  });

  it("holds the same when a command describes together with a thread, and caches all descriptions", async () => {
    const files = Object.fromEntries(Object.entries(sources(40)).map(([path, text]) => [path, text.repeat(300)]));
    const [alone, root] = [await open(folder(files)), folder(files)];
    const first = await updateIndex(alone, { workers: 0 });
    for (const round of ["described", "cached"]) {
      const workspace = Object.assign(await open(root), { isForOneCall: true });
      const report = await updateIndex(workspace, { rebuild: true });
      expect([round, report.warnings, report.bytes]).toEqual([round, [], first.bytes]);
      expect(counts(report)).toEqual(counts(first));
      expect(await indexedTexts(workspace)).toEqual(await indexedTexts(alone));
    }
  });

  it("goes on alone, with a warning, where the thread of a command does not start", async () => {
    // A file of this size is left to a thread, which can be ended.
    const files = { ...sources(40), "large.txt": "Some words of a line.\n".repeat(14_000) };
    const workspace = Object.assign(await open(folder(files)), { isForOneCall: true });
    const failing = join(folder({ "worker.mjs": "throw new Error('not today')" }), "worker.mjs");
    const report = await updateIndex(workspace, { workerScript: failing });
    expect(report.files.indexed).toBe(41);
    expect(report.warnings).toEqual([expect.stringContaining("not today")]);
  });

  it("starts no thread for a command with a small tree", async () => {
    const files = Object.fromEntries(Object.entries(sources(40)).map(([path, text]) => [path, text.repeat(300)]));
    const workspace = Object.assign(await open(folder(files)), { isForOneCall: true });
    const failing = join(folder({ "worker.mjs": "throw new Error('not today')" }), "worker.mjs");
    const report = await updateIndex(workspace, { workerScript: failing });
    expect(report).toMatchObject({ files: { indexed: 40 }, warnings: [] });
  });

  it("works in one thread, with a warning, where workers do not start", async () => {
    const workspace = await open(folder(sources(30)));
    const report = await updateIndex(workspace, { workers: 2, workerScript: join(folder(), "missing.js") });
    expect(report.files.indexed).toBe(30);
    expect(report.warnings).toEqual([expect.stringContaining("one thread")]);
  });

  it("reports a file that a worker fails on, indexes the others, and does not try it again until it changes", async () => {
    const root = folder({ ...sources(30), "bomb.py": source("bomb") });
    const real = await import("./worker-script.ts").then(({ workerScript }) => workerScript()!);
    const script = join(
      folder({
        "worker.mjs": `
          import { parentPort } from "node:worker_threads";
          await import(${JSON.stringify(real)});
          parentPort.on("message", ({ path }) => { if (path === "bomb.py") process.exit(1); });
        `,
      }),
      "worker.mjs",
    );
    const workspace = await open(root);
    const report = await updateIndex(workspace, { workers: 2, workerScript: script });
    expect(report.files.skipped.failed).toEqual({ count: 1, examples: ["bomb.py"] });
    expect(report.warnings).toEqual([expect.stringContaining("bomb.py")]);
    expect(report.files.indexed).toBe(30);
  });

  it("equals the disk after any edits, however quick and alike", async () => {
    const name = fc.constantFrom("a.py", "b.py", "c.py", "d/e.py");
    const content = fc.constantFrom("one = 1\n", "two = 2\n", "ten = 9\n", "");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), name, content }),
      fc.record({ kind: fc.constant("delete" as const), name }),
      fc.record({ kind: fc.constant("move" as const), name, to: name }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (rounds) => {
          const root = folder({ "d/keep.py": "kept = 1\n" });
          const workspace = await openWorkspace(root);
          const disk = new Map<string, string>();
          try {
            for (const round of rounds) {
              for (const each of round) {
                if (each.kind === "write") {
                  write(root, { [each.name]: each.content });
                  disk.set(each.name, each.content);
                } else if (disk.has(each.name)) {
                  if (each.kind === "delete") unlinkSync(join(root, each.name));
                  else {
                    renameSync(join(root, each.name), join(root, each.to));
                    disk.set(each.to, disk.get(each.name)!);
                  }
                  if (each.kind === "delete" || each.to !== each.name) disk.delete(each.name);
                }
              }
              await updateIndex(workspace, { workers: 0 });
              expect(await indexedTexts(workspace)).toEqual({ "d/keep.py": "kept = 1\n", ...Object.fromEntries(disk) });
            }
          } finally {
            await workspace.close();
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("the check before a query", () => {
  it("is shared by calls at the same time, and not repeated at once", async () => {
    const root = folder(sources(3));
    const workspace = await open(root);
    const seen: string[] = [];
    const progress = ({ stage }: { stage: string }) => seen.push(stage);
    await Promise.all([1, 2, 3].map(() => ensureFresh(workspace, { progress, maxAge: 60_000 })));
    await ensureFresh(workspace, { progress, maxAge: 60_000 });
    expect(seen.filter((stage) => stage === "listing")).toHaveLength(1);
    expect((await workspace.store.files(workspace.owner)).length).toBe(3);
    write(root, { "new.py": source("brand_new") });
    await ensureFresh(workspace, { maxAge: 0 });
    expect(await named(workspace, "brand_new")).toEqual(["new.py"]);
  });

  it("goes on for one caller when another that shares it gives up", async () => {
    const workspace = await open(folder(sources(60)));
    const controller = new AbortController();
    const progress = ({ stage, done }: { stage: string; done: number }) => {
      if (stage === "indexing" && done === 5) controller.abort();
    };
    const first = ensureFresh(workspace, { signal: controller.signal, progress, workers: 0 });
    const second = ensureFresh(workspace, { workers: 0 });
    await expect(first).rejects.toMatchObject({ code: "interrupted" });
    expect(await second).toEqual([]);
    expect((await workspace.store.files(workspace.owner)).length).toBe(60);
  });

  it("becomes a warning where the index cannot be written", async () => {
    const root = folder(sources(2));
    const workspace = await open(root);
    await updateIndex(workspace);
    const { openSqliteStore } = await import("../../stores/sqlite/engine/open.ts");
    const readOnly = { ...workspace, store: await openSqliteStore(workspace.databasePath, { readOnly: true }) };
    write(root, { "new.py": source("brand_new") });
    expect(await ensureFresh(readOnly)).toEqual([expect.stringContaining("not brought up to date")]);
    await readOnly.store.close();
  });
});
