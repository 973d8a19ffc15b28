/**
 * Runs a TypeScript script of this repository: `node scripts/run.mjs scripts/build.ts [arguments]`.
 * Node 20 cannot run TypeScript itself, so the script is bundled into node_modules/.cache first; packages stay outside.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const [script, ...rest] = process.argv.slice(2);
if (!script) {
  console.error("Usage: node scripts/run.mjs <script.ts> [arguments]");
  process.exit(2);
}
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const entry = resolve(script);
const folder = join(root, "node_modules", ".cache", "dossier");
const bundle = join(folder, `${basename(entry, ".ts")}.${process.pid}.mjs`);
mkdirSync(folder, { recursive: true });

/** Modules find files beside themselves by their own address, which a bundle would change. */
const ownAddress = {
  name: "own-address",
  setup(building) {
    building.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

await build({
  entryPoints: [entry],
  outfile: bundle,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  logLevel: "error",
  sourcemap: "inline",
  plugins: [ownAddress],
});

process.argv = [process.argv[0], entry, ...rest];
process.on("exit", () => rmSync(bundle, { force: true }));
process.setSourceMapsEnabled(true);
await import(pathToFileURL(bundle).href);
