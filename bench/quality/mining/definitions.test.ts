import { expect, it } from "vitest";
import { definitionsIn } from "./definitions.ts";
import type { LanguageName } from "./languages.ts";

function places(language: LanguageName, lines: string[]): string[] {
  return definitionsIn("a", lines.join("\n"), language).map(
    ({ kind, name, first, last }) => `${kind} ${name} ${first}-${last}`,
  );
}

it("reads Python by its indentation, and no local variable as a field", () => {
  const lines = [
    "LIMIT = 3",
    "class A(B):",
    '    """Doc with def fake(): inside."""',
    "    size: int = 1",
    "    def m(self, a,",
    "          b):",
    "        self.total_sum = (a,",
    "            b)",
    "        # a comment",
    "",
    "def f():",
    "    local = 1",
    "    return local, 2",
  ];
  expect(places("python", lines)).toEqual([
    "constant LIMIT 1-1",
    "class A 2-8",
    "field size 4-4",
    "method m 5-8",
    "field total_sum 7-8",
    "function f 11-13",
  ]);
});

it("reads braces, but not those in literals, comments and types", () => {
  const script = [
    "export function f(a: string): { b: number } {",
    '  return "}" // }',
    "}",
    "interface I {",
    "  name?: string",
    "}",
  ];
  expect(places("typescript", script)).toEqual(["function f 1-3", "class I 4-6", "field name 5-5"]);
  const go = ["func (c *C) Done() <-chan struct{} {", "\treturn nil", "}", "type T struct {", "\tName string", "}"];
  expect(places("go", go)).toEqual(["method Done 1-3", "class T 4-6", "field Name 5-5"]);
  const rust = [
    "pub struct S<'a> {",
    "    name: &'a str,",
    "}",
    "fn f() {",
    "    let c = '{';",
    "}",
    "#[cfg(test)]",
    "mod tests {",
    "    fn g() {}",
    "}",
  ];
  expect(places("rust", rust)).toEqual(["class S 1-3", "field name 2-2", "function f 4-6"]);
});

it("reads Ruby to the end of the same depth, PHP and Java by their modifiers", () => {
  const ruby = ["class Ab", "  def b(c = {})", "    if c", "    end", "  end", "end"];
  expect(places("ruby", ruby)).toEqual(["class Ab 1-6", "method b 2-5"]);
  const php = [
    "class A",
    "{",
    "    protected string $base;",
    "    public function b(): int",
    "    {",
    "        return 1;",
    "    }",
    "}",
  ];
  expect(places("php", php)).toEqual(["class A 1-8", "field base 3-3", "method b 4-7"]);
  const java = [
    "public class A {",
    "  private static final int MOST = 1;",
    "  private int size;",
    "  public int take() {",
    "    return 1;",
    "  }",
    "}",
  ];
  expect(places("java", java)).toEqual(["class A 1-7", "constant MOST 2-2", "field size 3-3", "method take 4-6"]);
});
