import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Role } from "../../item.ts";
import { folder, write } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { updateIndex } from "./update.ts";

const opened: Workspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
});

async function indexed(files: Record<string, string>): Promise<{ root: string; workspace: Workspace }> {
  const root = folder(files);
  const workspace = await openWorkspace(root);
  opened.push(workspace);
  await updateIndex(workspace, { workers: 0 });
  return { root, workspace };
}

async function roles({ store, owner }: Workspace): Promise<Record<string, Role>> {
  const states = await store.files(owner);
  return Object.fromEntries(states.flatMap(({ path, role }) => (role ? [[path, role]] : [])));
}

test("a declaration is one while the code that it declares is there", async () => {
  const { root, workspace } = await indexed({ "a.js": "export const a = 1;\n", "a.d.ts": "export const a: number;\n" });
  expect(await roles(workspace)).toEqual({ "a.d.ts": "declaration" });
  const items = await workspace.store.itemsOf(workspace.owner, "a.d.ts");
  expect(new Set(items.map(({ role }) => role))).toEqual(new Set(["declaration"]));

  write(root, { "a.d.ts": "export const a: string;\n" });
  await updateIndex(workspace, { workers: 0 });
  expect(await roles(workspace)).toEqual({ "a.d.ts": "declaration" });

  rmSync(join(root, "a.js"));
  await updateIndex(workspace, { workers: 0 });
  expect(await roles(workspace)).toEqual({});

  write(root, { "a.js": "export const a = 2;\n" });
  await updateIndex(workspace, { workers: 0 });
  expect(await roles(workspace)).toEqual({ "a.d.ts": "declaration" });
});

test("what a tool wrote is generated until somebody writes it by hand; then its place counts again", async () => {
  const { root, workspace } = await indexed({
    "examples/table.js": "// This file is generated from table.csv\nexport const a = 1;\n",
    "examples/b.js": "export const b = 1;\n",
    "src/c.js": "export const c = 1;\n",
  });
  expect(await roles(workspace)).toEqual({ "examples/table.js": "generated", "examples/b.js": "example" });
  write(root, { "examples/table.js": "export const a = 1;\n" });
  await updateIndex(workspace, { workers: 0 });
  expect(await roles(workspace)).toEqual({ "examples/table.js": "example", "examples/b.js": "example" });
});

test("an interrupted run leaves no file without its role for good", async () => {
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`examples/e${i}.py`, `def e${i}(): ...\n`]));
  const root = folder({ ...files, "src/a.py": "def a(): ...\n", "src/b.py": "def b(): ...\n", "src/c.py": "c = 1\n" });
  const workspace = await openWorkspace(root);
  opened.push(workspace);
  const controller = new AbortController();
  const progress = ({ stage, done }: { stage: string; done: number }) => {
    if (stage === "indexing" && done === 110) controller.abort();
  };
  const run = updateIndex(workspace, { workers: 0, signal: controller.signal, progress });
  await expect(run).rejects.toMatchObject({ code: "interrupted" });
  expect((await workspace.store.files(workspace.owner)).length).toBeGreaterThan(0);
  await updateIndex(workspace, { workers: 0 });
  expect(Object.values(await roles(workspace))).toEqual(Array(130).fill("example"));
});
