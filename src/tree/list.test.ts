import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { folder, git, repository, write } from "./folder.cases.ts";
import { listFiles } from "./list.ts";
import type { SkipReason } from "./reasons.ts";

async function listed(root: string): Promise<string[]> {
  return (await listFiles(root)).files.map((file) => file.path).sort();
}

async function skippedAs(root: string, reason: SkipReason): Promise<string[]> {
  return (await listFiles(root)).skipped
    .filter((entry) => entry.reason === reason)
    .map((entry) => entry.path)
    .sort();
}

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

describe.each([
  ["in a git work tree", repository],
  ["outside git", folder],
])("a listing %s", (_where, make) => {
  it("holds every text file, with its size", async () => {
    const root = make({ "a.ts": "one", "deep/er/b.py": "print()\n", ".hidden/c.md": "#" });
    const { files } = await listFiles(root);
    expect(files.map(({ path, size }) => [path, size]).sort()).toEqual([
      [".hidden/c.md", 1],
      ["a.ts", 3],
      ["deep/er/b.py", 8],
    ]);
  });

  it("is empty for an empty folder", async () => {
    const listing = await listFiles(make());
    expect(listing).toEqual({ files: [], skipped: [], warnings: [], generatedDocs: [] });
  });

  it("honours nested .gitignore files, the deepest first", async () => {
    const root = make({
      ".gitignore": "*.log.md\n/build/\nsecret*\n",
      "inner/.gitignore": "!kept.log.md\n/only-here\n",
    });
    write(root, {
      "a.log.md": "",
      "inner/kept.log.md": "",
      "inner/other.log.md": "",
      "build/a.ts": "",
      "inner/build/b.ts": "",
      "inner/only-here": "",
      "only-here": "",
      "secret.ts": "",
    });
    expect(await listed(root)).toEqual([
      ".gitignore",
      "inner/.gitignore",
      "inner/build/b.ts",
      "inner/kept.log.md",
      "only-here",
    ]);
  });

  it("honours nested .dossierignore files and counts what they leave out", async () => {
    const root = make({
      ".dossierignore": "docs/\n*.made.md\n",
      "docs/a.md": "",
      "docs/.dossierignore": "!a.md\n",
      "x.made.md": "",
      "sub/.dossierignore": "!x.made.md\nprivate\n",
      "sub/x.made.md": "",
      "sub/private/b.ts": "",
    });
    expect(await listed(root)).toEqual([".dossierignore", "sub/.dossierignore", "sub/x.made.md"]);
    expect(await skippedAs(root, "ignored")).toEqual([
      "docs/.dossierignore",
      "docs/a.md",
      "sub/private/b.ts",
      "x.made.md",
    ]);
  });

  it("never looks into .git, .dossier and packages", async () => {
    const root = make({ "a.ts": "" });
    write(root, {
      ".dossier/index.md": "",
      "node_modules/x/index.js": "",
      "app/.venv/lib/y.py": "",
      "app/main.py": "",
    });
    expect(await listed(root)).toEqual(["a.ts", "app/main.py"]);
  });

  it("follows links inside the root once, and never out of it", async () => {
    const outside = folder({ "passwords.txt": "hunter2" });
    const root = make({ "real.ts": "x", "data/deep.ts": "y" });
    write(root, { ".dossierignore": "hidden/\n", "hidden/h.ts": "z", "node_modules/p/i.ts": "" });
    symlinkSync("real.ts", join(root, "link.ts"));
    symlinkSync(join(outside, "passwords.txt"), join(root, "leak.txt"));
    symlinkSync(outside, join(root, "outside"));
    symlinkSync("data", join(root, "folder-link"));
    symlinkSync("..", join(root, "data/up"));
    symlinkSync("nowhere", join(root, "broken"));
    symlinkSync("loop-b", join(root, "loop-a"));
    symlinkSync("loop-a", join(root, "loop-b"));
    symlinkSync("hidden/h.ts", join(root, "to-ignored.ts"));
    symlinkSync(".dossierignore", join(root, "to-listed"));
    symlinkSync("node_modules/p/i.ts", join(root, "to-package.ts"));
    expect(await listed(root)).toEqual([".dossierignore", "data/deep.ts", "real.ts"]);
    expect(await skippedAs(root, "link")).toEqual(["data/up", "folder-link", "link.ts", "to-listed"]);
    expect(await skippedAs(root, "outside-root")).toEqual(["leak.txt", "outside"]);
    expect(await skippedAs(root, "broken-link")).toEqual(["broken", "loop-a", "loop-b"]);
    expect(await skippedAs(root, "ignored")).toContain("to-ignored.ts");
    expect(await skippedAs(root, "vendored")).toContain("to-package.ts");
  });

  it("lists a linked file under the link's name when its own name is not listed", async () => {
    const root = make({ ".gitignore": "generated/\n" });
    write(root, { "generated/config.ts": "abc", "generated/.env": "KEY=1" });
    symlinkSync("generated/config.ts", join(root, "config.ts"));
    symlinkSync("generated/config.ts", join(root, "second.ts"));
    symlinkSync("generated/.env", join(root, "settings.txt"));
    expect(await listed(root)).toEqual([".gitignore", "config.ts"]);
    expect(await skippedAs(root, "secret")).toEqual(["settings.txt"]);
  });

  it("takes names with spaces, newlines, quotes and other scripts as they are", async () => {
    const names = [
      "a b.ts",
      "line\nbreak.ts",
      'quo"te.ts',
      "back\\slash.ts",
      "日本語/ファイル.ts",
      "-rf.ts",
      "*.ts",
      "é.ts",
      "#x.ts",
    ];
    const root = make(Object.fromEntries(names.map((name) => [name, "x"])));
    expect(await listed(root)).toEqual([...names].sort());
  });

  it("leaves out names that are not UTF-8, and says so", async () => {
    const root = make({ "good.ts": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from(".ts")]), "x");
    mkdirSync(Buffer.concat([Buffer.from(`${root}/dir`), Buffer.from([0xff])]));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/dir`), Buffer.from([0xff]), Buffer.from("/in.ts")]), "x");
    expect(await listed(root)).toEqual(["good.ts"]);
    expect(await skippedAs(root, "odd-name")).toHaveLength(2);
  });

  it("leaves out vendored code, but not a folder that is only called so", async () => {
    const root = make({
      "vendor/modules.txt": "",
      "vendor/x/y.go": "",
      "shop/vendor/model.ts": "",
      "shop/vendor/package.json": "{}",
      "static/vendor/jquery/LICENSE.txt": "",
      "static/vendor/jquery/jquery.js": "",
      "Pods/Manifest.lock": "",
      "Pods/Expecta/Expecta.m": "",
      "cluster/pods/list.go": "",
    });
    expect(await listed(root)).toEqual(["cluster/pods/list.go", "shop/vendor/model.ts", "shop/vendor/package.json"]);
    expect(await skippedAs(root, "vendored")).toContain("Pods/Expecta/Expecta.m");
    expect(await skippedAs(root, "vendored")).toContain("static/vendor/jquery/jquery.js");
  });

  it("can be interrupted", async () => {
    const signal = AbortSignal.abort();
    await expect(listFiles(make({ "a.ts": "" }), { signal })).rejects.toMatchObject({ code: "interrupted" });
  });
});

describe("a listing by git", () => {
  it("holds tracked files that are ignored by now, and untracked ones that are not", async () => {
    const root = repository({ "tracked.ts": "" });
    write(root, { ".gitignore": "tracked.ts\nignored.ts\n", "ignored.ts": "", "new.ts": "" });
    expect(await listed(root)).toEqual([".gitignore", "new.ts", "tracked.ts"]);
  });

  it("is the same in a repository so large that git is asked twice", async () => {
    const many = Object.fromEntries(Array.from({ length: 3_500 }, (_, at) => [`many/file-number-${at}.ts`, ""]));
    const root = repository({ ...many, "tracked.ts": "" });
    expect(statSync(join(root, ".git/index")).size).toBeGreaterThan(250_000);
    write(root, { ".gitignore": "tracked.ts\nignored.ts\n", "ignored.ts": "", "new.ts": "" });
    const others = (await listed(root)).filter((name) => !name.startsWith("many/"));
    expect(others).toEqual([".gitignore", "new.ts", "tracked.ts"]);
  });

  it("leaves out files that are deleted or outside a sparse checkout", async () => {
    const root = repository({ "a/x.ts": "", "b/y.ts": "", "gone.ts": "" });
    unlinkSync(join(root, "gone.ts"));
    git(root, "sparse-checkout", "set", "a");
    rmSync(join(root, "gone.ts"), { force: true });
    expect(await listed(root)).toEqual(["a/x.ts"]);
  });

  it("holds a file with conflicts once", async () => {
    const root = repository({ "a.ts": "base" });
    git(root, "checkout", "-q", "-b", "other");
    write(root, { "a.ts": "theirs" });
    git(root, "commit", "-qam", "x");
    git(root, "checkout", "-q", "main");
    write(root, { "a.ts": "ours" });
    git(root, "commit", "-qam", "y");
    expect(() => git(root, "merge", "other")).toThrow();
    expect(await listed(root)).toEqual(["a.ts"]);
  });

  it("works in a subfolder, with paths relative to it", async () => {
    const root = repository({ ".gitignore": "*.tmp.md\n", "pkg/a.ts": "", "pkg/b.tmp.md": "", "c.ts": "" });
    write(root, { "pkg/x.tmp.md": "" });
    git(root, "rm", "-q", "--cached", "-f", "pkg/a.ts");
    expect(await listed(join(root, "pkg"))).toEqual(["a.ts"]);
  });

  it("works in a linked work tree, and does not list one inside the repository", async () => {
    const root = repository({ "a.ts": "" });
    const elsewhere = join(folder(), "tree");
    git(root, "worktree", "add", "-q", elsewhere, "-b", "two");
    git(root, "worktree", "add", "-q", join(root, "copies/three"), "-b", "three");
    expect(await listed(elsewhere)).toEqual(["a.ts"]);
    expect(await listed(root)).toEqual(["a.ts"]);
    expect(await skippedAs(root, "worktree")).toEqual(["copies/three/"]);
  });

  it("holds the files of submodules and of repositories inside it", async () => {
    const library = repository({ "lib.ts": "", ".gitignore": "*.skip.md\n" });
    const root = repository({ "a.ts": "" });
    git(root, "submodule", "add", "-q", library, "ext/lib");
    write(root, { "ext/lib/new.ts": "", "ext/lib/x.skip.md": "", "own/b.ts": "" });
    git(join(root, "own"), "init", "-q");
    expect(await listed(root)).toEqual([
      ".gitmodules",
      "a.ts",
      "ext/lib/.gitignore",
      "ext/lib/lib.ts",
      "ext/lib/new.ts",
      "own/b.ts",
    ]);
    git(root, "submodule", "deinit", "-q", "-f", "ext/lib");
    expect(await listed(root)).toEqual([".gitmodules", "a.ts", "own/b.ts"]);
  });

  it("does not reach files through a folder that became a link", async () => {
    const outside = folder({ "a.ts": "outside" });
    const root = repository({ "dir/a.ts": "inside", "b.ts": "" });
    renameSync(join(root, "dir"), join(root, "moved"));
    symlinkSync(outside, join(root, "dir"));
    expect(await listed(root)).toEqual(["b.ts", "moved/a.ts"]);
  });

  it("is not led astray by a hook's environment or by programs in the configuration", async () => {
    const other = repository({ "other.ts": "" });
    const root = repository({ "mine.ts": "" });
    git(root, "config", "core.fsmonitor", `touch ${root}/ran.ts; false`);
    process.env.GIT_DIR = join(other, ".git");
    process.env.GIT_INDEX_FILE = join(other, ".git/index");
    try {
      expect(await listed(root)).toEqual(["mine.ts"]);
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_INDEX_FILE;
    }
  });

  it("refuses a bare repository", async () => {
    const root = repository({ "a.ts": "" });
    const bare = join(folder(), "bare.git");
    git(root, "clone", "-q", "--bare", root, bare);
    await expect(listFiles(bare)).rejects.toMatchObject({ code: "bare-repository" });
    const hidden = folder();
    git(root, "clone", "-q", "--bare", root, join(hidden, ".git"));
    await expect(listFiles(hidden)).rejects.toMatchObject({ code: "bare-repository" });
  });

  it("falls back to walking, with a warning, where git is not installed", async () => {
    const root = repository({ ".gitignore": "*.skip.md\n", "a.ts": "", "pkg/b.ts": "" });
    write(root, { "x.skip.md": "", "pkg/y.skip.md": "" });
    process.env.PATH = folder();
    const { files, warnings } = await listFiles(root);
    expect(files.map((file) => file.path)).toEqual([".gitignore", "a.ts", "pkg/b.ts"]);
    expect(warnings).toEqual([expect.stringContaining("git is not installed")]);
    // The ignore file lies above this root.
    expect((await listFiles(join(root, "pkg"))).files.map((file) => file.path)).toEqual(["b.ts"]);
  });

  it("falls back to walking, and quotes git, where git fails", async () => {
    const root = repository({ "a.ts": "" });
    writeFileSync(join(root, ".git/index"), "damaged");
    const { files, warnings } = await listFiles(root);
    expect(files.map((file) => file.path)).toEqual(["a.ts"]);
    expect(warnings).toEqual([expect.stringMatching(/git says: .*index/)]);
  });
});

describe("a listing where git answers by half", () => {
  it("holds every file once", async () => {
    const root = repository({ "a.ts": "", "b.ts": "" });
    const tools = folder({
      git: `#!/bin/sh\ncase "$*" in *--others*) echo "fatal: no luck" >&2; exit 1;; *) printf 'a.ts\\0b.ts\\0';; esac\n`,
    });
    chmodSync(join(tools, "git"), 0o755);
    write(root, { "c.ts": "" });
    symlinkSync("a.ts", join(root, "link.ts"));
    process.env.PATH = `${tools}:${path}`;
    const { files, skipped, warnings } = await listFiles(root);
    expect(files.map((file) => file.path).sort()).toEqual(["a.ts", "b.ts", "c.ts"]);
    expect(skipped).toEqual([{ path: "link.ts", reason: "link" }]);
    expect(warnings).toEqual([expect.stringContaining("git says: no luck")]);
  });
});

describe("a listing outside git", () => {
  it("fails when the root is gone, so that nothing is taken for deleted", async () => {
    await expect(listFiles(join(folder(), "missing"))).rejects.toMatchObject({ code: "not-a-folder" });
  });

  it("agrees with git on which files are ignored", async () => {
    const pattern = fc.constantFrom(
      "*.md",
      "/a",
      "a/",
      "b",
      "!b",
      "!a/b",
      "a/b",
      "**/c",
      "c/*",
      "!c/keep.md",
      "/b/**",
      "*.ts",
      "!x.ts",
      "# a",
    );
    const files = [
      "a/b/x.ts",
      "a/c/keep.md",
      "b/a/x.md",
      "c/keep.md",
      "c/x.ts",
      "x.ts",
      "b.md",
      "a/b/c/y.txt",
      "a/s p [x]/b/x.ts",
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { maxLength: 5 }), fc.array(pattern, { maxLength: 3 }), async (top, inner) => {
        const content = Object.fromEntries(files.map((file) => [file, file]));
        const root = folder({ ...content, ".gitignore": top.join("\n"), "a/.gitignore": inner.join("\n") });
        const walked = await listed(root);
        git(root, "init", "-q");
        expect(walked).toEqual(await listed(root));
      }),
      { numRuns: 25 },
    );
  });
});
