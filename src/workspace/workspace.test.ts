import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { folder, git, repository } from "../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const opened: Workspace[] = [];
const home = process.env.DOSSIER_HOME;
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
  if (home === undefined) delete process.env.DOSSIER_HOME;
  else process.env.DOSSIER_HOME = home;
});

async function open(...args: Parameters<typeof openWorkspace>): Promise<Workspace> {
  const workspace = await openWorkspace(...args);
  opened.push(workspace);
  return workspace;
}

describe("opening a workspace", () => {
  it("keeps the index in a folder that git ignores by itself", async () => {
    const root = repository({ "src/a.ts": "" });
    const workspace = await open(join(root, "src"));
    expect(workspace.root).toBe(root);
    expect(workspace.databasePath).toBe(join(root, ".dossier/index.db"));
    expect(existsSync(workspace.databasePath)).toBe(true);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("keeps it in the user's cache where the root cannot be written, one per root", async () => {
    process.env.DOSSIER_HOME = folder();
    // A file where the folder should be stops even a user who may write everywhere.
    const [one, two] = [folder({ ".dossier": "" }), folder({ ".dossier": "" })];
    const first = await open(one);
    const second = await open(two);
    expect(first.databasePath.startsWith(process.env.DOSSIER_HOME)).toBe(true);
    expect(second.databasePath).not.toBe(first.databasePath);
    expect((await open(one, { create: false })).databasePath).toBe(first.databasePath);
  });

  it("refuses the root of the machine unless forced to", async () => {
    await expect(openWorkspace("/")).rejects.toMatchObject({ code: "refused-root" });
    await expect(openWorkspace("/etc")).rejects.toMatchObject({ code: "refused-root" });
  });

  it("answers in a home folder that was indexed with force", async () => {
    const home = folder({ "a.ts": "export const a = 1;" });
    vi.stubEnv("HOME", home);
    await expect(openWorkspace(home)).rejects.toMatchObject({ code: "refused-root" });
    await (await openWorkspace(home, { force: true })).close();
    expect((await open(home)).root).toBe(home);
    vi.unstubAllEnvs();
  });

  it("names a path that does not exist, and a workspace without an index", async () => {
    await expect(openWorkspace(join(folder(), "missing"))).rejects.toMatchObject({ code: "not-a-folder" });
    const root = folder({ "a.ts": "" });
    await expect(openWorkspace(root, { create: false })).rejects.toMatchObject({ code: "not-indexed" });
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });

  it("rebuilds an index in any state", async () => {
    const root = folder({ "a.ts": "" });
    const workspace = await openWorkspace(root);
    const { store, owner } = workspace;
    await store.writeMetadata(owner, "key", new Uint8Array([1]));
    await workspace.rebuild();
    expect(await workspace.store.metadata(owner, "key")).toBeUndefined();
    await workspace.close();

    const database = workspace.databasePath;
    for (const suffix of ["-wal", "-shm"]) rmSync(database + suffix, { force: true });
    writeFileSync(database, "this is no database at all, and long enough to be looked at as one".repeat(100));
    await expect(openWorkspace(root)).rejects.toMatchObject({ code: "store-damaged" });
    const again = await open(root, { rebuild: true });
    expect(await again.store.files(owner)).toEqual([]);
    expect(readFileSync(database).subarray(0, 6).toString()).toBe("SQLite");
  });

  it("gives each owner an own view of one root", async () => {
    const root = folder({ "a.ts": "" });
    const one = await open(root, { owner: "one" });
    const two = await open(root, { owner: "two" });
    await one.store.writeMetadata(one.owner, "key", new Uint8Array([1]));
    expect(await two.store.metadata(two.owner, "key")).toBeUndefined();
  });
});
