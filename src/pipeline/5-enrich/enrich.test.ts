import { describe, expect, it } from "vitest";
import type { Scored } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { OpenedFile } from "../open-file.ts";
import { attach } from "./enrich.ts";

/** The lines printed of the unit `startLine`..`endLine`, in a file with these units. */
async function printed(
  text: string,
  units: OpenedFile["spans"],
  [startLine, endLine]: [number, number],
  language?: string,
) {
  const lines = text.split("\n");
  const item = {
    id: "id",
    source: "code",
    kind: "method",
    name: "unit",
    path: "a",
    language,
    startLine,
    endLine,
    hash: "",
  };
  const scored = { item, signals: {}, distance: 0, score: 1, because: {} } as unknown as Scored;
  const file: OpenedFile = { text, lines, onDisk: true, spans: units, unchanged: true, imports: async () => [] };
  const request = { contextLines: 3, includeImports: false } as Request;
  const attached = await attach(scored, { startLine, endLine, freshness: "current" }, file, [], request);
  return attached.lines;
}

describe("context lines", () => {
  const python = [
    "class QuerySet:",
    "    def update(self):",
    "        return 1",
    "",
    "    update.alters_data = True",
    "",
    "    def get(self):",
    "        return 2",
    "",
    "    get.alters_data = True",
    "",
    "    def last(self):",
    "        return 3",
  ].join("\n");
  const units: OpenedFile["spans"] = [
    [1, 13, "QuerySet"],
    [2, 3, "update"],
    [7, 8, "get"],
    [12, 13, "last"],
  ];

  it("are not the statement that follows the unit before", async () => {
    const lines = await printed(python, units, [7, 8]);
    expect(lines).toEqual(["    def get(self):", "        return 2", "", "    get.alters_data = True"]);
  });

  it("are the head of the class above its first method", async () => {
    expect((await printed(python, units, [2, 3]))[0]).toBe("class QuerySet:");
  });

  it("are no part of the head of what a method is in", async () => {
    const head = ["impl<F, B> Service<B> for Wrapper<F>", "where", "    F: Clone,", "    B: Body,", "{"];
    const method = ["    fn call(&self) {", "        self.0()", "    }"];
    const rust = [...head, ...method, "}"].join("\n");
    const units: OpenedFile["spans"] = [
      [1, 9, "Wrapper"],
      [6, 8, "call"],
    ];
    expect(await printed(rust, units, [6, 8], "rust")).toEqual(method);
  });

  it("are no head of a scope that they do not close", async () => {
    const rust =
      "impl Parse for Till {\n    fn parse() {\n        one();\n    }\n\n    fn print() {\n        two();\n    }\n}";
    const unitsOfTill: OpenedFile["spans"] = [
      [1, 9, "Till"],
      [2, 4, "parse"],
      [6, 8, "print"],
    ];
    const [, ...own] = rust.split("\n");
    expect(await printed(rust, unitsOfTill, [2, 4], "rust")).toEqual(own.slice(0, 3));
    const ruby = "class Cart\n  def add\n    one\n  end\n\n  def total\n  end\nend";
    const unitsOfCart: OpenedFile["spans"] = [
      [1, 8, "Cart"],
      [2, 4, "add"],
      [6, 7, "total"],
    ];
    expect((await printed(ruby, unitsOfCart, [2, 4], "ruby"))[0]).toBe("  def add");
  });

  it("are the whole of a class that has nothing but the unit", async () => {
    const rust = "impl<T> Parse for Till<T>\nwhere\n    T: Clone,\n{\n    fn parse() {\n        one();\n    }\n}";
    const only = (start: number): OpenedFile["spans"] => [
      [1, 8, "Till"],
      [start, 7, "parse"],
    ];
    expect(await printed(rust, only(5), [5, 7], "rust")).toEqual(rust.split("\n").slice(4, 7));
    const short = rust.replace("where\n    T: Clone,\n", "");
    const units: OpenedFile["spans"] = [
      [1, 6, "Till"],
      [3, 5, "parse"],
    ];
    expect(await printed(short, units, [3, 5], "rust")).toEqual(short.split("\n"));
  });

  it("are a modifier or a heading that holds for what follows", async () => {
    const ruby = "class Cart\n  def add\n  end\n\n  private\n\n  def total\n  end\nend";
    const unitsOfCart: OpenedFile["spans"] = [
      [1, 9, "Cart"],
      [2, 3, "add"],
      [7, 8, "total"],
    ];
    expect(await printed(ruby, unitsOfCart, [7, 8])).toEqual(["  private", "", "  def total", "  end"]);
    expect(await printed(ruby, unitsOfCart, [2, 3])).toEqual(["class Cart", "  def add", "  end"]);
    const heading = python.replace("    update.alters_data = True", "    # Queries");
    expect((await printed(heading, units, [7, 8]))[0]).toBe("    # Queries");
  });

  it("begin and end with no comment, docstring or block that is torn", async () => {
    const java = [
      "/**",
      " * A cart.",
      " * @since 1",
      " */",
      "class Cart {",
      "  int total;",
      "",
      "  // Adds one.",
      "  static {",
      "    load();",
      "  }",
      "}",
    ];
    expect(await printed(java.join("\n"), [[5, 12, "Cart"]], [6, 6])).toEqual(["class Cart {", "  int total;"]);
    const documented = ["class Cart:", '    """A cart.', "", "    It has lines.", '    """', "    total = 0"];
    expect(await printed(documented.join("\n"), [[1, 6, "Cart"]], [6, 6])).toEqual(["    total = 0"]);
    const namespace = ["int open() {", "  return 1;", "}", "", "}  // namespace shop"];
    expect(await printed(namespace.join("\n"), [[1, 3, "open"]], [1, 3])).toEqual(namespace.slice(0, 3));
  });

  it("are a statement that touches the unit", async () => {
    const touching = python
      .replace("    update.alters_data = True\n", "    @@register\n")
      .replace("\n\n    def get", "\n    def get");
    const moved = units.map(([start, end, name]): [number, number, string] =>
      start > 6 ? [start - 1, end - 1, name] : [start, Math.min(end, 12), name],
    );
    expect((await printed(touching, moved, [6, 7]))[0]).toBe("    @@register");
  });
});
