import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { readOriginState } from "../../notes/origin-state.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { type NotesReport, refreshNotes } from "./notes.ts";

const now = Date.UTC(2026, 0, 1);

async function vaultWorkspace(files: Record<string, string>): Promise<Workspace> {
  const workspace = await openWorkspace(folder({ ".obsidian/app.json": "{}", ...files }));
  onTestFinished(() => workspace.close());
  return workspace;
}

function refresh(workspace: Workspace): Promise<NotesReport> {
  return refreshNotes(workspace, { now });
}

let clock = 0;

/** Writes a file with a time of its own: two writes within a tick of the clock are two writes. */
function put(workspace: Workspace, path: string, text: string): void {
  const target = join(workspace.root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  const time = new Date(now + ++clock * 1000);
  utimesSync(target, time, time);
}

async function names({ store, owner }: Workspace): Promise<string[]> {
  const shelf = store.shelf("note");
  const ids: string[] = [];
  for await (const batch of shelf.allTerms(owner, "unit")) for (const { id } of batch) ids.push(id);
  const items = await shelf.items(owner, ids);
  const notes = await store.graph.get(owner, ids);
  expect(notes.length).toBe(ids.length);
  return items.map(({ name }) => name).sort();
}

describe("refreshing notes", () => {
  it("does nothing where there is no origin", async () => {
    const workspace = await openWorkspace(folder({ "a.md": "# A\n" }));
    onTestFinished(() => workspace.close());
    expect(await refresh(workspace)).toEqual({ changed: 0, removed: 0, total: 0, warnings: [] });
    expect(await readOriginState(workspace.store, workspace.owner)).toEqual([]);
  });

  it("reads a vault, then only what changed in it", async () => {
    const workspace = await vaultWorkspace({ "Apollo.md": "See [[Ada]].\n", "Ada.md": "Engineer.\n" });
    expect(await refresh(workspace)).toMatchObject({ changed: 2, removed: 0, total: 2, warnings: [] });
    expect(await names(workspace)).toEqual(["Ada", "Apollo"]);
    const { store, owner } = workspace;
    const revision = await store.shelf("note").revision(owner);
    expect(await refresh(workspace)).toMatchObject({ changed: 0, removed: 0, total: 2 });
    expect(await store.shelf("note").revision(owner)).toBe(revision);

    put(workspace, "Ada.md", "Engineer of engines.\n");
    expect(await refresh(workspace)).toMatchObject({ changed: 1, removed: 0, total: 2 });
    const [ada] = await store.graph.called(owner, "Ada.md");
    expect(ada?.text).toContain("engines");
  });

  it("lets deleted notes disappear, and what is renamed appear under its new name", async () => {
    const workspace = await vaultWorkspace({ "Apollo.md": "See [[Ada]].\n", "Ada.md": "Engineer.\n" });
    await refresh(workspace);
    rmSync(join(workspace.root, "Ada.md"));
    put(workspace, "Ada Lovelace.md", "---\naliases: [Ada]\n---\nEngineer.\n");
    expect(await refresh(workspace)).toMatchObject({ changed: 1, removed: 1, total: 2 });
    expect(await names(workspace)).toEqual(["Ada Lovelace", "Apollo"]);
    const { store, owner } = workspace;
    const [apollo] = await store.graph.called(owner, "Apollo.md");
    const { edges } = await store.graph.neighbours(owner, [apollo!.id], ["reference"], 10);
    const [target] = await store.graph.get(
      owner,
      edges.map(({ to }) => to),
    );
    expect(target?.name).toBe("Ada Lovelace");
  });

  it("forgets an origin that is no longer configured", async () => {
    const notes = folder({ "A.md": "One.\n" });
    const workspace = await openWorkspace(
      folder({ "dossier.json": JSON.stringify({ notes: [{ name: "n", from: notes }] }) }),
    );
    onTestFinished(() => workspace.close());
    expect((await refresh(workspace)).total).toBe(1);
    put(workspace, "dossier.json", "{}");
    expect(await refresh(workspace)).toMatchObject({ removed: 1, total: 0 });
    expect(await readOriginState(workspace.store, workspace.owner)).toEqual([]);
  });

  it("answers from what was read before when an origin cannot be read, and says so", async () => {
    const notes = folder({ "A.md": "One.\n" });
    const workspace = await openWorkspace(
      folder({ "dossier.json": JSON.stringify({ notes: [{ name: "n", from: notes }] }) }),
    );
    onTestFinished(() => workspace.close());
    await refresh(workspace);
    rmSync(notes, { recursive: true });
    const report = await refresh(workspace);
    expect(report.total).toBe(1);
    expect(report.warnings).toEqual([
      `The notes of n were not brought up to date: ${notes} does not exist. What was read of it before is used.`,
    ]);
    mkdirSync(notes);
    writeFileSync(join(notes, "B.md"), "Two.\n");
    expect(await refresh(workspace)).toMatchObject({ changed: 1, removed: 1, total: 1, warnings: [] });
  });

  it("keeps what it has when an export is cut off, and notices when something else takes its place", async () => {
    const tana = (name: string) =>
      JSON.stringify({ formatVersion: 1, docs: [{ id: "abcdefghijkl", props: { name, created: now } }] });
    const workspace = await openWorkspace(
      folder({ "export.json": tana("First"), "dossier.json": '{"notes":[{"name":"n","from":"export.json"}]}' }),
    );
    onTestFinished(() => workspace.close());
    expect((await refresh(workspace)).total).toBe(1);
    put(workspace, "export.json", tana("Second").slice(0, 60));
    const cut = await refresh(workspace);
    expect(cut.total).toBe(1);
    expect(cut.warnings[0]).toMatch(
      /^The notes of n were not brought up to date: .* What was read of it before is used\.$/,
    );
    put(
      workspace,
      "export.json",
      JSON.stringify({
        version: "TanaIntermediateFile V0.1",
        nodes: [{ uid: "u1", name: "Third", type: "node" }],
        supertags: [],
      }),
    );
    expect(await refresh(workspace)).toMatchObject({ total: 1, warnings: [] });
    expect(await names(workspace)).toEqual(["Third"]);
  });

  it("keeps pages small however many notes a sheet has, and their text findable after each change", async () => {
    const boxes = (count: number) => Array.from({ length: count }, (_, i) => `- [ ] task number ${i}`).join("\n");
    const workspace = await vaultWorkspace({ "Tasks.md": `${boxes(400)}\n` });
    expect((await refresh(workspace)).total).toBe(401);
    const { store, owner } = workspace;
    const pages = await store.shelf("note").files(owner);
    expect(pages.length).toBeGreaterThan(2);
    expect(Math.max(...pages.map(({ items }) => items))).toBeLessThan(300);
    put(workspace, "Tasks.md", `${boxes(400)}\n- [ ] buy a zeppelin\n`);
    expect(await refresh(workspace)).toMatchObject({ changed: 2, removed: 0, total: 402 });
    put(workspace, "Tasks.md", `${boxes(10)}\n- [ ] buy a zeppelin\n`);
    expect((await refresh(workspace)).total).toBe(12);
    expect((await names(workspace)).length).toBe(12);
    const hits = await store
      .shelf("note")
      .searchText(owner, { scope: "unit", terms: [{ term: "zeppelin", weight: 1 }], limit: 5 });
    expect(hits.map(({ item }) => item.name)).toEqual(["buy a zeppelin"]);
  });

  it("repairs what an interrupted run left", async () => {
    const workspace = await vaultWorkspace({ "A.md": "One.\n", "B.md": "Two.\n" });
    const { store, owner } = workspace;
    const { graph } = store;
    const write = graph.write;
    graph.write = () => Promise.reject(new Error("power cut"));
    await expect(refresh(workspace)).rejects.toThrow("power cut");
    graph.write = write;
    expect(await refresh(workspace)).toMatchObject({ changed: 2, total: 2 });
    expect(await names(workspace)).toEqual(["A", "B"]);
    expect((await graph.origins(owner))[0]?.notes).toBe(2);
  });

  it("is one run for calls at the same time", async () => {
    const workspace = await vaultWorkspace({ "A.md": "One.\n" });
    const reports = await Promise.all([refresh(workspace), refresh(workspace), refresh(workspace)]);
    expect(reports.map(({ changed }) => changed).sort()).toEqual([0, 0, 1]);
  });
});
