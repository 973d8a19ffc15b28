import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { connect } from "./connect.ts";
import { disconnect } from "./disconnect.ts";
import { notes } from "./notes.ts";

const tanaExport = JSON.stringify({
  formatVersion: 1,
  docs: [
    { id: "people000001", props: { name: "People", created: 1 }, children: ["ada000000001"] },
    { id: "ada000000001", props: { name: "Ada", _ownerId: "people000001", created: 1 }, children: [] },
  ],
});

const markdown = { "vault/Ada.md": "# Ada\n\nKnows [[Grace]].\n", "vault/Grace.md": "# Grace\n" };

/** A folder of its own, whatever folders are above it. */
function root(files: Record<string, string> = {}): string {
  const path = folder(files);
  mkdirSync(join(path, ".dossier"));
  return path;
}

const config = (path: string) => JSON.parse(readFileSync(join(path, "dossier.json"), "utf8")) as { notes: unknown[] };
const run = async (path: string, input: Record<string, unknown>) =>
  (await call(connect, { path, ...input }, { nameOf: (key) => `--${key}` })).output;
const show = async (path: string) => {
  const { output, input } = await call(notes, { path });
  return { ...output, text: notes.text!(output, input, false) };
};

function setVariable(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
}

describe("connecting", () => {
  it("says what was found and writes it down, relative to the root where it lies inside", async () => {
    const path = root({ "in/Work Export.json": tanaExport });
    const output = await run(path, { from: join(path, "in/Work Export.json") });
    expect(output).toMatchObject({
      name: "work-export",
      kind: "tana-export",
      from: "in/Work Export.json",
      warnings: [],
    });
    expect(output.message).toBe(
      `${join(path, "in/Work Export.json")} is a Tana export. It is connected as work-export. 2 notes were read.`,
    );
    expect(config(path)).toEqual({
      notes: [{ name: "work-export", from: "in/Work Export.json", kind: "tana-export" }],
    });
  });

  it("writes an absolute path where it lies outside, by its real name", async () => {
    const path = root();
    const outside = folder({ "x.json": tanaExport });
    symlinkSync(join(outside, "x.json"), join(path, "link.json"));
    await run(path, { from: join(path, "link.json"), name: "Tana" });
    expect(config(path).notes).toEqual([{ name: "Tana", from: join(outside, "x.json"), kind: "tana-export" }]);
  });

  it("takes a folder of Markdown notes", async () => {
    const path = root(markdown);
    const output = await run(path, { from: join(path, "vault") });
    expect(output).toMatchObject({ name: "vault", kind: "vault", from: "vault" });
    expect(output.message).toContain("is a folder of Markdown notes (2 files)");
  });

  it("chooses another name than one that is taken", async () => {
    const path = root({ "x.json": tanaExport, "y/x.json": tanaExport });
    await run(path, { from: join(path, "x.json") });
    expect((await run(path, { from: join(path, "y/x.json") })).name).toBe("x-2");
    await expect(run(path, { from: join(path, "y/x.json"), name: "z" })).rejects.toThrow(
      /y\/x\.json is connected already, as x-2\.$/,
    );
    writeFileSync(join(path, "z.json"), tanaExport);
    await expect(run(path, { from: join(path, "z.json"), name: "X" })).rejects.toMatchObject({
      code: "already-exists",
    });
    expect(config(path).notes).toHaveLength(2);
  });

  it("connects Tana Desktop, with or without a file", async () => {
    const path = root({ "x.json": tanaExport });
    const output = await run(path, { liveUrl: "http://127.0.0.1:8262" });
    expect(output).toMatchObject({ name: "tana", liveUrl: "http://127.0.0.1:8262" });
    expect(output.warnings).toEqual(["The variable TANA_API_TOKEN is not set here; without it Tana is not asked."]);
    await expect(run(path, { liveUrl: "http://127.1:8262/" })).rejects.toThrow(/connected already, as tana/);
    setVariable("DOSSIER_TEST_TOKEN", "x");
    const both = {
      from: join(path, "x.json"),
      liveUrl: "http://localhost:8262",
      tokenVariable: "DOSSIER_TEST_TOKEN",
      tanaWorkspace: "w1",
    };
    expect((await run(path, both)).warnings).toEqual([]);
    expect(config(path).notes[1]).toEqual({
      name: "x",
      from: "x.json",
      kind: "tana-export",
      live: { url: "http://localhost:8262", tokenVariable: "DOSSIER_TEST_TOKEN", workspace: "w1" },
    });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["nothing", {}, /Say what to connect: --from, --liveUrl or both/],
    ["what does not exist", { from: "nowhere" }, /nowhere does not exist/],
    [
      "something unknown",
      { from: "photo.png" },
      /photo\.png is nothing that notes can be read from: it is neither an index of supertag-cli, a Tana export, a file in Tana Intermediate Format nor a folder of Markdown notes\.$/,
    ],
    [
      "another kind than it is",
      { from: "photo.png", kind: "supertag" },
      /photo\.png is not an index of supertag-cli\.$/,
    ],
    ["another machine", { liveUrl: "http://tana.example" }, /^--liveUrl takes an address on this machine, such as/],
    [
      "a token instead of its variable",
      { liveUrl: "http://localhost:1", tokenVariable: "sk-secret" },
      /^--tokenVariable takes the name of the environment variable that holds the token, and never the token\.$/,
    ],
    ["a name that is none", { from: "photo.png", name: "a/b" }, /^--name takes a name of up to 64/],
    [
      "a variable without an address",
      { from: "photo.png", tokenVariable: "T" },
      /--tokenVariable is about a live Tana: add --liveUrl/,
    ],
  ])("refuses %s, and writes nothing", async (_what, input, pattern) => {
    const path = root({ "photo.png": "\u0089PNG\r\n" });
    const from = typeof input.from === "string" ? { from: join(path, input.from) } : {};
    await expect(run(path, { ...input, ...from })).rejects.toThrow(pattern);
    expect(() => config(path)).toThrow(/ENOENT/);
  });

  it("names what a folder holds when only that can be connected", async () => {
    const path = root({ "exports/a.json": tanaExport, "exports/b.txt": "x" });
    await expect(run(path, { from: join(path, "exports") })).rejects.toThrow(
      /It holds a\.json, which is a Tana export\.$/,
    );
    writeFileSync(join(path, "exports/c.json"), tanaExport);
    await expect(run(path, { from: join(path, "exports") })).rejects.toThrow(
      /It holds a\.json, c\.json, which can be connected one by one/,
    );
  });

  it("does not write into a home folder by accident", async () => {
    const home = root({ "x.json": tanaExport });
    const before = process.env.HOME;
    onTestFinished(() => {
      process.env.HOME = before;
    });
    process.env.HOME = home;
    await expect(run(home, { from: join(home, "x.json") })).rejects.toMatchObject({ code: "refused-root" });
  });
});

describe("the origins of a workspace", () => {
  it("are explained where there are none, and need no index", async () => {
    const path = folder({ "a.md": "x" }, { git: true });
    const { origins, text } = await show(path);
    expect(origins).toEqual([]);
    expect(text).toMatch(/No notes are connected to this workspace\.\n.*dossier notes connect <file or folder>/);
  });

  it("are shown before they were read, and after that with what the index has", async () => {
    const origin = { name: "tana", from: "x.json", kind: "tana-export" };
    const path = root({ "x.json": tanaExport, "dossier.json": JSON.stringify({ notes: [origin] }) });
    expect(await show(path)).toMatchObject({
      origins: [
        {
          name: "tana",
          state: "configured",
          kind: "tana-export",
          from: "x.json",
          place: join(path, "x.json"),
          notes: 0,
        },
      ],
    });
    expect((await show(path)).text).toContain("not yet");
    const workspace = await openWorkspace(path);
    onTestFinished(() => workspace.close());
    const { refreshNotes } = await import("../../indexing/notes/notes.ts");
    await refreshNotes(workspace, { now: Date.UTC(2026, 1, 22, 18, 30) });
    const { origins, text } = await show(path);
    expect(origins).toMatchObject([{ name: "tana", read: "2026-02-22T18:30:00.000Z", warnings: [] }]);
    expect(origins[0]!.notes).toBe(2);
    expect(text).toContain("2026-02-22 18:30 UTC");
    const other = await call(notes, { path }, { workspace, owner: "someone else" });
    expect(other.output).toMatchObject({ origins: [{ name: "tana", notes: 0 }], tags: [] });
    expect(other.output.origins[0]!.read).toBeUndefined();
  });

  it("say what is live, whether its token is there, and never the token", async () => {
    setVariable("DOSSIER_TEST_TOKEN", "very-secret");
    const live = { url: "http://127.0.0.1:1", tokenVariable: "DOSSIER_TEST_TOKEN" };
    const path = root({
      "dossier.json": JSON.stringify({
        notes: [
          { name: "t", live },
          { name: "u", live: { ...live, tokenVariable: "UNSET_X" } },
        ],
      }),
    });
    const shown = await show(path);
    expect(shown.origins.map(({ live }) => live?.hasToken)).toEqual([true, false]);
    expect(shown.text).toMatch(
      /live at http:\/\/127\.0\.0\.1:1\n.*live at http:\/\/127\.0\.0\.1:1; UNSET_X is not set/s,
    );
    expect(JSON.stringify(shown)).not.toContain("very-secret");
  });

  it("are the workspace itself where it is a vault, which cannot be disconnected", async () => {
    const path = root({ ".obsidian/app.json": "{}", "a.md": "x" });
    expect((await show(path)).origins).toMatchObject([{ name: "vault", state: "found", kind: "vault" }]);
    await expect(call(disconnect, { path, name: "vault" })).rejects.toThrow(
      /vault was never connected: .* is a vault itself/,
    );
  });
});

describe("disconnecting", () => {
  it("takes the notes out of the index at once, and says how to undo it", async () => {
    const path = root({ "x y.json": tanaExport, "dossier.json": '{\n  // mine\n  "lenses": {}\n}' });
    await run(path, { from: join(path, "x y.json"), name: "tana", liveUrl: "http://127.0.0.1:8262" });
    const workspace = await openWorkspace(path);
    onTestFinished(() => workspace.close());
    const { refreshNotes } = await import("../../indexing/notes/notes.ts");
    await refreshNotes(workspace, { now: 1 });
    const had = (await workspace.store.graph.origins(workspace.owner))[0]!.notes;
    expect(had).toBe(2);
    const { output } = await call(disconnect, { path, name: "tana" });
    expect(output).toMatchObject({ name: "tana", removed: had, warnings: [] });
    expect(output.undo).toBe(
      `dossier notes connect '${join(path, "x y.json")}' --name tana --kind tana-export --live-url http://127.0.0.1:8262 --token-variable TANA_API_TOKEN -C ${path}`,
    );
    expect(await workspace.store.graph.origins(workspace.owner)).toEqual([]);
    expect(readFileSync(join(path, "dossier.json"), "utf8")).toContain("// mine");
  });

  it("needs no index", async () => {
    const path = folder({ "dossier.json": '{"notes":[{"name":"a","from":"x"}]}' }, { git: true });
    expect((await call(disconnect, { path, name: "a" })).output).toMatchObject({ removed: 0, warnings: [] });
    expect(config(path)).toEqual({ notes: [] });
  });

  it("names what there is when it does not know a name", async () => {
    const path = root({ "dossier.json": '{"notes":[{"name":"alpha","from":"x"}]}' });
    await expect(call(disconnect, { path, name: "alhpa" })).rejects.toThrow(
      'No notes are connected as "alhpa"; there is only alpha.',
    );
    await expect(call(disconnect, { path, name: "zzz" })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("what was connected", () => {
  it("is read at once, with progress, and can be asked by the name its users look for", async () => {
    const path = root({ ...markdown });
    const stages: string[] = [];
    const { output } = await call(
      connect,
      { path, from: join(path, "vault") },
      { nameOf: (key) => `--${key}`, progress: ({ stage }) => stages.push(stage) },
    );
    expect(output.notes).toBeGreaterThanOrEqual(2);
    expect(output.message).toMatch(/\d+ notes were read\.$/);
    expect(stages).toContain("notes of vault");
    const result = await call(notes, { path, query: "Ada" });
    expect(result.output.answer?.nodes[0]?.name).toBe("Ada");
    expect(notes.text!(result.output, result.input, false)).toMatch(/^# Context: Ada/);
  });
});
