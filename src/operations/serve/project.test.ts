import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { projectFolder } from "./project.ts";

let home: string | undefined;

beforeEach(() => {
  home = process.env.DOSSIER_HOME;
});

afterEach(() => {
  if (home === undefined) delete process.env.DOSSIER_HOME;
  else process.env.DOSSIER_HOME = home;
});

function given(): { root: string; other: string } {
  process.env.DOSSIER_HOME = folder({});
  const root = realpathSync(folder({ "app/src/a.ts": "export const a = 1;\n", "web/b.ts": "" }));
  return { root, other: realpathSync(folder({ "secret.txt": "x" })) };
}

describe("the project of an agent", () => {
  it("is a folder that was given, by its name or by a path inside it", async () => {
    const { root } = given();
    const folders = [join(root, "app"), join(root, "web")];
    expect(await projectFolder("web", folders)).toBe(join(root, "web"));
    expect(await projectFolder("src", folders)).toBe(join(root, "app/src"));
    expect(await projectFolder(join(root, "app/src"), folders)).toBe(join(root, "app/src"));
  });

  it("is the folder at hand by its name, and a wrong name is told the right one", async () => {
    const { root } = given();
    const before = process.cwd();
    process.chdir(join(root, "app"));
    try {
      expect(await projectFolder("app", ["."])).toBe(join(root, "app"));
      expect(await projectFolder("src", ["."])).toBe(join(root, "app/src"));
      await expect(projectFolder("shop", ["."])).rejects.toThrow('There is no project "shop"; there is only app.');
    } finally {
      process.chdir(before);
    }
  });

  it("is a workspace that has a name, wherever it is", async () => {
    const { root, other } = given();
    const workspaces = { docs: { folder: other, aliases: ["papers"] } };
    writeFileSync(join(process.env.DOSSIER_HOME!, "workspaces.json"), JSON.stringify({ workspaces }));
    expect(await projectFolder("docs", [root])).toBe(other);
    expect(await projectFolder("papers", [root])).toBe(other);
  });

  it("is nothing outside, whatever it is called", async () => {
    const { root, other } = given();
    symlinkSync(other, join(root, "app", "link"));
    mkdirSync(`${root}-beside`);
    const app = join(root, "app");
    for (const project of [other, "/", "..", "../web", join(app, ".."), "link", join(app, "link"), `${root}-beside`]) {
      await expect(projectFolder(project, [app]), project).rejects.toMatchObject({ code: "outside-root" });
    }
    for (const project of ["nothing", "a\0b", "x".repeat(10_000)]) {
      await expect(projectFolder(project, [app]), project).rejects.toMatchObject({ code: "unknown-workspace" });
    }
  });
});
