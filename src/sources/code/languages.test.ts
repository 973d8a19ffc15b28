import { expect, it } from "vitest";
import { detectLanguage, languages } from "./languages.ts";

it("knows a language by the file's ending, whatever its case", () => {
  expect(detectLanguage("src/a.py")).toBe("python");
  expect(detectLanguage("A.TSX")).toBe("tsx");
  expect(detectLanguage("include/a.hpp")).toBe("cpp");
  expect(detectLanguage("scripts/deploy.ps1")).toBe("powershell");
});

it("knows files by their whole name", () => {
  expect(detectLanguage("Gemfile")).toBe("ruby");
  expect(detectLanguage("ci/Jenkinsfile")).toBe("groovy");
});

it("knows a script without an ending by its first line", () => {
  expect(detectLanguage("bin/run", "#!/usr/bin/env python3")).toBe("python");
  expect(detectLanguage("bin/run", "#!/bin/sh -e")).toBe("bash");
  expect(detectLanguage("bin/run", "#!/usr/bin/env -S node --no-warnings")).toBe("javascript");
  expect(detectLanguage("bin/run", "#!/usr/bin/python3.11")).toBe("python");
  expect(detectLanguage("bin/run", "just text")).toBeUndefined();
});

it("knows nothing of what is no code", () => {
  for (const path of ["README.md", "a.json", "image.png", ".gitignore", "LICENSE"])
    expect(detectLanguage(path)).toBeUndefined();
});

it("gives every ending to one language only", () => {
  const endings = languages.flatMap((language) => language.extensions);
  expect(new Set(endings).size).toBe(endings.length);
});
