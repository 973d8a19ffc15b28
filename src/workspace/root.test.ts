import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, git, repository } from "../tree/folder.cases.ts";
import { findRoot, refusal } from "./root.ts";

describe("the root of a path", () => {
  it("is the nearest folder with an index", () => {
    const root = repository({ "a/b/c.ts": "" });
    mkdirSync(join(root, "a/.dossier"));
    expect(findRoot(join(root, "a/b/c.ts"))).toBe(join(root, "a"));
  });

  it("is else the top of the git work tree", () => {
    const root = repository({ "a/b/c.ts": "" });
    expect(findRoot(join(root, "a/b"))).toBe(root);
    const tree = join(folder(), "tree");
    git(root, "worktree", "add", "-q", tree, "-b", "two");
    expect(findRoot(join(tree, "a/b/c.ts"))).toBe(tree);
  });

  it("is a repository rather than an indexed folder around it, but not a submodule of what is indexed", () => {
    const around = folder({ "a.md": "", "shop/src/b.ts": "" });
    mkdirSync(join(around, ".dossier"));
    git(join(around, "shop"), "init", "-q");
    expect(findRoot(join(around, "shop/src"))).toBe(join(around, "shop"));
    expect(findRoot(around)).toBe(around);
    const library = repository({ "lib.ts": "" });
    git(around, "init", "-q");
    git(around, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/library");
    expect(findRoot(join(around, "vendor/library"))).toBe(around);
  });

  it("is else the folder itself, or that of a file", () => {
    const root = folder({ "a/b.ts": "" });
    expect(findRoot(join(root, "a"))).toBe(join(root, "a"));
    expect(findRoot(join(root, "a/b.ts"))).toBe(join(root, "a"));
  });

  it("is a real path, however it was reached", () => {
    const root = folder({ "a/b.ts": "" });
    symlinkSync("a", join(root, "link"));
    expect(findRoot(join(root, "link"))).toBe(join(root, "a"));
  });

  it("must exist", () => {
    expect(() => findRoot(join(folder(), "missing"))).toThrow(expect.objectContaining({ code: "not-a-folder" }));
  });

  it("is refused where it would swallow a whole machine or home", () => {
    for (const place of ["/", homedir(), "/etc", "/usr", "/tmp", "/proc/self"])
      expect([place, refusal(place)]).not.toEqual([place, undefined]);
    expect(refusal(folder())).toBeUndefined();
    expect(refusal("/usr/src/app")).toBeUndefined();
  });

  it("is refused where a program keeps its settings, logins and transcripts", () => {
    const home = process.env.HOME;
    const fake = folder({
      ".claude/projects/shop/session.jsonl": "",
      ".codex/auth.json": "{}",
      ".codex/worktrees/1/shop/a.ts": "",
      ".config/nvim/init.lua": "",
      "shop/.claude/settings.json": "{}",
    });
    git(join(fake, ".codex/worktrees/1/shop"), "init", "-q");
    process.env.HOME = fake;
    try {
      const refused = [".codex", ".claude", ".config", ".claude/projects/shop"].map((name) =>
        refusal(join(fake, name)),
      );
      expect(refused).toEqual(Array(4).fill("a folder of a program's own settings"));
      for (const name of ["shop", "shop/.claude", ".config/nvim", ".codex/worktrees/1/shop"])
        expect([name, refusal(join(fake, name))]).toEqual([name, undefined]);
    } finally {
      process.env.HOME = home;
    }
  });

  it("is not one of these only because an index or repository lies in it", () => {
    const home = process.env.HOME;
    const fake = repository({ "project/a.ts": "" });
    mkdirSync(join(fake, ".dossier"));
    process.env.HOME = fake;
    try {
      expect(findRoot(join(fake, "project"))).toBe(join(fake, "project"));
      expect(findRoot(fake)).toBe(fake);
    } finally {
      process.env.HOME = home;
    }
  });
});
