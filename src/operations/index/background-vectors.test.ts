import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { wordServer } from "../../../tests/word-server.ts";
import { folder } from "../../../tests/workspace.ts";
import { vectorProgress } from "../../indexing/vectors/configured-model.ts";
import type { VectorRun } from "../../indexing/vectors/model-vectors.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { search } from "../ask/search.ts";
import { call } from "../core/call.ts";
import { vectorsInBackground } from "./background-vectors.ts";

async function served(count: number) {
  const server = await wordServer();
  const parts = Array.from({ length: count }, (_, i) => [
    `part${i}.py`,
    `def part_${i}(value):\n    result = value + ${i}\n    return result\n`,
  ]);
  const model = { provider: "http", url: server.url, model: "words", batchSize: 4, concurrency: 1 };
  const root = folder({ ...Object.fromEntries(parts), "dossier.json": JSON.stringify({ model }) });
  const workspace = await openWorkspace(root);
  const runs: VectorRun[] = [];
  const background = vectorsInBackground({ onRun: (run) => void runs.push(run) });
  onTestFinished(async () => {
    await background.close();
    await workspace.close();
  });
  const changed = (changedWorkspace: Workspace) => background.changed(changedWorkspace);
  const ask = () => call(search, { query: "part 3", path: root }, { workspace, changed });
  return { server, workspace, background, runs, ask };
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await sleep(10);
}

it("a process that serves makes vectors after the first question, and of what changes later", async () => {
  const { server, workspace, runs, ask } = await served(12);
  await ask();
  await until(() => runs.length === 1);
  expect(runs[0]).toMatchObject({ state: "complete" });
  const { items, vectors } = await vectorProgress(workspace);
  expect([...vectors.values()]).toEqual([items]);
  const before = server.texts.length;
  writeFileSync(join(workspace.root, "new.py"), "def brand_new(value):\n    result = value * 2\n    return result\n");
  await sleep(300);
  await ask();
  await until(() => runs.length === 2);
  expect(server.texts.slice(before).some((text) => text.includes("brand_new"))).toBe(true);
});

it("finds nothing to do, and reads nothing, while nothing changes", async () => {
  const { runs, ask } = await served(3);
  await ask();
  await until(() => runs.length === 1);
  await ask();
  await sleep(600);
  expect(runs.length).toBe(1);
});

it("lets a question that is being answered go first", async () => {
  const { server, background, runs, ask } = await served(40);
  await ask();
  const answered = background.asking();
  await sleep(600);
  const meanwhile = server.texts.length;
  await sleep(300);
  expect(server.texts.length - meanwhile).toBeLessThanOrEqual(4);
  answered();
  await until(() => runs.length === 1);
  expect(runs[0]).toMatchObject({ state: "complete" });
});

it("stops within a batch when its process ends, and keeps what was made", async () => {
  const { server, workspace, background, ask } = await served(200);
  await ask();
  await until(() => server.texts.length >= 12);
  await background.close();
  const vectorCount = Math.max(...(await vectorProgress(workspace)).vectors.values());
  expect(vectorCount).toBeGreaterThan(0);
  const { items } = await vectorProgress(workspace);
  expect(vectorCount).toBeLessThan(items);
});
