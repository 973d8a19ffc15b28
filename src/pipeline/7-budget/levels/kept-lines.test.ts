import { describe, expect, it } from "vitest";
import { evidence } from "../../../../tests/pipeline/evidence.ts";
import { lineStructure } from "../../../text/truncation/line-structure.ts";
import type { Unique } from "../../unique.ts";
import { cutOrder, fileOrder, withoutDoc } from "./kept-lines.ts";

/** What stays of a text without its doc comment, hidden lines as a mark. */
function shown(text: string, signature: string, language: string): string[] | undefined {
  const lines = text.split("\n");
  const structure = lineStructure(lines, language);
  const keep = withoutDoc(evidence({ path: "a", name: "a", text, item: { signature, language } }), lines, structure);
  return keep && lines.flatMap((line, i) => (keep.has(i) ? [line] : keep.has(i - 1) ? ["…"] : []));
}

describe("a text without its doc comment", () => {
  it("keeps the comment's first paragraph, its end, and all that is code", () => {
    const text = [
      "/**",
      " * Makes an implementation of the interface.",
      " *",
      " * <p>For example:",
      " * <pre>",
      ...Array.from({ length: 8 }, (_, i) => ` *   Api api${i} = shop.create(Api.class);`),
      " * </pre>",
      " * and so on.",
      " */",
      "@Checked",
      "public <T> T create(Class<T> service) {",
      "  return proxy(service); // for it",
      "}",
    ].join("\n");
    expect(shown(text, "public <T> T create(Class<T> service)", "java")).toEqual([
      "/**",
      " * Makes an implementation of the interface.",
      "…",
      " */",
      "@Checked",
      "public <T> T create(Class<T> service) {",
      "  return proxy(service); // for it",
      "}",
    ]);
  });

  it("knows where Python has it", () => {
    const doc = ["    Returns it.", "", ...Array.from({ length: 14 }, (_, i) => `    :param p${i}: what`), '    """'];
    const text = ["def load(self, path):", '    """Loads a file.', ...doc, "    return read(path)"].join("\n");
    expect(shown(text, "def load(self, path)", "python")).toEqual([
      "def load(self, path):",
      '    """Loads a file.',
      "    Returns it.",
      "…",
      '    """',
      "    return read(path)",
    ]);
  });

  it("does not fold a short one, and takes no comment of the body for one", () => {
    const body = Array.from({ length: 12 }, (_, i) => `  // step ${i}`);
    expect(shown(["// Runs.", "function run() {", ...body, "}"].join("\n"), "function run()", "javascript")).toBe(
      undefined,
    );
    expect(shown(["function run() {", ...body, "}"].join("\n"), "function run()", "javascript")).toBe(undefined);
  });

  it("leaves an attribute of Rust above the declaration where it is", () => {
    const doc = Array.from({ length: 17 }, (_, i) => `/// line ${i}`);
    const text = [...doc, "#[derive(Clone)]", "pub struct Path(Arc<str>);"].join("\n");
    expect(shown(text, "pub struct Path(Arc<str>)", "rust")).toEqual([
      ...doc.slice(0, 8),
      "…",
      "#[derive(Clone)]",
      "pub struct Path(Arc<str>);",
    ]);
  });
});

describe("the order in which lines of a file are added to a cut", () => {
  const orderOf = (unique: Unique, lines: string[]) => fileOrder(unique, lines, lineStructure(lines, "typescript"));
  const text = [
    'import { a } from "a";',
    "type Small = {",
    "  name: string;",
    "};",
    "function outer() {",
    "  prepare();",
    "  function inner() {",
    "    if (a) return 1;",
    "    for (const b of a) throw b;",
    "  }",
    "}",
    "start();",
  ];
  const parts = [
    { startLine: 2, endLine: 4, name: "Small" },
    { startLine: 5, endLine: 11, name: "outer" },
    { startLine: 7, endLine: 10, name: "inner" },
  ];
  const file = { ...evidence({ path: "a.ts", name: "a.ts", text: text.join("\n"), item: { kind: "file" } }), parts };

  it("begins with the unit that does most, below the first line of what contains it; imports come last", () => {
    expect(orderOf(file, text).map((line) => line + 1)).toEqual([5, 7, 8, 9, 10, 2, 3, 4, 6, 11, 12, 1]);
  });

  it("is the order of the text where that is prose", () => {
    const prose = { ...file, item: { ...file.item, source: "file" as const } };
    expect(orderOf(prose, text)).toEqual(text.map((_, line) => line));
  });

  /** A file of these units, one below the other. */
  const fileOf = (units: string[][]) => {
    const lines = units.flat();
    const parts = units.map((unit, i) => {
      const startLine = units.slice(0, i).flat().length + 1;
      return { startLine, endLine: startLine + unit.length - 1, name: `unit${i}` };
    });
    const unique = { ...evidence({ path: "a.ts", text: lines.join("\n"), item: { kind: "file" } }), parts };
    return { lines, order: orderOf(unique, lines) };
  };
  const body = (name: string, length: number) => [
    `function ${name}() {`,
    ...Array.from({ length }, (_, i) => `  if (${name}${i}) return ${i};`),
    "}",
  ];

  it("leaves one long unit among many for last, but not one that is most of the file", () => {
    const others = Array.from({ length: 20 }, (_, i) => body(`step${i}`, 15));
    const { lines, order } = fileOf([body("giant", 150), ...others]);
    expect(lines[order[0]!]).toBe("function step0() {");
    expect(order.slice(-152)).toEqual(Array.from({ length: 152 }, (_, line) => line));
    const most = fileOf([...others.slice(0, 3), body("giant", 150)]);
    expect(most.lines[most.order[0]!]).toBe("function giant() {");
  });

  it("takes words of a comment for no work, and has the rest of long comments after all code", () => {
    const doc = ["/**", " * Splits.", " *", ...Array(20).fill(" * If it is for a case, return it."), " */"];
    const { lines, order } = fileOf([[...doc, "declare function split(): void;"], body("find", 2)]);
    expect(lines[order[0]!]).toBe("function find() {");
    expect(order.slice(-20).every((line) => lines[line]!.includes("for a case"))).toBe(true);
  });
});

describe("the order in which lines are added to a cut without room for all that is relevant", () => {
  const lines = [
    "func main() {",
    ...Array.from({ length: 40 }, (_, i) => `\tflag${i} := flag.Int("flag${i}", ${i})`),
    "\tgo func() {",
    "\t\tfor range signals {",
    "\t\t\tmigrater.stop <- true",
    "\t\t}",
    "\t}()",
    "\t// stop here",
    ...Array.from({ length: 40 }, (_, i) => `\trun(flag${i})`),
    "}",
  ];
  const main = evidence({
    path: "main.go",
    name: "main",
    kind: "function",
    text: lines.join("\n"),
    item: { language: "go", signature: "func main()" },
  });
  const weights = lines.map((line) => (line.includes("stop") ? 1 : 0));
  const structure = lineStructure(lines, "go");
  const place = lines.findIndex((line) => line.includes("stop <-"));

  it("begins with the signature and what the question asks for, then the ending, not with the first lines", () => {
    const order = cutOrder(main, lines, weights, structure);
    expect(order.slice(0, 4)).toEqual([0, place - 1, place, place + 1]);
    expect(order.indexOf(lines.length - 2)).toBeLessThan(order.indexOf(1));
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
    expect([...order].sort((a, b) => a - b)).toEqual([...lines.keys()]);
  });

  it("begins at the line that was asked for", () => {
    expect(cutOrder({ ...main, askedLine: main.startLine + 70 }, lines, weights, structure)[0]).toBe(70);
  });
});
