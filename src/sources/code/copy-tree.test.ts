import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { kernelModule } from "../../../scripts/build-kernel.ts";
import { rulesOf } from "./languages/all.ts";
import { grammarOf } from "./languages.ts";
import { parse } from "./parser.ts";
import { leavesOf } from "./syntax.ts";
import { childrenOf, none, parentOf, textOf, typeOf } from "./tree.ts";

async function parsed(text: string) {
  return (await parse(grammarOf("javascript", "a.js")!, text, leavesOf(rulesOf.javascript!)))!;
}

describe("a copied tree", () => {
  it("has every named node once, in the order of the text, inside those around it", async () => {
    const text = Array.from({ length: 900 }, (_, i) => `function f${i}(a, b) { return [a, { b: ${i} }]; }\n`).join("");
    const tree = await parsed(text);
    // More than are copied at once.
    expect(tree.count).toBeGreaterThan(5000);
    const functions = childrenOf(tree, 0);
    expect(functions).toHaveLength(900);
    expect(functions.every((node) => typeOf(tree, node) === "function_declaration")).toBe(true);
    expect(textOf(tree, functions[899]!)).toBe("function f899(a, b) { return [a, { b: 899 }]; }");
    for (let node = 1; node < tree.count; node++) {
      const parent = parentOf(tree, node);
      expect(parent).toBeLessThan(node);
      expect(tree.after[parent]!).toBeGreaterThan(node);
      expect(tree.starts[parent]!).toBeLessThanOrEqual(tree.starts[node]!);
      expect(tree.ends[parent]!).toBeGreaterThanOrEqual(tree.ends[node]!);
    }
    expect([parentOf(tree, 0), tree.after[0]]).toEqual([none, tree.count]);
  });

  it("looks into a string only where a brace is in it, however many there are", async () => {
    const plain = await parsed("const a = `one two`;");
    const filled = await parsed(`const a = \`one \${two()}\`;`);
    const calls = (tree: typeof plain) =>
      Array.from({ length: tree.count }, (_, node) => typeOf(tree, node)).filter((type) => type === "call_expression");
    expect([calls(plain).length, calls(filled).length]).toEqual([0, 1]);
    const many = await parsed(`${"f({});\n".repeat(6000)}const a = \`one \${two()}\`;`);
    expect(calls(many)).toHaveLength(6001);
  });

  it("is made by the program that its source says", async () => {
    const source = await readFile(new URL("tree-copier.wat", import.meta.url), "utf8");
    const compiled = await kernelModule(source, "tree-copier", "treeCopierBytes");
    expect(await readFile(new URL("tree-copier.ts", import.meta.url), "utf8")).toBe(compiled);
  });
});
