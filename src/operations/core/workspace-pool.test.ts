import { rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openedWorkspaces } from "./workspace-pool.ts";

function pool() {
  const workspaces = openedWorkspaces();
  onTestFinished(() => workspaces.close());
  return workspaces;
}

/** Whether its store still answers. */
async function isOpen({ store, owner }: Workspace): Promise<boolean> {
  return store.revision(owner).then(
    () => true,
    () => false,
  );
}

describe("workspaces that stay open", () => {
  it("are opened once for calls that come one after another, or at once", async () => {
    const workspaces = pool();
    const root = folder({ "a.md": "# A\n" });
    const [one, two] = [workspaces.begin(), workspaces.begin()];
    const [first, second] = await Promise.all([one.open(root, {}), two.open(root, {})]);
    expect(second.store).toBe(first.store);
    await one.end();
    await two.end();
    const again = workspaces.begin();
    expect((await again.open(root, {})).store).toBe(first.store);
    await again.end();
  });

  it("are opened anew when another process has thrown the index away, without closing what is in use", async () => {
    const workspaces = pool();
    const root = folder({ "a.md": "# A\n" });
    const before = workspaces.begin();
    const old = await before.open(root, {});
    for (const end of ["", "-wal", "-shm"]) rmSync(`${old.databasePath}${end}`, { force: true });
    const after = workspaces.begin();
    const fresh = await after.open(root, {});
    expect(fresh.store).not.toBe(old.store);
    expect(await isOpen(old)).toBe(true);
    await before.end();
    expect(await isOpen(old)).toBe(false);
    expect(await isOpen(fresh)).toBe(true);
    await after.end();
  });

  it("are no more than four while nobody uses them", async () => {
    const workspaces = pool();
    const longCall = workspaces.begin();
    const inUse = await longCall.open(folder({}), {});
    for (let number = 0; number < 6; number++) {
      const call = workspaces.begin();
      await call.open(folder({}), {});
      await call.end();
    }
    expect(workspaces.roots().length).toBe(4);
    expect(await isOpen(inUse)).toBe(true);
    await longCall.end();
  });

  it("that could not be opened are tried again", async () => {
    const workspaces = pool();
    const root = folder({});
    const call = workspaces.begin();
    await expect(call.open(root, { create: false })).rejects.toMatchObject({ code: "not-indexed" });
    await expect(call.open(root, {})).resolves.toMatchObject({ owner: "local" });
    await call.end();
  });
});
