import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The licences of the bundled packages, one after the other. These packages are not installed with ours, so their
 * notices must come with it. `inputs`: paths of bundled files, relative to the root.
 */
export function licencesOf(root: string, inputs: readonly string[]): string {
  const folders = [...new Set(inputs.flatMap((path) => packageFolder(path) ?? []))].sort();
  return folders.map((folder) => notice(join(root, folder))).join("\n");
}

/** `node_modules/a/node_modules/@b/c/x.js` -> `node_modules/a/node_modules/@b/c`. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  const path = file && join(folder, file);
  const text = path && existsSync(path) ? readFileSync(path, "utf8").trim() : "Its package has no licence file.";
  return `${"=".repeat(72)}\n${name} ${version} (${license ?? "see below"})\n\n${text}\n`;
}
