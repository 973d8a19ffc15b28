import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import wabt from "wabt";

/**
 * Makes src/stores/search/kernel.ts from kernel.wat, and the other kernels from theirs. Bundle and run it from the root
 * of the repository after changing the source: npx esbuild scripts/build-kernel.ts --bundle --platform=node
 * --format=esm --packages=external | node --input-type=module -
 */
export async function kernelModule(source: string, name = "kernel", constant = "kernelBytes"): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(`${name}.wat`, source, { simd: true });
  try {
    module.validate();
    const bytes = Buffer.from(module.toBinary({}).buffer).toString("base64");
    return [
      `/** Generated from ${name}.wat by scripts/build-kernel.ts; a test compares the two. */`,
      `export const ${constant} =`,
      `  "${bytes}";`,
      "",
    ].join("\n");
  } finally {
    module.destroy();
  }
}

const folder = "src/stores/search";
const copier = "src/sources/code/tree-copier";
const products = "src/embed/products";
const counter = "src/sources/term-counter";

async function build(): Promise<void> {
  await writeFile(`${folder}/kernel.ts`, await kernelModule(await readFile(`${folder}/kernel.wat`, "utf8")));
  const source = await readFile(`${copier}.wat`, "utf8");
  await writeFile(`${copier}.ts`, await kernelModule(source, "tree-copier", "treeCopierBytes"));
  const productsSource = await readFile(`${products}.wat`, "utf8");
  await writeFile(`${products}-kernel.ts`, await kernelModule(productsSource, "products", "productsBytes"));
  const packer = `${folder}/postings-packer`;
  const packerSource = await readFile(`${packer}.wat`, "utf8");
  await writeFile(`${packer}-kernel.ts`, await kernelModule(packerSource, "postings-packer", "postingsPackerBytes"));
  const counterSource = await readFile(`${counter}/term-counter.wat`, "utf8");
  await writeFile(`${counter}/kernel.ts`, await kernelModule(counterSource, "term-counter", "termCounterBytes"));
}

// True for `node scripts/build-kernel.ts` and for a bundle read from standard input, false when a test imports this
// file.
const entry = process.argv[1];
if (entry === undefined || entry === "-" || entry === fileURLToPath(import.meta.url)) await build();
