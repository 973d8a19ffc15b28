import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The clients that can be set up: where each keeps its servers, in which shape, and what it knows of folders. */

export const clientNames = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini", "zed"] as const;
export type ClientName = (typeof clientNames)[number];

export type Place = {
  /** The workspace. */
  root: string;
  home: string;
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
};

export type Client = {
  title: string;
  format: "json" | "toml";
  /** One for each workspace, in its folder, or one for all, in the user's. */
  scope: "project" | "user";
  file(place: Place): string;
  /** The object or table that holds the servers. */
  servers: string;
  /** Whether it starts servers with the PATH of a shell. */
  hasPath: boolean;
  /** What names the workspace: text that the client replaces, the folder itself, or nothing where it starts servers inside it. */
  folder?: string | "root";
  /** What an entry has besides command, args and env. */
  extra?: Record<string, string>;
  /** What to do for it to take effect, as a sentence. */
  afterwards: string;
};

export const clients: Record<ClientName, Client> = {
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
    // Cursor may start servers in the home folder, but replaces this in arguments.
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
    afterwards: "Start gemini in this folder; /mcp shows the server.",
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
};

const desktopName = "claude_desktop_config.json";

function desktopFile({ home, platform, environment }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Claude", desktopName);
  if (platform !== "win32") return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "Claude", desktopName);
  const packaged = packagedFolder(environment.LOCALAPPDATA ?? join(home, "AppData", "Local"));
  return join(packaged ?? join(environment.APPDATA ?? join(home, "AppData", "Roaming"), "Claude"), desktopName);
}

/** Installed as a package of Windows, Claude Desktop sees a folder of its own in place of the user's, and no other. */
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
