import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Reads a description from standard input, and writes its types. What has a default need not be given. */
const generator = `
import { text } from "node:stream/consumers";
import openapiTypes, { astToString } from "openapi-typescript";
const types = await openapiTypes(JSON.parse(await text(process.stdin)), { defaultNonNullable: false });
process.stdout.write(astToString(types));
`;

/** What the modules inside the bundle expect of their own files. */
const banner = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = new URL(import.meta.url).pathname;
const __dirname = new URL(".", import.meta.url).pathname;
`;

/**
 * The types that openapi-typescript makes of a description of an API. It prints them by an interface that only older
 * compilers have, so it is bundled with one of those.
 */
async function typesOf(description: object, folder: string): Promise<string> {
  const outfile = join(folder, "generator.mjs");
  await build({
    stdin: { contents: generator, resolveDir: process.cwd() },
    alias: { typescript: "typescript-5" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    banner: { js: banner },
  });
  const input = JSON.stringify(description);
  return execFileSync(process.execPath, [outfile], { input, encoding: "utf8", maxBuffer: 2 ** 26 });
}

/** What the compiler says of calls that are typed by a description; nothing where it takes them all. */
export async function compiled(description: object, calls: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "paths.ts"), await typesOf(description, folder));
  writeFileSync(join(folder, "calls.ts"), calls);
  const options = {
    compilerOptions: {
      target: "ES2023",
      module: "NodeNext",
      strict: true,
      noEmit: true,
      types: [],
      lib: ["ES2023", "DOM"],
      allowImportingTsExtensions: true,
    },
    files: ["calls.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  try {
    return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
