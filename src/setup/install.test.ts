import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { type ClientName, clientNames, clients } from "./clients.ts";
import {
  hooksTarget,
  installHooks,
  installServer,
  type Setup,
  serverTarget,
  uninstallHooks,
  uninstallServer,
} from "./install.ts";

type Options = { platform?: NodeJS.Platform; environment?: Record<string, string>; pinned?: boolean; tools?: "all" };

/** A home with a workspace in it, and the program installed from a checkout. */
function setupOf(client: ClientName, options: Options = {}, root = home()): Setup {
  const { platform = "linux", environment = {}, pinned = false, tools } = options;
  return {
    client,
    place: { root: join(root, "shop"), home: root, platform, environment },
    start: { platform, node: "/opt/node", script: "/opt/dossier/dist/cli.js", environment },
    pinned,
    ...(tools && { tools }),
  };
}

function home(): string {
  return realpathSync(folder({ "shop/main.ts": "" }));
}

const read = (path: string) => readFileSync(path, "utf8");
const json = (path: string) => JSON.parse(read(path)) as Record<string, Record<string, Record<string, unknown>>>;

describe.each([...clientNames])("setting up %s", (client) => {
  it("writes the server, says so once, and can be undone", () => {
    const setup = setupOf(client);
    const { file, snippet } = serverTarget(setup);
    expect(installServer(setup, false)).toMatchObject({ what: "created", name: "dossier" });
    expect(existsSync(file)).toBe(false);
    expect(installServer(setup, true)).toMatchObject({ what: "created", file });
    expect(read(file)).toBe(snippet);
    expect(installServer(setup, true)).toMatchObject({ what: "unchanged", lines: "" });
    expect(read(file)).toBe(snippet);
    expect(uninstallServer(setup, false).lines).toMatch(/^- /m);
    expect(read(file)).toBe(snippet);
    uninstallServer(setup, true);
    expect(existsSync(file) ? read(file).trim() : "").toMatch(/^(?:\{\s*\})?$/);
    expect(uninstallServer(setup, true).what).toBe("unchanged");
  });

  it("leaves no temporary file behind", () => {
    const setup = setupOf(client);
    installServer(setup, true);
    const { file } = serverTarget(setup);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("never touches a damaged file", () => {
    const setup = setupOf(client);
    const { file } = serverTarget(setup);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{ "x": [');
    expect(() => installServer(setup, true)).toThrow(file);
    expect(() => uninstallServer(setup, true)).toThrow(file);
    writeFileSync(file, Uint8Array.of(0xff, 0xfe, 0x00));
    expect(() => installServer(setup, true)).toThrow("UTF-8");
    expect(readFileSync(file)).toEqual(Buffer.of(0xff, 0xfe, 0x00));
  });
});

describe("where it is written", () => {
  it.each([
    ["claude-code", "shop/.mcp.json", "mcpServers"],
    ["cursor", "shop/.cursor/mcp.json", "mcpServers"],
    ["vscode", "shop/.vscode/mcp.json", "servers"],
    ["gemini", "shop/.gemini/settings.json", "mcpServers"],
    ["zed", "shop/.zed/settings.json", "context_servers"],
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"],
    ["codex", ".codex/config.toml", "mcp_servers"],
    ["opencode", "shop/opencode.json", "mcp"],
    ["copilot", ".copilot/mcp-config.json", "mcpServers"],
    ["qwen", "shop/.qwen/settings.json", "mcpServers"],
    ["jetbrains", "shop/.junie/mcp/mcp.json", "mcpServers"],
    ["windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"],
  ] as const)("%s: %s, %s", (client, path, servers) => {
    const setup = setupOf(client);
    expect(serverTarget(setup).file).toBe(join(setup.place.home, path));
    expect(clients[client].servers).toBe(servers);
    expect(serverTarget(setup).snippet).toContain(servers);
  });

  it("follows the systems and their variables", () => {
    const file = (client: ClientName, options: Options, root: string) =>
      serverTarget(setupOf(client, options, root)).file;
    const root = home();
    const name = "claude_desktop_config.json";
    expect(file("claude-desktop", { platform: "darwin" }, root)).toBe(
      join(root, "Library/Application Support/Claude", name),
    );
    const variables = { APPDATA: join(root, "Roaming"), LOCALAPPDATA: join(root, "Local") };
    const windows: Options = { platform: "win32", environment: variables };
    expect(file("claude-desktop", windows, root)).toBe(join(root, "Roaming/Claude", name));
    // As a package it sees only its own folder, once it has been started.
    mkdirSync(join(root, "Local/Packages/Claude_pzs8sxrjxfjjc"), { recursive: true });
    expect(file("claude-desktop", windows, root)).toBe(join(root, "Roaming/Claude", name));
    const inside = join(root, "Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude");
    mkdirSync(inside, { recursive: true });
    expect(file("claude-desktop", windows, root)).toBe(join(inside, name));
    expect(file("claude-desktop", { environment: { XDG_CONFIG_HOME: "/x" } }, root)).toBe(join("/x/Claude", name));
    expect(file("codex", { environment: { CODEX_HOME: "/y" } }, root)).toBe("/y/config.toml");
    expect(file("copilot", { environment: { COPILOT_HOME: "/z" } }, root)).toBe("/z/mcp-config.json");
    writeFileSync(join(root, "shop/opencode.jsonc"), "{}");
    expect(file("opencode", {}, root)).toBe(join(root, "shop/opencode.jsonc"));
  });
});

describe("what is written", () => {
  it("names the workspace the way each client understands", () => {
    const args = (client: ClientName, options?: Options) =>
      /"?args"? ?[:=] (\[[^\]]*\])/.exec(serverTarget(setupOf(client, options)).snippet)![1];
    expect(JSON.parse(args("claude-code")!)).toEqual(["/opt/dossier/dist/cli.js", "mcp"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it
    expect(JSON.parse(args("cursor")!)).toEqual(["/opt/dossier/dist/cli.js", "mcp", "--path", "${workspaceFolder}"]);
    expect(JSON.parse(args("codex")!)).toEqual(["/opt/dossier/dist/cli.js", "mcp"]);
    expect(args("codex", { pinned: true })).toMatch(/"--path", "[^"]+\/shop"\]$/);
    expect(args("claude-desktop")).toMatch(/"--path",\s+"[^"]+\/shop"\s*\]$/);
    expect(args("zed", { tools: "all" })).toMatch(/"--tools",\s+"all"\s*\]$/);
  });

  it("has the shape that each client reads", () => {
    const entry = (client: ClientName) => {
      const { snippet } = serverTarget(setupOf(client));
      return JSON.parse(snippet)[clients[client].servers].dossier as Record<string, unknown>;
    };
    const command = ["node", "/opt/dossier/dist/cli.js", "mcp"];
    expect(entry("opencode")).toEqual({ type: "local", enabled: true, command });
    expect(entry("copilot")).toEqual({ type: "local", tools: ["*"], command: "node", args: command.slice(1) });
    expect(entry("qwen")).toEqual({ command: "node", args: command.slice(1) });
    const pinned = { command: "/opt/node", args: [...command.slice(1), "--path", expect.stringMatching(/\/shop$/)] };
    expect(entry("jetbrains")).toEqual(pinned);
    expect(entry("windsurf")).toEqual(pinned);
  });

  it("keeps what the user set in an entry whose command is a list", () => {
    const setup = setupOf("opencode");
    const { file } = serverTarget(setup);
    const own = { type: "local", command: ["npx", "-y", "dossier", "mcp", "--quiet"], enabled: false, timeout: 9 };
    writeFileSync(file, JSON.stringify({ theme: "x", mcp: { dossier: own } }));
    expect(installServer(setup, true).what).toBe("changed");
    expect(json(file)).toEqual({
      theme: "x",
      mcp: { dossier: { ...own, command: ["node", "/opt/dossier/dist/cli.js", "mcp", "--quiet"] } },
    });
    uninstallServer(setup, true);
    expect(json(file)).toEqual({ theme: "x" });
  });

  it("is one server for each workspace where a file is for all of them", () => {
    const root = home();
    mkdirSync(join(root, "Other Shop"));
    const first = setupOf("claude-desktop", {}, root);
    const second: Setup = { ...first, place: { ...first.place, root: join(root, "Other Shop") } };
    installServer(first, true);
    expect(installServer(second, true)).toMatchObject({ what: "changed", name: "dossier-other-shop" });
    expect(Object.keys(json(serverTarget(first).file).mcpServers!)).toEqual(["dossier", "dossier-other-shop"]);
    expect(installServer(second, true).what).toBe("unchanged");
    expect(uninstallServer(first, true).name).toBe("dossier");
    expect(Object.keys(json(serverTarget(first).file).mcpServers!)).toEqual(["dossier-other-shop"]);
  });

  it("replaces an older way to start it and keeps what the user set", () => {
    const setup = setupOf("claude-code");
    const { file } = serverTarget(setup);
    writeFileSync(
      file,
      '{"mcpServers":{"x":{"command":"y"},"dossier":{"command":"npx","args":["-y","dossier","mcp"],"timeout":5}}}',
    );
    expect(installServer(setup, true).what).toBe("changed");
    expect(json(file).mcpServers).toEqual({
      x: { command: "y" },
      dossier: { command: "node", args: ["/opt/dossier/dist/cli.js", "mcp"], timeout: 5, type: "stdio" },
    });
  });
});

describe("files that are special", () => {
  it("follows a link to the file it leads to, and keeps its mode", () => {
    const setup = setupOf("claude-code");
    const { file } = serverTarget(setup);
    const target = join(setup.place.home, "dotfiles.json");
    writeFileSync(target, "{}\n", { mode: 0o600 });
    symlinkSync(target, file);
    installServer(setup, true);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(json(target).mcpServers).toHaveProperty("dossier");
    expect(statSync(target).mode & 0o777).toBe(0o600);
    uninstallServer(setup, true);
    expect(existsSync(target)).toBe(true);
  });

  it("refuses a link that leads nowhere, a folder, and what may not be written", () => {
    const setup = setupOf("claude-code");
    const { file } = serverTarget(setup);
    symlinkSync(join(setup.place.home, "gone.json"), file);
    expect(() => installServer(setup, true)).toThrow("leads nowhere");
    const second = setupOf("vscode");
    mkdirSync(serverTarget(second).file, { recursive: true });
    expect(() => installServer(second, true)).toThrow("is not a file");
    const third = setupOf("zed");
    installServer(third, true);
    const guarded = serverTarget(third).file;
    writeFileSync(guarded, "{}");
    chmodSync(guarded, 0o444);
    expect(() => installServer(third, true)).toThrow("may not be written");
    expect(read(guarded)).toBe("{}");
  });

  it("keeps a settings file that has other things in it", () => {
    const setup = setupOf("claude-code");
    const { file } = hooksTarget(setup);
    mkdirSync(dirname(file));
    const text = '{\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n';
    writeFileSync(file, text);
    expect(installHooks(setup, true).what).toBe("changed");
    expect(installHooks(setup, true).what).toBe("unchanged");
    expect(uninstallHooks(setup, true).what).toBe("changed");
    expect(read(file)).toBe(text);
    const alone = setupOf("claude-code");
    installHooks(alone, true);
    expect(uninstallHooks(alone, true).what).toBe("deleted");
    expect(existsSync(hooksTarget(alone).file)).toBe(false);
  });
});
