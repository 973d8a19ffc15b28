import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, execute } from "../cli/run-cli.ts";
import { type EngineWorkspace, engineWorkspace } from "../engine/engine-process.ts";

/** What a command reads before it can begin: counted by Node's own functions, so that it does not grow unseen. */

let workspace: EngineWorkspace;
let folder: string;

beforeAll(async () => {
  workspace = await engineWorkspace();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "dossier-loaded-")));
  writeFileSync(join(folder, "count.cjs"), counter);
});

afterAll(async () => {
  await workspace.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Notes every file of code that is read, and every module of Node's own, when the process ends. */
const counter = `
const fs = require("node:fs");
const before = new Set(process.moduleLoadList);
const files = new Set();
const readFileSync = fs.readFileSync;
fs.readFileSync = (path, ...rest) => {
  if (/\\.(?:c?js|mjs|json|node|wasm)$/.test(String(path))) files.add(String(path));
  return readFileSync(path, ...rest);
};
require("node:module").syncBuiltinESMExports();
process.on("exit", () => {
  const own = process.moduleLoadList.filter((name) => name.startsWith("NativeModule") && !before.has(name));
  fs.writeFileSync(process.env.COUNT_FILE, JSON.stringify({ files: [...files], own }));
});
`;

type Loaded = { files: string[]; bytes: number; own: string[] };

async function loadedBy(args: string[], env: Record<string, string>, input = ""): Promise<Loaded> {
  const file = join(folder, "count.json");
  const all = { ...workspace.env, ...env, COUNT_FILE: file };
  await execute(process.execPath, ["-r", join(folder, "count.cjs"), cli, ...args], {
    cwd: workspace.folder,
    env: all,
    input,
  });
  const { files, own } = JSON.parse(readFileSync(file, "utf8")) as Pick<Loaded, "files" | "own">;
  return { files, own, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
}

const programs = ({ files }: Loaded) => files.map((path) => basename(path)).filter((name) => name.endsWith(".cjs"));

describe("what a command loads", () => {
  it("is one small file until an engine has said that it does not do it", () => {
    const text = readFileSync(cli, "utf8");
    expect(statSync(cli).size).toBeLessThan(15_000);
    const imported = [...text.matchAll(/from"([^"]+)"|import"([^"]+)"|require\("([^"]+)"\)/g)].map((found) => found[1]);
    expect(imported.length).toBeGreaterThan(3);
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    expect(text).not.toMatch(/zod|sqlite|tree-sitter/i);
  });

  it("is no program for the version, a question and a hook that an engine answers", async () => {
    const hook = JSON.stringify({ prompt: "how are sessions ended?", cwd: workspace.folder, session_id: "s" });
    expect(programs(await loadedBy(["--version"], {}))).toEqual([]);
    await workspace.start();
    for (const [args, input] of [
      [["how are sessions ended?"], ""],
      [["hook", "prompt"], hook],
      [["memory", "list"], ""],
    ] as const) {
      const loaded = await loadedBy([...args], {}, input);
      expect(programs(loaded), args.join(" ")).toEqual([]);
      const large = loaded.own.filter((name) => / (?:crypto|child_process|worker_threads|zlib|http|vm|v8)$/.test(name));
      expect(large, args.join(" ")).toEqual([]);
      expect(loaded.own.length, args.join(" ")).toBeLessThan(80);
    }
  });

  it("is half of the program without an engine, and nothing of what it does not use", async () => {
    const alone = { DOSSIER_ENGINE: "off" };
    const loaded = await loadedBy(["how are sessions ended?"], alone);
    expect(programs(loaded)).toEqual(["program.cjs"]);
    expect(loaded.bytes).toBeLessThan(1_920_000);
    expect(programs(await loadedBy(["search", "session"], alone))).toEqual(["program.cjs"]);
    const hook = JSON.stringify({ prompt: "how are sessions ended?", cwd: workspace.folder, session_id: "t" });
    expect(programs(await loadedBy(["hook", "prompt"], alone, hook))).toEqual(["program.cjs"]);
    expect(programs(await loadedBy(["memory", "list"], alone))).toEqual(["program.cjs", "rest.cjs"]);
    expect(loaded.files.filter((path) => /tree-sitter|\.wasm$/.test(path))).toEqual([]);
    expect(loaded.own.filter((name) => / (?:http|https|http2|inspector|repl|cluster|tls)$/.test(name))).toEqual([]);
  });
});
