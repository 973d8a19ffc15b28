import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { buildGrammars, grammarFiles } from "./build-grammars.ts";
import { licencesOf } from "./build-licences.ts";
import { buildRanks, rankEncodings, rankFileName } from "./build-ranks.ts";
import { splitProgram } from "./split-program.ts";

/**
 * Builds dist: the library, the command line, the worker, the web inspector, the token tables and the grammars. A part
 * whose sources did not change since it was built is left alone.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const webFolder = join("surfaces", "web");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const stampFile = join(root, "node_modules", ".cache", "dossier", "built.json");

/** Native code and grammars are found by their packages' own paths; everything else is bundled, which starts faster. */
const external = ["libsql", "web-tree-sitter", "@repomix/tree-sitter-wasms", "@vscode/tree-sitter-wasm"];

/** Messages of input checks in fifty languages: only the English ones are ever used. */
const englishChecks: Plugin = {
  name: "english-checks",
  setup({ onResolve }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ path, importer, resolveDir }) => {
      if (!/[\\/]node_modules[\\/]zod[\\/]/.test(importer)) return undefined;
      return { path: join(resolveDir, path, "../en.js") };
    });
  },
};

/** A built program reads the tools that the build listed. */
const listedTools: Plugin = {
  name: "listed-tools",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/make-listing\.ts$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "read-listing.ts") })),
};

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  external,
  outdir: dist,
  absWorkingDir: root,
  write: false,
  logLevel: "warning",
  // A quarter less to read and compile at every start. Names stay, so that a stack trace tells where it was.
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [listedTools, englishChecks],
  // The protocol's package brings a checker of schemas that is never used, and takes long to load.
  alias: { "@modelcontextprotocol/server/_shims": "./src/surfaces/mcp/transport/shims.ts" },
  // Packages in CommonJS form ask for Node's own modules in a way that ESM has no word for.
  banner: {
    js:
      'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta' +
      // In two pieces, so that the runner of this script does not put its own address here.
      ".url);",
  },
} satisfies BuildOptions;

/** All that is bundled; workers of threads and of models are parts of it. */
const programs = {
  index: "src/index.ts",
  "operation-worker": "src/surfaces/http/workers/worker.ts",
};

/** Which sources a program was built from: an engine of another build is not asked. */
function buildName(): string {
  return stampOf(programSources()).slice(0, 12);
}

/** What a question, a search and a prompt's hook load at run time; a test counts the files that they read. */
const usualModules = [
  "src/surfaces/cli/run-operation.ts",
  "src/operations/ask/context.ts",
  "src/operations/ask/search.ts",
  "src/operations/briefings/hook.ts",
  "src/operations/index/left-out.ts",
  "src/assemble.ts",
  "src/workspace/workspace.ts",
  "src/workspace/config/config-settings.ts",
  "src/stores/sqlite/engine/open.ts",
  "src/indexing/files/fresh.ts",
  "src/indexing/history/history.ts",
  "src/indexing/library/records.ts",
  "src/indexing/notes/live.ts",
  "src/indexing/notes/notes.ts",
  "src/indexing/vectors/configured-model.ts",
  "src/embed/builtin.ts",
  "src/embed/meaning.ts",
];

/** What an index of files loads besides. */
const indexModules = [
  "src/operations/index/index-workspace.ts",
  "src/indexing/files/pool.ts",
  "src/indexing/files/shared-queue.ts",
  "src/indexing/vectors/model-vectors.ts",
  "src/sources/describe-file.ts",
  "src/sources/extract.ts",
];

/** In CommonJS form: only such a file can be compiled ahead on every Node. */
const compiledAhead = {
  ...common,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  // In two pieces, as in the banner above.
  define: { ["import.meta" + ".url"]: "programAddress" },
  // The function that a loader of such files would put around it: to put it there at every start takes a copy of the
  // whole.
  banner: {
    js:
      "(function (exports, require, module, __filename, otherFile) {" +
      'const programAddress = require("node:url").pathToFileURL(__filename).href;',
  },
  footer: { js: "})" },
  // Packages that are not bundled are CommonJS, too.
  supported: { "dynamic-import": false },
} satisfies BuildOptions;

type Part = { name: string; sources: () => string[]; make: () => Promise<string[]> };

const parts: Part[] = [
  {
    name: "program",
    sources: programSources,
    make: () =>
      bundle({
        ...common,
        entryPoints: programs,
        splitting: true,
        chunkNames: "chunk-[hash]",
      }),
  },
  {
    // The command line as three files, which V8's compiled code can be kept for; and what is loaded before them, alone
    // and small.
    name: "command-line",
    sources: programSources,
    make: async () => {
      const named = `${version}+${buildName()}`;
      const define = { "process.env.DOSSIER_BUILD": JSON.stringify(named) };
      const entryPoints = { cli: "src/surfaces/cli/main.ts" };
      const starter = await bundle({ ...common, entryPoints, define, banner: {} });
      const footer = { js: `${compiledAhead.footer.js}//${named}` };
      const options = { ...compiledAhead, footer, define: { ...define, ...compiledAhead.define } };
      const parts = [
        { name: "program", roots: usualModules },
        { name: "indexing", roots: indexModules },
      ];
      const files = await splitProgram(options, "src/surfaces/cli/process.ts", parts, "rest");
      return [...starter, ...(await Promise.all(files.map(bundle))).flat()];
    },
  },
  {
    // The listing of the MCP tools, made now, so that listing them loads no operation.
    name: "tools",
    sources: programSources,
    make: async () => {
      const [{ allOperations }, { listingOf }] = await Promise.all([
        import("../src/operations/core/registry.ts"),
        import("../src/surfaces/mcp/tools/listing.ts"),
      ]);
      writeWhole(join(dist, "mcp-tools.json"), JSON.stringify(listingOf(await allOperations())));
      return ["mcp-tools.json"];
    },
  },
  {
    // Alone, without shared chunks: threads load it as one file, and tests build it without the rest.
    name: "worker",
    sources: programSources,
    make: () => bundle({ ...common, entryPoints: { worker: "src/indexing/files/worker.ts" } }),
  },
  {
    name: "model-worker",
    sources: programSources,
    make: () => bundle({ ...common, entryPoints: { "model-worker": "src/embed/onnx/worker.ts" } }),
  },
  {
    // For browsers as well: nothing of Node is in it.
    name: "client",
    sources: programSources,
    make: () =>
      bundle({
        ...common,
        platform: "neutral",
        target: "es2022",
        banner: {},
        entryPoints: { client: "src/client/client.ts" },
      }),
  },
  {
    name: "web",
    sources: webSources,
    make: async () => {
      // Loaded only when there is something to bundle: a build without changes stays quick.
      const { buildWeb } = await import("./build-web.ts");
      return (await buildWeb(root, join(dist, "web"))).map((name) => join("web", name));
    },
  },
  {
    name: "licences",
    sources: () => [...programSources(), "scripts/build-licences.ts"],
    make: async () => {
      const { metafile } = await build({
        ...common,
        entryPoints: { ...programs, cli: "src/surfaces/cli/process.ts" },
        splitting: true,
        metafile: true,
      });
      // The token tables are data of the first, packed; the second draws the web inspector.
      const others = ["node_modules/gpt-tokenizer/package.json", "node_modules/preact/package.json"];
      const inputs = [...Object.keys(metafile.inputs), ...others];
      writeWhole(join(dist, "LICENSES.txt"), licencesOf(root, inputs));
      return ["LICENSES.txt"];
    },
  },
  {
    name: "grammars",
    sources: () => ["scripts/build-grammars.ts", "src/sources/code/languages.ts", "package-lock.json"],
    make: async () => {
      await buildGrammars(join(dist, "grammars"));
      return grammarFiles.map((file) => join("grammars", file));
    },
  },
  {
    name: "ranks",
    sources: () => [
      "scripts/build-ranks.ts",
      "src/text/tokens/bpe-split.ts",
      "src/text/tokens/bpe-ranks.ts",
      "package-lock.json",
    ],
    make: async () => {
      await buildRanks(join(dist, "ranks"));
      return rankEncodings.map((encoding) => join("ranks", rankFileName(encoding)));
    },
  },
];

/** Builds what is missing or out of date; only the named parts, or all. Returns the names of those that were built. */
export async function buildDist(names: string[] = parts.map((part) => part.name)): Promise<string[]> {
  const stamps = readStamps();
  const built: string[] = [];
  for (const { name, sources, make } of parts) {
    if (!names.includes(name)) continue;
    const stamp = stampOf(sources());
    const before = stamps[name];
    if (before?.stamp === stamp && before.outputs.every((output) => existsSync(join(dist, output)))) continue;
    const outputs = await make();
    const kept = new Set(outputs);
    for (const old of before?.outputs ?? []) if (!kept.has(old)) rmSync(join(dist, old), { force: true });
    stamps[name] = { stamp, outputs };
    built.push(name);
  }
  if (built.length > 0) writeWhole(stampFile, JSON.stringify(stamps));
  return built;
}

/** Bundles and writes the outputs; returns their paths in dist. */
async function bundle(options: BuildOptions): Promise<string[]> {
  const { outputFiles = [] } = await build(options);
  for (const { path, contents, text } of outputFiles) {
    writeWhole(path, path.endsWith(".cjs") ? asciiOf(withEqualShapes(text)) : contents);
    if (path === join(dist, "cli.js")) chmodSync(path, 0o755);
  }
  return outputFiles.map(({ path }) => relative(dist, path));
}

/** The bundler leaves non-ASCII letters in regular expressions as they are; an escape means the same. */
function asciiOf(text: string): string {
  return text.replace(/[^\u0000-\u007f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * The bundler gives each module an object with a key of its own (`__esm({"src/item.ts"(){…}})`). V8 keeps a list of all
 * shapes that begin with an empty object, and inserting a thousand into it took 2 ms of each start: with one key they
 * have one shape.
 */
function withEqualShapes(text: string): string {
  return text.replace(/\b(__esm|__commonJS)\(\{"[^"]*"\(/g, "$1({init(");
}

/** Written beside and renamed: a program that starts during a build finds the old file or the new one. */
function writeWhole(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

function programSources(): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const code = files
    .filter((path) => /\.(?:ts|json|wasm)$/.test(path) && !/\.(?:test|cases)\.ts$/.test(path))
    .filter((path) => !path.startsWith(webFolder))
    .sort();
  return [...code.map((path) => join("src", path)), "scripts/build.ts", "package.json", "package-lock.json"];
}

/** The inspector is a program of its own; of the others it holds the client. */
function webSources(): string[] {
  const own = readdirSync(join(root, "src", webFolder), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const client = readdirSync(join(root, "src/client")).map((name) => join("src/client", name));
  return [...own, ...client, "scripts/build-web.ts", "package-lock.json"].sort();
}

function stampOf(sources: string[]): string {
  const hash = createHash("sha256");
  for (const source of sources)
    hash
      .update(source)
      .update("\0")
      .update(readFileSync(join(root, source)))
      .update("\0");
  return hash.digest("hex");
}

type Stamps = Record<string, { stamp: string; outputs: string[] }>;

function readStamps(): Stamps {
  if (!existsSync(stampFile)) return {};
  return JSON.parse(readFileSync(stampFile, "utf8")) as Stamps;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDist();
