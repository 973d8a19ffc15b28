import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { IndexedFile } from "../../stores/store.ts";
import { packImports, packText, unpackImports, unpackText } from "../../stores/written-files.ts";
import { folder } from "../../tree/folder.cases.ts";
import { describePath } from "../files/describe.ts";
import { packDescription, unpackDescription } from "./pack-description.ts";

const samples = fileURLToPath(new URL("../../../fixtures/languages", import.meta.url));

async function described(root: string, path: string): Promise<IndexedFile> {
  const outcome = await describePath({ root, maxFileBytes: 1 << 20 }, { path, size: 0, modified: 0 });
  if (outcome.is !== "described") throw new Error(`${path}: ${outcome.is}`);
  return outcome.file;
}

/** Without properties that are undefined, and with the text and the imports themselves: what is stored of a file. */
function stored(file: IndexedFile): unknown {
  const items = file.items.map(({ unit, file: whole, ...each }) => ({ ...each, terms: [unit, whole].map(plainTerms) }));
  const [text, imports] = [unpackText(packText(file.text)), unpackImports(packImports(file.imports))];
  return JSON.parse(JSON.stringify({ ...file, items, text, imports }));
}

function plainTerms(terms: { terms: Uint8Array; length: number } | undefined): unknown {
  return terms && [terms.length, Buffer.from(terms.terms).toString("hex")];
}

function again(file: IndexedFile): IndexedFile {
  const { path, hash, size, modified } = file;
  return unpackDescription(packDescription(file), { path, hash, size, modified });
}

describe("a packed description", () => {
  it.each(readdirSync(samples).filter((name) => name.includes(".")))("is the description of %s", async (name) => {
    const file = await described(samples, name);
    expect(stored(again(file))).toEqual(stored(file));
  });

  it("holds documents, what they link to, and text of any kind", async () => {
    const root = folder({
      "docs/a.md": "# One\n\nSee [two](../b.md#x) and \u{1f600} ünïcode.\n",
      "empty.txt": "",
      "odd.py": "def f():\n    return '\\ud800 \u0007'\n",
    });
    for (const path of ["docs/a.md", "empty.txt", "odd.py"]) {
      const file = await described(root, path);
      expect(stored(again(file))).toEqual(stored(file));
    }
  });

  it("takes the time at which the file was read this time", async () => {
    const file = await described(join(samples), "sample.py");
    const next = unpackDescription(packDescription(file), { path: file.path, hash: file.hash, size: 7, modified: 8 });
    expect(next).toMatchObject({ size: 7, modified: 8 });
    expect(new Set(next.items.map(({ item }) => item.changed))).toEqual(new Set([8]));
  });
});
