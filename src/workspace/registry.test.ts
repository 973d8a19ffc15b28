import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../tests/workspace.ts";
import {
  namedWorkspaces,
  nameOfWorkspace,
  nameWorkspace,
  registryPath,
  resolveWorkspaceName,
  unnameWorkspace,
  workspaceFolder,
  workspaceNames,
} from "./registry.ts";

function setVariable(name: string, value: string | undefined): void {
  const before = process.env[name];
  const put = (text: string | undefined) => {
    if (text === undefined) delete process.env[name];
    else process.env[name] = text;
  };
  put(value);
  onTestFinished(() => put(before));
}

beforeEach(() => setVariable("DOSSIER_HOME", join(folder({}), "home")));

const write = (text: string) => {
  mkdirSync(dirname(registryPath()), { recursive: true });
  writeFileSync(registryPath(), text);
};

describe("names of workspaces", () => {
  it("are none before the first is given", () => {
    expect(namedWorkspaces()).toEqual([]);
    expect(resolveWorkspaceName("shop")).toBeUndefined();
    expect(nameOfWorkspace("/home/ada/shop")).toBeUndefined();
    expect(() => workspaceFolder("shop")).toThrow('No workspace is called "shop"; no workspace has a name yet.');
  });

  it("lead to folders, and so do aliases", () => {
    nameWorkspace({ name: "shop", folder: "/home/ada/shop", aliases: ["s", "store"] });
    nameWorkspace({ name: "notes", folder: "/home/ada/notes", aliases: [] });
    expect(["shop", "s", " STORE "].map(resolveWorkspaceName)).toEqual([
      "/home/ada/shop",
      "/home/ada/shop",
      "/home/ada/shop",
    ]);
    expect(workspaceNames()).toEqual(["notes", "shop", "s", "store"]);
    expect(nameOfWorkspace("/home/ada/shop")).toBe("shop");
    expect(() => workspaceFolder("stroe")).toThrow(
      'No workspace is called "stroe"; there are notes, shop, s, store. Did you mean store?',
    );
    expect(() => workspaceFolder("x")).toThrow(expect.objectContaining({ code: "unknown-workspace" }));
  });

  it("are unique, aliases included", () => {
    nameWorkspace({ name: "shop", folder: "/home/ada/shop", aliases: ["s"] });
    for (const taken of [
      { name: "shop", folder: "/other", aliases: [] },
      { name: "s", folder: "/other", aliases: [] },
      { name: "other", folder: "/other", aliases: ["shop"] },
      { name: "other", folder: "/other", aliases: ["s"] },
    ]) {
      expect(() => nameWorkspace(taken)).toThrow(expect.objectContaining({ code: "already-exists" }));
    }
    expect(workspaceNames()).toEqual(["shop", "s"]);
  });

  it("take more aliases when given again", () => {
    nameWorkspace({ name: "shop", folder: "/home/ada/shop", aliases: ["s"] });
    expect(nameWorkspace({ name: "shop", folder: "/home/ada/shop", aliases: ["store", "s", "shop"] }).aliases).toEqual([
      "s",
      "store",
    ]);
  });

  it.each(["", "Shop", "a b", "../x", "-a", "a-", "a_b", "ä", "x".repeat(65), "__proto__"])("cannot be %j", (name) => {
    expect(() => nameWorkspace({ name, folder: "/work", aliases: [] })).toThrow(
      expect.objectContaining({ code: "bad-input" }),
    );
    expect(() => nameWorkspace({ name: "ok", folder: "/work", aliases: [name] })).toThrow(/is no name for a workspace/);
  });

  it("are free again when taken away, by the name or an alias", () => {
    nameWorkspace({ name: "shop", folder: "/home/ada/shop", aliases: ["s"] });
    nameWorkspace({ name: "notes", folder: "/home/ada/notes", aliases: [] });
    expect(unnameWorkspace("s")).toEqual({ name: "shop", folder: "/home/ada/shop", aliases: ["s"] });
    expect(workspaceNames()).toEqual(["notes"]);
    expect(() => unnameWorkspace("shop")).toThrow(expect.objectContaining({ code: "unknown-workspace" }));
  });
});

describe("the file of names", () => {
  it("is in the user's settings, or where DOSSIER_HOME says", () => {
    expect(registryPath()).toBe(join(process.env.DOSSIER_HOME!, "workspaces.json"));
    setVariable("DOSSIER_HOME", undefined);
    setVariable("XDG_CONFIG_HOME", "/settings");
    expect(registryPath()).toBe(join("/settings", "dossier", "workspaces.json"));
    for (const ignored of ["relative", "", undefined]) {
      setVariable("XDG_CONFIG_HOME", ignored);
      expect(registryPath()).toBe(join(homedir(), ".config", "dossier", "workspaces.json"));
    }
  });

  it.each([
    ["broken", "{", /line 1, column 2: it ends where/],
    ["of another shape", "[]", /it takes an object with workspaces, not \[\]/],
    ["with a relative folder", '{"workspaces":{"a":{"folder":"x"}}}', /workspaces\.a\.folder takes the absolute path/],
    ["with a strange name", '{"workspaces":{"A b":{"folder":"/x"}}}', /workspaces\["A b"\] is no name/],
    [
      "with a name twice",
      '{"workspaces":{"a":{"folder":"/x"},"b":{"folder":"/y","aliases":["a"]}}}',
      /workspaces\.b is called a, as a is/,
    ],
  ])("is an error when it is %s, and is never written over", (_what, text, pattern) => {
    write(text);
    const attempts = [
      () => workspaceNames(),
      () => resolveWorkspaceName("a"),
      () => nameOfWorkspace("/x"),
      () => nameWorkspace({ name: "new", folder: "/new", aliases: [] }),
      () => unnameWorkspace("a"),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(pattern);
    expect(readFileSync(registryPath(), "utf8")).toBe(text);
  });

  it("can be written by hand", () => {
    write('// mine\n{ "workspaces": { "a": { "folder": "/x", "aliases": ["b"], }, } }');
    expect(resolveWorkspaceName("b")).toBe("/x");
  });
});
