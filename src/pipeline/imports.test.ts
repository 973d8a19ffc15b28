import { describe, expect, it } from "vitest";
import { usedImports } from "./imports.ts";

const statement = (line: number, module: string, ...names: string[]) => ({
  startLine: line,
  endLine: line,
  module,
  names,
});

describe("the imports that lines use", () => {
  const lines = [
    "from __future__ import annotations",
    "import os",
    "import sys",
    "",
    "def f(annotations):",
    "    os.exit()",
  ];
  const imports = [statement(1, "__future__", "annotations"), statement(2, "os", "os"), statement(3, "sys", "sys")];

  it("are those whose names they have, and no switch of the compiler", () => {
    expect(usedImports(imports, lines, { startLine: 5, endLine: 6 })).toEqual(["import os"]);
  });

  it("are none that the lines show", () => {
    expect(usedImports(imports, lines, { startLine: 1, endLine: 6 })).toEqual([]);
  });
});
