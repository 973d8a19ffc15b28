import { expect, it } from "vitest";
import { configLanguage, extractConfig } from "./config.ts";

it.each([
  ["package.json", '{\n  // why\n  "name": "x",\n  "scripts": { "test": "y" },\n}\n', "json", "name scripts"],
  ["a.yaml", "# why\nname: x\nsteps:\n  - run: y\n", "yaml", "name steps"],
  ["pyproject.toml", "[project]\nname = 'x'\n[tool.ruff]\n", "toml", "project name tool.ruff"],
  ["setup.cfg", "[flake8]\nmax = 1\n", "ini", "flake8 max"],
  ["Makefile", "build: a\n\tcc a\ntest:\n", "makefile", "build test"],
  ["ci/Dockerfile", "FROM node:20\nCMD run\n", "dockerfile", "node:20 run"],
  ["a.xml", "<shop><item/></shop>\n", "xml", "shop item"],
])("%s is one item whose doc names its settings", (path, text, language, doc) => {
  expect(extractConfig(path, text)).toMatchObject({ language, kind: "config", doc, units: [], imports: [] });
});

it("keeps comments apart from settings, and loses neither", () => {
  expect(extractConfig("a.yaml", "# why\nname: x\n").rest).toEqual({ comment: "# why", string: "", code: "name: x" });
});

it("takes a file by its whole name before its ending", () => {
  expect(configLanguage("CMakeLists.txt")).toBe("cmake");
  expect(configLanguage("requirements-dev.txt")).toBe("ini");
  expect(configLanguage("docs/make.bat")).toBe("batch");
  expect(configLanguage("notes.txt")).toBeUndefined();
  expect(configLanguage("constructor")).toBeUndefined();
});

it("takes Makefile.am for a makefile, and a program about makefiles for a program", () => {
  expect(configLanguage("Makefile.am")).toBe("makefile");
  expect(configLanguage("ci/Dockerfile.dev")).toBe("dockerfile");
  expect(configLanguage("lib/loaders/makefile.rb")).toBeUndefined();
  expect(configLanguage("docs/dockerfile.md")).toBeUndefined();
});
