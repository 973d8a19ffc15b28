import { describe, expect, it } from "vitest";
import { trimmedImport, usedImports } from "./imports.ts";

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

  it("are none that stand in a condition, a try or another function, whose heads would be missing", () => {
    const conditional = [
      "if TYPE_CHECKING:",
      "    from a import Form",
      "try:",
      "    import fast as parser",
      "except ImportError:",
      "    import slow as parser",
      "def other():",
      "    import os",
      "def parse(form = Form()):",
      "    return parser.parse(os.fspath(form))",
    ];
    const all = [
      statement(2, "a", "Form"),
      statement(4, "fast", "parser"),
      statement(6, "slow", "parser"),
      statement(8, "os", "os"),
    ];
    expect(usedImports(all, conditional, { startLine: 9, endLine: 10 })).toEqual([]);
    const namespaced = ["namespace Shop {", "    using System;", "    class A { Uri a = new Uri(); }", "}"];
    const using = [statement(2, "System", "Uri")];
    expect(usedImports(using, namespaced, { startLine: 3, endLine: 3 })).toEqual(["using System;"]);
  });

  it("are those with which they do something: the type of a parameter says by its name what it is", () => {
    const java = [
      "import shop.Till;",
      "import shop.Prices;",
      "import shop.Order;",
      "import shop.TillError;",
      "import static shop.Rules.round;",
      "import shop.Rules.LARGEST;",
      "int pay(Till till, Order order) throws TillError {",
      "  if (order.size() > LARGEST) throw new TillError();",
      "  return round(Prices.of(order));",
      "}",
    ];
    const all = ["Till", "Prices", "Order", "TillError", "round", "LARGEST"].map((name, i) =>
      statement(i + 1, `shop.${name}`, name),
    );
    const wanted = [java[1], java[3], java[4], java[5]];
    expect(usedImports(all, java, { startLine: 7, endLine: 10 })).toEqual(wanted);
    const typed = ['import type { Till } from "./till.ts";', "new Till();"];
    expect(usedImports([statement(1, "./till.ts", "Till")], typed, { startLine: 2, endLine: 2 })).toEqual([]);
  });

  it("are none that the lines show", () => {
    expect(usedImports(imports, lines, { startLine: 1, endLine: 6 })).toEqual([]);
  });
});

describe("a long import statement", () => {
  const trimmed = (statement: string, ...used: string[]) => trimmedImport(statement, (name) => used.includes(name));

  it("keeps only the lines with used names", () => {
    const statement = "import {\n  a,\n  b as c,\n  d,\n} from './d'";
    expect(trimmed(statement, "a", "b")).toBe("import {\n  a,\n} from './d'");
    expect(trimmed(statement, "c")).toBe("import {\n  b as c,\n} from './d'");
    expect(trimmed("import {\n  type A,\n  b,\n} from './d'", "A", "b")).toBe("import {\n  b,\n} from './d'");
  });

  it("is not printed when only its module's name occurs", () => {
    expect(trimmed("import {\n  a,\n  b,\n} from '../optimizer'", "optimizer")).toBeUndefined();
    expect(trimmed("from core.coordinates import (\n    A,\n    B,\n)", "core", "coordinates")).toBeUndefined();
  });

  it("has no empty list beside a used default export", () => {
    expect(trimmed("import fs, {\n  a,\n  b,\n} from 'node:fs'", "fs")).toBe("import fs from 'node:fs'");
  });

  it("stays whole where one line needs another", () => {
    const guarded =
      "try:\n    from numpy.exceptions import RankWarning\nexcept ImportError:\n    from numpy import RankWarning";
    expect(trimmed(guarded, "RankWarning")).toBe(guarded);
    const nested = "use std::{\n    io::{\n        Read,\n    },\n    fmt,\n};";
    expect(trimmed(nested, "Read")).toBe(nested);
  });
});
