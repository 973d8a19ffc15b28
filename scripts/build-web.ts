import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";

/** Bundles the web inspector into a folder, one file for each view and for what they share; returns the paths in it. */
export async function buildWeb(root: string, folder: string): Promise<string[]> {
  const made = mkdtempSync(join(tmpdir(), "dossier-web-"));
  try {
    await build({
      root: join(root, "src/surfaces/web"),
      configFile: false,
      logLevel: "warn",
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        outDir: made,
        emptyOutDir: false,
        target: "es2022",
        // Inlined files would need `data:` in the page's policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
      },
    });
    const entries = readdirSync(made, { recursive: true, encoding: "utf8", withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(made.length + 1));
    // The page last: whoever loads it meanwhile finds all that it names.
    names.sort((a, b) => Number(a === "index.html") - Number(b === "index.html"));
    for (const name of names) placed(join(made, name), join(folder, name));
    return names;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Written beside and renamed: a server that reads it meanwhile finds the old file or the new one. */
function placed(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const temporary = `${to}.${process.pid}`;
  writeFileSync(temporary, readFileSync(from));
  renameSync(temporary, to);
}
