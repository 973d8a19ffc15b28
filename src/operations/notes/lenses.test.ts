import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { builtInLenses } from "../../recipes/lenses.ts";
import { call } from "../core/call.ts";
import { nameWorkspace } from "../index/name-workspace.ts";
import { unnameWorkspace } from "../index/unname-workspace.ts";
import { workspaces } from "../index/workspaces.ts";
import { lenses } from "./lenses.ts";

function root(files: Record<string, string> = {}): string {
  const path = realpathSync(folder(files));
  mkdirSync(join(path, ".dossier"));
  return path;
}

beforeEach(() => {
  const before = process.env.DOSSIER_HOME;
  process.env.DOSSIER_HOME = folder({});
  onTestFinished(() => {
    if (before === undefined) delete process.env.DOSSIER_HOME;
    else process.env.DOSSIER_HOME = before;
  });
});

describe("the list of lenses", () => {
  const show = async (path: string) => {
    const { output, input } = await call(lenses, { path });
    return { ...output, text: lenses.text!(output, input, false) };
  };

  it("has the built-in ones, and says what each does and how to define another", async () => {
    const { lenses: listed, text } = await show(root());
    expect(listed.map(({ name }) => name)).toEqual(builtInLenses.map(({ name }) => name));
    expect(text).toContain(
      "coding        Follows reference and field links up to 3 steps; ranks notes tagged spec, architecture, code or decision higher; always shows status, priority and assignee.",
    );
    expect(text).toMatch(/Define your own in .*dossier\.json: /);
  });

  it("has those of the config file, each with the one it changes", async () => {
    const config = { lenses: { review: { extends: "planning", boostTags: ["risk\u001b[2J"], maxDepth: 1 } } };
    const { lenses: listed, text } = await show(root({ "dossier.json": JSON.stringify(config) }));
    expect(listed.at(-1)).toMatchObject({ name: "review", builtIn: false, extends: "planning", maxDepth: 1 });
    expect(text).toMatch(/review +Follows child and field links up to 1 step; .*\(yours; extends planning\)$/);
    expect(text).not.toContain("\u001b");
  });

  it("is an error where the config file is broken", async () => {
    await expect(show(root({ "dossier.json": "{" }))).rejects.toMatchObject({ code: "bad-config" });
  });
});

describe("workspaces with names", () => {
  it("are listed, with the one that the path lies in and those that are gone", async () => {
    const here = root({ "src/a.ts": "" });
    const gone = root();
    await call(nameWorkspace, { name: "here", path: join(here, "src"), alias: ["h"] });
    await call(nameWorkspace, { name: "gone", path: gone });
    rmSync(gone, { recursive: true });
    const { output, input } = await call(workspaces, { path: here });
    expect(output.workspaces).toEqual([
      { name: "gone", folder: gone, aliases: [], exists: false, current: false },
      { name: "here", folder: here, aliases: ["h"], exists: true, current: true },
    ]);
    expect(workspaces.text!(output, input, false)).toBe(`  gone  ${gone} is gone\n* here  ${here} (also h)`);
  });

  it("are explained where there are none", async () => {
    const { output, input } = await call(workspaces, { path: root() });
    expect(workspaces.text!(output, input, false)).toMatch(/dossier workspace name <name>/);
  });

  it("stand for their folder in every operation that takes one", async () => {
    const path = root({ "dossier.json": '{"lenses":{"mine":{}}}' });
    await call(nameWorkspace, { name: "shop", path, alias: ["s"] });
    for (const input of [{ workspace: "shop" }, { workspace: "S" }, { path: "shop" }]) {
      expect((await call(lenses, input)).output.lenses.at(-1)!.name).toBe("mine");
    }
    await expect(call(lenses, { workspace: "shpo" })).rejects.toMatchObject({ code: "unknown-workspace" });
  });

  it("lose their names, and get them back by the command that is shown", async () => {
    const path = root();
    await call(nameWorkspace, { name: "shop", path, alias: ["s", "t"] });
    const { output } = await call(unnameWorkspace, { name: "s" });
    expect(output.undo).toBe(`dossier workspace name shop ${path} --alias s,t`);
    expect((await call(workspaces, { path })).output.workspaces).toEqual([]);
  });
});
