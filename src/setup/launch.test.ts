import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { launchOf, type Start } from "./launch.ts";

/** A machine with Node on its PATH, and nothing else of ours. */
function machine(files: Record<string, string> = {}): { root: string; start(script: string, more?: string[]): Start } {
  const root = realpathSync(folder({ "cellar/node/22.1.0/bin/node": "", "bin/keep": "", ...files }));
  chmodSync(join(root, "cellar/node/22.1.0/bin/node"), 0o755);
  symlinkSync(join(root, "cellar/node/22.1.0/bin/node"), join(root, "bin/node"));
  return {
    root,
    start: (script, more = []) => ({
      platform: "darwin",
      node: join(root, "cellar/node/22.1.0/bin/node"),
      script: join(root, script),
      environment: { PATH: [...more, "bin"].map((name) => join(root, name)).join(":") },
    }),
  };
}

function link(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, from)), { recursive: true });
  symlinkSync(join(root, to), join(root, from));
}

describe("how a client starts the program", () => {
  it("is by name when it is installed for all", () => {
    const { root, start } = machine({ "lib/node_modules/dossier/dist/cli.js": "" });
    link(root, "bin/dossier", "lib/node_modules/dossier/dist/cli.js");
    expect(launchOf(start("bin/dossier"), true)).toEqual({ command: "dossier", args: [], local: false });
    // Who names the file itself gets it: a client may have another PATH.
    const byPath = launchOf(start("lib/node_modules/dossier/dist/cli.js"), true);
    expect(byPath).toMatchObject({ command: "node", args: [join(root, "lib/node_modules/dossier/dist/cli.js")] });
  });

  it("is by links that outlive an upgrade, for applications without a PATH", () => {
    const { root, start } = machine({ "lib/node_modules/dossier/dist/cli.js": "" });
    link(root, "bin/dossier", "lib/node_modules/dossier/dist/cli.js");
    expect(launchOf(start("bin/dossier"), false)).toEqual({
      command: join(root, "bin/node"),
      args: [join(root, "bin/dossier")],
      local: true,
    });
  });

  it("is by npx when npx started it, with what npx was asked for", () => {
    const { root, start } = machine({
      "cache/_npx/ab12/package.json": '{"_npx":{"packages":["dossier@^1.2.0"]}}',
      "cache/_npx/ab12/node_modules/dossier/dist/cli.js": "",
    });
    link(root, "cache/_npx/ab12/node_modules/.bin/dossier", "cache/_npx/ab12/node_modules/dossier/dist/cli.js");
    const started = start("cache/_npx/ab12/node_modules/.bin/dossier", ["cache/_npx/ab12/node_modules/.bin"]);
    expect(launchOf(started, true)).toEqual({ command: "npx", args: ["-y", "dossier@^1.2.0"], local: false });
    const placed = launchOf(started, false);
    expect(placed).toMatchObject({ command: join(root, "bin/npx"), args: ["-y", "dossier@^1.2.0"], local: true });
    expect(placed.env?.PATH?.split(":")[0]).toBe(join(root, "bin"));
  });

  it.each([
    ['{"_npx":{"packages":["file:/home/me/dossier.tgz"]}}'],
    ['{"_npx":{"packages":["; rm -rf ~"]}}'],
    ['{"_npx":7}'],
    ["not JSON"],
  ])("is by npx with the package's own name when npx notes %s", (note) => {
    const { start } = machine({ "c/_npx/1/package.json": note, "c/_npx/1/node_modules/dossier/dist/cli.js": "" });
    const launch = launchOf(start("c/_npx/1/node_modules/dossier/dist/cli.js"), true);
    expect(launch).toEqual({ command: "npx", args: ["-y", "dossier"], local: false });
  });

  it("is by npx when the project has it among its packages", () => {
    const { root, start } = machine({ "shop/node_modules/dossier/dist/cli.js": "" });
    link(root, "shop/node_modules/.bin/dossier", "shop/node_modules/dossier/dist/cli.js");
    const started = start("shop/node_modules/.bin/dossier", ["shop/node_modules/.bin"]);
    expect(launchOf(started, true)).toEqual({ command: "npx", args: ["-y", "dossier"], local: false });
    expect(launchOf(started, false)).toMatchObject({ command: join(root, "bin/node"), args: [started.script] });
  });

  it("is by the script's place from a checkout, and says that this is for here only", () => {
    const { root, start } = machine({ "my code/dossier/dist/cli.js": "" });
    const script = join(root, "my code/dossier/dist/cli.js");
    expect(launchOf(start("my code/dossier/dist/cli.js"), true)).toEqual({
      command: "node",
      args: [script],
      local: true,
    });
    expect(launchOf(start("my code/dossier/dist/cli.js"), false).command).toBe(join(root, "bin/node"));
  });
});

describe("on Windows", () => {
  const windows = (script: string): Start => ({
    platform: "win32",
    node: "C:\\Program Files\\nodejs\\node.exe",
    script,
    environment: { Path: "C:\\Windows;C:\\Users\\me\\AppData\\Roaming\\npm" },
  });

  it("runs what is no program through cmd", () => {
    const npx = windows("C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\ab\\node_modules\\dossier\\dist\\cli.js");
    const global = windows("C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\dossier\\dist\\cli.js");
    expect(launchOf(npx, true)).toEqual({ command: "cmd", args: ["/c", "npx", "-y", "dossier"], local: false });
    expect(launchOf(npx, false)).toEqual({ command: "cmd", args: ["/c", "npx", "-y", "dossier"], local: false });
    expect(launchOf(global, true)).toEqual({ command: "cmd", args: ["/c", "dossier"], local: false });
  });

  it("names Node and the script where a shell is of no use", () => {
    const global = windows("C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\dossier\\dist\\cli.js");
    expect(launchOf(global, false)).toMatchObject({ command: global.node, args: [global.script] });
    const checkout = windows("D:\\code\\dossier\\dist\\cli.js");
    expect(launchOf(checkout, true)).toEqual({ command: "node", args: [checkout.script], local: true });
  });
});
