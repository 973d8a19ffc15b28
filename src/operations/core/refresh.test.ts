import { expect, it } from "vitest";
import { folder, write } from "../../tree/folder.cases.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
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
