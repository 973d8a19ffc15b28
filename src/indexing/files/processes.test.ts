import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { folder } from "../../tree/folder.cases.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { updateIndex } from "./update.ts";

/** A program that indexes the folder it is given, as a process of its own. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache/dossier/", import.meta.url));
const program = join(cache, `processes.${process.pid}.mjs`);

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  const thisFolder = fileURLToPath(new URL(".", import.meta.url));
  await build({
    stdin: {
      contents: `
        import { openWorkspace } from "../../workspace/workspace.ts";
        import { updateIndex } from "./update.ts";
        const workspace = await openWorkspace(process.argv[2]);
        const report = await updateIndex(workspace, { workers: 0, progress: ({ done }) => done === 60 && console.log("busy") });
        console.log(JSON.stringify(report));
        await workspace.close();
      `,
      resolveDir: thisFolder,
      loader: "ts",
    },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
});

type Ended = { status: number | null; output: string };

function start(root: string): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, root], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return { child, ended: new Promise((done) => child.on("close", (status) => done({ status, output }))) };
}

function sources(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}.py`, `def f${i}():\n    return ${i}\n`]));
}

describe("several processes", () => {
  it("may index one folder at once, and leave each file in the index once", async () => {
    const root = folder(sources(120));
    const ends = await Promise.all([start(root).ended, start(root).ended]);
    expect(ends.map((end) => [end.status, end.output])).toEqual(ends.map((end) => [0, end.output]));
    const workspace = await openWorkspace(root, { create: false });
    const { store, owner } = workspace;
    expect((await store.files(owner)).map((file) => file.path).sort()).toEqual(Object.keys(sources(120)).sort());
    expect((await store.statistics(owner)).items).toBe(240);
    await store.check();
    expect((await updateIndex(workspace)).files.indexed).toBe(0);
    await workspace.close();
    // Each file is described once, by the one who came first; the others waited for it.
    const indexed = ends.map(({ output }) => JSON.parse(output.trim().split("\n").at(-1)!).files.indexed as number);
    expect(indexed.sort((a, b) => a - b)).toEqual([0, 120]);
    expect(existsSync(join(root, ".dossier/building"))).toBe(false);
  });

  it("go on where the one that was building was killed", async () => {
    const root = folder(sources(120));
    const first = start(root);
    const killed = new Promise((done) => first.child.stdout!.on("data", () => done(first.child.kill("SIGSTOP"))));
    await killed;
    const second = start(root);
    await new Promise((done) => setTimeout(done, 1500));
    first.child.kill("SIGKILL");
    await first.ended;
    const { status, output } = await second.ended;
    expect(status, output).toBe(0);
    const workspace = await openWorkspace(root, { create: false });
    expect((await workspace.store.files(workspace.owner)).length).toBe(120);
    expect((await updateIndex(workspace)).files.indexed).toBe(0);
    await workspace.close();
  });

  it("may be killed in the middle without harm", async () => {
    const root = folder(sources(120));
    const { child, ended } = start(root);
    child.stdout!.on("data", () => child.kill("SIGKILL"));
    await ended;
    const workspace = await openWorkspace(root);
    await workspace.store.check();
    const report = await updateIndex(workspace);
    expect(report.total.files).toBe(120);
    const { items, vectors } = await workspace.store.statistics(workspace.owner);
    expect(items).toBe(240);
    expect(vectors).toBeGreaterThan(0);
    await workspace.close();
  });
});
