import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context, status } from "../../index.ts";
import { loadForQuestions, warmQuestions } from "./warm-up.ts";
import { openedWorkspaces } from "./workspace-pool.ts";

const files = { "src/config.ts": "/** What is configured. */\nexport function configure(): void {}\n" };

function opening() {
  const workspaces = openedWorkspaces();
  onTestFinished(() => workspaces.close());
  return workspaces;
}

describe("a rehearsal", () => {
  it("leaves the workspace open and its index as it was, also where a file is new", async () => {
    const path = folder(files);
    await context({ query: "configure", path });
    writeFileSync(join(path, "src/new.ts"), "export const isNew = true;\n");
    const before = await status({ path });
    expect(before.stale.added).toBe(1);
    const workspaces = opening();
    await loadForQuestions();
    await warmQuestions(path, workspaces, () => true);
    expect(workspaces.roots()).toEqual([path]);
    expect(await status({ path })).toEqual(before);
  });

  it("makes no index where there is none", async () => {
    const path = folder(files);
    const workspaces = opening();
    await warmQuestions(path, workspaces, () => true);
    expect(existsSync(join(path, ".dossier"))).toBe(false);
    expect(workspaces.roots()).toEqual([]);
  });

  it("asks nothing more when there is something real to do", async () => {
    const path = folder(files);
    await context({ query: "configure", path });
    const workspaces = opening();
    let checks = 0;
    await warmQuestions(path, workspaces, () => ++checks < 0);
    expect(checks).toBe(3);
    expect(workspaces.roots()).toEqual([path]);
  });
});
