import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The clients that can be set up: where each keeps its servers, in which format, and how it passes folders on. */

export const clientNames = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "zed",
  "opencode",
  "copilot",
  "qwen",
  "jetbrains",
  "windsurf",
] as const;
export type ClientName = (typeof clientNames)[number];

export type ConfigLocation = {
  /** The workspace. */
  root: string;
  home: string;
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
};

export type AgentClient = {
  title: string;
  format: "json" | "toml";
  /** One config file for each workspace, in its folder, or one for all, in the user's home. */
  scope: "project" | "user";
  file(place: ConfigLocation): string;
  /** The object or table that holds the servers. */
  servers: string;
  /** Whether it starts servers with the PATH of a shell. */
  hasPath: boolean;
  /**
   * The argument that names the workspace: a placeholder that the client replaces, the folder itself, or nothing
   * where it starts servers inside it.
   */
  folder?: string | "root";
  /** The command and its arguments are one list, and the variables are called `environment`. */
  commandIsList?: boolean;
  /** Further keys of an entry besides command, args and env. */
  extra?: Readonly<Record<string, unknown>>;
  /** The step that makes it take effect, as a sentence. */
  afterwards: string;
};

export const clients: Record<ClientName, AgentClient> = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".mcp.json"),
    servers: "mcpServers",
    hasPath: true,
    extra: { type: "stdio" },
    afterwards: "Start claude in this folder and approve the server; /mcp shows it.",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    scope: "user",
    file: desktopFile,
    servers: "mcpServers",
    hasPath: false,
    folder: "root",
    afterwards: "Quit Claude Desktop altogether and start it again.",
  },
  cursor: {
    title: "Cursor",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".cursor", "mcp.json"),
    servers: "mcpServers",
    hasPath: true,
    // Cursor may start servers in the home folder, but replaces this placeholder in arguments.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it
    folder: "${workspaceFolder}",
    afterwards: "Open this folder in Cursor and turn the server on in Settings, Tools & MCP.",
  },
  vscode: {
    title: "VS Code",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".vscode", "mcp.json"),
    servers: "servers",
    hasPath: true,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it
    folder: "${workspaceFolder}",
    extra: { type: "stdio" },
    afterwards:
      "Open this folder in VS Code and start the server from the line above it in the file, or with MCP: List Servers.",
  },
  codex: {
    title: "Codex",
    format: "toml",
    scope: "user",
    file: ({ home, environment }) => join(environment.CODEX_HOME || join(home, ".codex"), "config.toml"),
    servers: "mcp_servers",
    hasPath: true,
    afterwards: "Start codex in any workspace; /mcp shows the server.",
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".gemini", "settings.json"),
    servers: "mcpServers",
    hasPath: true,
    afterwards:
      "Start gemini in this folder, and trust it if you are asked: in a folder that is not trusted no server is started. /mcp shows it.",
  },
  zed: {
    title: "Zed",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".zed", "settings.json"),
    servers: "context_servers",
    hasPath: true,
    extra: { source: "custom" },
    afterwards: "Open this folder in Zed and trust it; the Agent Panel's settings show the server.",
  },
  opencode: {
    title: "opencode",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, existsSync(join(root, "opencode.jsonc")) ? "opencode.jsonc" : "opencode.json"),
    servers: "mcp",
    hasPath: true,
    commandIsList: true,
    extra: { type: "local", enabled: true },
    afterwards: "Start opencode in this folder; opencode mcp list shows the server.",
  },
  copilot: {
    title: "GitHub Copilot CLI",
    format: "json",
    scope: "user",
    file: ({ home, environment }) => join(environment.COPILOT_HOME || join(home, ".copilot"), "mcp-config.json"),
    servers: "mcpServers",
    hasPath: true,
    extra: { type: "local", tools: ["*"] },
    afterwards:
      "Start copilot in any workspace and confirm that you trust its folder, which it asks once; /mcp show lists the server.",
  },
  qwen: {
    title: "Qwen Code",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".qwen", "settings.json"),
    servers: "mcpServers",
    hasPath: true,
    afterwards:
      "Start qwen in this folder, and trust it if you are asked: settings of a folder that is not trusted are ignored. /mcp shows the server.",
  },
  jetbrains: {
    title: "JetBrains (Junie)",
    format: "json",
    scope: "project",
    file: ({ root }) => join(root, ".junie", "mcp", "mcp.json"),
    servers: "mcpServers",
    // A desktop application does not have the shell's PATH, and starts servers in the folder it was started in.
    hasPath: false,
    folder: "root",
    afterwards:
      "Open this folder in the IDE; Settings, Tools, Junie, MCP Settings shows the server, and Junie asks before it is used.",
  },
  windsurf: {
    title: "Windsurf",
    format: "json",
    scope: "user",
    file: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    servers: "mcpServers",
    hasPath: false,
    folder: "root",
    afterwards: "Press the refresh button of Cascade's MCP servers, or start Windsurf again.",
  },
};

const desktopName = "claude_desktop_config.json";

function desktopFile({ home, platform, environment }: ConfigLocation): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Claude", desktopName);
  if (platform !== "win32") return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "Claude", desktopName);
  const packaged = packagedFolder(environment.LOCALAPPDATA ?? join(home, "AppData", "Local"));
  return join(packaged ?? join(environment.APPDATA ?? join(home, "AppData", "Roaming"), "Claude"), desktopName);
}

/** If Claude Desktop is installed as a Windows package, it sees a folder of its own instead of the user's. */
function packagedFolder(local: string): string | undefined {
  const inside = (folder: string, rest: string[]) =>
    existsSync(join(local, folder))
      ? readdirSync(join(local, folder))
          .filter((name) => /^(?:anthropic\.)?claude\w*(?:_|$)/i.test(name))
          .sort()
          .map((name) => join(local, folder, name, ...rest))
      : [];
  return [...inside("Claude-Data", []), ...inside("Packages", ["LocalCache", "Roaming", "Claude"])].find((folder) =>
    existsSync(folder),
  );
}
