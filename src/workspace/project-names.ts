import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, join } from "node:path";

/** Files that state a project's name, and how. */
const manifests: Record<string, RegExp> = {
  "package.json": /[{,]\s*"name"\s*:\s*"(?:@[^/"]+\/)?([^"/]+)"/,
  "composer.json": /[{,]\s*"name"\s*:\s*"(?:[^/"]+\/)?([^"/]+)"/,
  "pyproject.toml": /^name\s*=\s*["']([^"']+)["']/m,
  "setup.cfg": /^name\s*=\s*(\S+)/m,
  "setup.py": /\bname\s*=\s*["']([^"']+)["']/,
  "Cargo.toml": /^\[package\]\s[\s\S]*?^name\s*=\s*"([^"]+)"/m,
  "go.mod": /^module\s+(?:[^\s/]+\/)*?([^/\s]+?)(?:\/v\d+)?\s*$/m,
  "pom.xml": /^(?:[\s\S]*<\/parent>)?[\s\S]*?<artifactId>([^<]+)<\/artifactId>/,
  "settings.gradle": /^rootProject\.name\s*=\s*["']([^"']+)["']/m,
  "settings.gradle.kts": /^rootProject\.name\s*=\s*"([^"]+)"/m,
  "configure.ac": /^AC_INIT\(\[?([\w-]+)/m,
  "mix.exs": /\bapp:\s*:(\w+)/,
  "CMakeLists.txt": /^\s*project\s*\(\s*"?([\w-]+)/im,
  ".git/config": /^\s*url\s*=\s*\S*[/:]([^/\s]+?)(?:\.git)?\/?\s*$/m,
  // The first heading, where it is one word.
  "README.md":
    /^(?:(?!#)[^\n]*\n)*#[ \t]+(?:\[|<[^>\n]+>|\*\*|`)*([\p{L}][\w.+-]*)(?:\]\([^)\n]*\)|<[^>\n]+>|\*\*|`)*[ \t]*\r?\n/u,
};
/** Files that are called like the project. */
const namedAfterIt = /^(.+)\.(?:gemspec|sln|slnx|podspec|cabal|nimble|rockspec)$/;
/** Suffixes of package names in a workspace of several packages. */
const affixes =
  /^(?:node|python|py|php|ruby|go|rust)-|-(?:monorepo|root|workspace|repo|parent|project|rs|py|js|go)$|\.js$/gi;

/** Names that are too common to identify a project. */
const commonNames = new Set(
  "app apps backend client code core demo frontend git main my-app package project repo root server source src test web website workspace".split(
    " ",
  ),
);

const mostBytes = 16_384;
const mostNames = 8;
const shortestName = 2;

/**
 * What the project in a folder is called by its manifests, its README and where it was cloned from; else by its folder.
 * Lower case.
 */
export function projectNames(root: string): string[] {
  const files = namesIn(root);
  // Some file systems ignore case; a folder that cannot be listed may have any of them.
  const present = new Set(files.map((file) => file.toLowerCase()));
  const mayExist = (file: string) => files.length === 0 || file.includes("/") || present.has(file.toLowerCase());
  const stated = Object.entries(manifests).flatMap(([file, pattern]) => {
    if (!mayExist(file)) return [];
    const [, name] = pattern.exec(beginningOf(join(root, file))) ?? [];
    return name === undefined ? [] : [name];
  });
  const named = files.flatMap((file) => namedAfterIt.exec(file)?.[1] ?? []);
  const all = [...stated, ...named];
  const names = (all.length > 0 ? all : [basename(root)])
    .flatMap((name) => [name, name.replace(affixes, "")])
    .map((name) => name.toLowerCase())
    .filter((name) => name.length >= shortestName && !commonNames.has(name) && /^\p{L}[\p{L}\p{N}_.+-]*$/u.test(name));
  return [...new Set(names)].slice(0, mostNames);
}

/** Empty if the file cannot be read: a name is only a hint. */
function beginningOf(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, mostBytes, 0));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
