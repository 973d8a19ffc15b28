import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { bundledGrammars } from "../../scripts/build-grammars.ts";

const require = createRequire(import.meta.url);
const built = new URL("../../dist/grammars/", import.meta.url);

it("the build holds each bundled grammar as its package has it", () => {
  expect(bundledGrammars.length).toBeGreaterThanOrEqual(11);
  for (const grammar of bundledGrammars) {
    const unpacked = brotliDecompressSync(readFileSync(new URL(`${grammar.file}.br`, built)));
    expect(unpacked.equals(readFileSync(require.resolve(`${grammar.package}/${grammar.file}`)))).toBe(true);
  }
});

it("the build holds the licence of every package that a grammar is taken from", () => {
  const licences = readFileSync(new URL("LICENSES.txt", built), "utf8");
  for (const { package: name } of bundledGrammars) expect(licences).toMatch(new RegExp(`^${name} \\d+\\.`, "m"));
});

it("nothing is compiled when the grammars' packages are installed", () => {
  const { description } = require("node-gyp-build/package.json") as { description: string };
  expect(description).toContain("Stands in for node-gyp-build");
});
