import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { type Grammar, languages, markupGrammar } from "../src/sources/code/languages.ts";

/**
 * Writes the grammars that come with the package into a folder, and the licences of the packages they are taken from.
 * Brotli makes them a fifteenth of their size, and unpacking one takes less than ten milliseconds.
 */
export async function buildGrammars(outputFolder: string): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  for (const grammar of bundledGrammars) {
    const bytes = await readFile(require.resolve(`${grammar.package}/${grammar.file}`));
    // The highest quality takes twenty times as long for a tenth less.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeWhole(join(outputFolder, compressedName(grammar)), await promisify(brotliCompress)(bytes, { params }));
  }
  await writeWhole(join(outputFolder, licencesFile), await licences());
}

const require = createRequire(import.meta.url);
const licencesFile = "LICENSES.txt";

export const bundledGrammars: Grammar[] = [
  ...languages.flatMap(({ grammar, grammars = {} }) => [grammar, ...Object.values(grammars)]),
  markupGrammar,
].filter((grammar): grammar is Grammar => grammar?.bundled === true);

export const grammarFiles = [...bundledGrammars.map(compressedName), licencesFile];

function compressedName({ file }: Grammar): string {
  return `${file}.br`;
}

async function licences(): Promise<string> {
  const texts: string[] = [];
  for (const name of new Set(bundledGrammars.map((grammar) => grammar.package))) {
    const folder = dirname(require.resolve(`${name}/package.json`));
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e(?:\.\w+)?$/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence text: its grammar cannot be given away.`);
    const text = (await readFile(join(folder, file), "utf8")).trim();
    texts.push(`${name} ${version} (${license})\n\n${text}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** Written beside and renamed, so that two builds at once never show half a file. */
async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}
