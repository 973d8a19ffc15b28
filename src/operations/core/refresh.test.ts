import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, write } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { remember } from "../memory/remember.ts";
import { call } from "./call.ts";
import { refreshHere, refreshSources } from "./refresh.ts";

it("says once that the index cannot be written, however many sources have something new", async () => {
  const root = folder({ "a.py": "def first():\n    return 1\n" });
  const workspace = await openWorkspace(root);
  const environment = { workspace: async () => workspace };
  const sources = ["files", "memory", "experience", "value"];
  await refreshSources(workspace, environment as never, sources);
  await call(remember, { content: "Ropes are oiled monthly.", path: root }, { workspace });
  write(root, { "b.py": "def second():\n    return 2\n" });
  const { openSqliteStore } = await import("../../stores/sqlite/engine/open.ts");
  const readOnly = { ...workspace, store: await openSqliteStore(workspace.databasePath, { readOnly: true }) };
  const all = await refreshHere(readOnly, environment as never, sources);
  expect(all.length).toBeGreaterThan(1);
  const warnings = await refreshSources(readOnly, environment as never, sources);
  expect(warnings).toEqual([expect.stringContaining("The index was not brought up to date")]);
  await readOnly.store.close();
  await workspace.close();
});

it("says once that the records are gone, and only where nobody deleted them", async () => {
  const root = folder({ "a.py": "def first():\n    return 1\n" });
  const sources = ["memory", "experience", "value"];
  const asked = async (work: (workspace: Workspace) => Promise<unknown> = async () => undefined) => {
    const workspace = await openWorkspace(root);
    await work(workspace);
    const warnings = await refreshSources(workspace, { workspace: async () => workspace } as never, sources);
    await workspace.close();
    return warnings;
  };
  const keep = (content: string) => (workspace: Workspace) => call(remember, { content, path: root }, { workspace });
  await asked(keep("Ropes are oiled monthly."));
  expect(await asked(keep("Sails dry in the loft."))).toEqual([]);

  const file = join(root, ".dossier", "memory.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  writeFileSync(file, "");
  // The first to see it is not a question: it is told all the same.
  const warnings = await asked(keep("Anchors are painted in spring."));
  expect(warnings).toEqual([
    expect.stringMatching(/memory\.db was emptied .* 0 of 2 memories that were indexed\. Put the file back/),
  ]);
  expect(await asked()).toEqual([]);
  const forgotten = await asked(async (workspace) => {
    const records = await workspace.records();
    const [id] = await records.ids(workspace.owner, { type: "memory" });
    await records.remove(workspace.owner, id!);
  });
  expect(forgotten).toEqual([]);
});
