import { readFileSync, realpathSync } from "node:fs";
import { posix, win32 } from "node:path";

/** How this program was started, and so how a client is to start it. It relies only on what a fresh machine has. */

export type Start = {
  platform: NodeJS.Platform;
  /** The running Node, and the script it was given. */
  node: string;
  script: string;
  environment: Readonly<Record<string, string | undefined>>;
};

/** A command without a shell. */
export type Launch = {
  command: string;
  /** Arguments before the name of our command: the script, or the package for npx. */
  args: string[];
  env?: Record<string, string>;
  /** It names a place on this machine, so it does not work for others who share the file. */
  local: boolean;
};

const packageName = "dossier";

/** This process as it was started. */
export function currentStart(): Start {
  return {
    platform: process.platform,
    node: process.execPath,
    script: process.argv[1] ?? "",
    environment: process.env,
  };
}

/**
 * What a client is to run. `bare` for clients that have the PATH of a shell, which others on a team can use as well;
 * without it, the places are spelt out: an application started from a desktop knows no PATH.
 */
export function launchOf(start: Start, bare: boolean): Launch {
  const windows = start.platform === "win32";
  const installation = installationOf(start);
  // A .cmd file is no program: only the shell of Windows can run one.
  if (windows && installation.kind !== "script" && (bare || installation.kind === "npx")) {
    const words = installation.kind === "npx" ? ["npx", "-y", installation.package] : [packageName];
    return { command: "cmd", args: ["/c", ...words], local: false };
  }
  if (installation.kind === "npx") return bare ? byName(installation.package) : byPlace(start, installation.package);
  if (installation.kind === "local" && bare) return byName(packageName);
  if (installation.kind === "global" && bare) return { command: packageName, args: [], local: false };
  return { command: bare ? "node" : installation.node, args: [installation.script], local: true };
}

function byName(spec: string): Launch {
  return { command: "npx", args: ["-y", spec], local: false };
}

/** npx by its full path, with a PATH on which it finds its Node again. */
function byPlace({ node, environment }: Start, spec: string): Launch {
  const folder = posix.dirname(onPath("node", environment.PATH, node) ?? node);
  const env = { PATH: [folder, "/usr/local/bin", "/usr/bin", "/bin"].join(":") };
  return { command: posix.join(folder, "npx"), args: ["-y", spec], env, local: true };
}

type Installation =
  | { kind: "npx"; package: string }
  /** Installed for all, among a project's packages, or none of it. */
  | { kind: "global" | "local" | "script"; node: string; script: string };

function installationOf(start: Start): Installation {
  const { platform, script, environment } = start;
  const path = platform === "win32" ? win32 : posix;
  const parts = script.split(/[\\/]/);
  const cache = parts.lastIndexOf("_npx");
  if (cache >= 0 && parts[cache + 2] === "node_modules") {
    return { kind: "npx", package: packageOfNpx(parts.slice(0, cache + 2).join(path.sep), path.sep) };
  }
  // Homebrew and similar tools keep each version in a folder of its own; the link on the PATH survives an update.
  const node = platform === "win32" ? start.node : (onPath("node", environment.PATH, start.node) ?? start.node);
  if (platform === "win32") {
    // A global installation is beside the file that starts it.
    const isGlobal = folders(environment.PATH ?? environment.Path, ";").some((folder) =>
      script.toLowerCase().startsWith(win32.join(folder, "node_modules", packageName).toLowerCase() + win32.sep),
    );
    return { kind: isGlobal ? "global" : "script", node, script };
  }
  // Inside a project the PATH of npm scripts also has the project's programs, which no other project has.
  if (script.includes("/node_modules/.bin/")) return { kind: "local", node, script };
  // Only by the name on the PATH: a user who names the file itself has a reason to.
  const isGlobal = folders(environment.PATH, ":").some((folder) => posix.join(folder, packageName) === script);
  return { kind: isGlobal ? "global" : "script", node, script };
}

/** The package that npx was asked for (a version, a repository), as npx records it. */
function packageOfNpx(folder: string, separator: string): string {
  try {
    const note = JSON.parse(readFileSync(`${folder}${separator}package.json`, "utf8")) as {
      _npx?: { packages?: unknown };
    };
    const [requested] = Array.isArray(note._npx?.packages) ? (note._npx.packages as unknown[]) : [];
    // A folder or an archive on this machine may be gone tomorrow, so it does not belong into a config.
    return typeof requested === "string" && /^[\w@][\w@./:#^~+-]*$/.test(requested) && !/^file:|^\./.test(requested)
      ? requested
      : packageName;
  } catch (error) {
    // Older versions of npx leave no record; then the name is all that is known.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return packageName;
    throw error;
  }
}

/** Where the PATH has a program of this name that is this very file. */
function onPath(name: string, path: string | undefined, file: string): string | undefined {
  const realFile = real(file);
  if (realFile === undefined) return undefined;
  return folders(path, ":")
    .map((folder) => posix.join(folder, name))
    .find((candidate) => real(candidate) === realFile);
}

function folders(path: string | undefined, separator: string): string[] {
  return (path ?? "").split(separator).filter((folder) => posix.isAbsolute(folder) || win32.isAbsolute(folder));
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    // Most folders of a PATH have no such program.
    if (["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}
