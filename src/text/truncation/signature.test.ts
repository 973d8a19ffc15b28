import { describe, expect, it } from "vitest";
import { signatureSpan } from "./signature.ts";

/** Everything above the line `---` is the signature; comments above it are not. */
const cases: [language: string, name: string, code: string][] = [
  ["python", "annotations", "def f(a: int, b: str = 'x:y') -> dict[str, int]:\n---\n    return {}"],
  ["python", "default braces", "def f(a={}, b=[1, {2: 3}]):\n---\n    pass"],
  [
    "python",
    "several lines",
    "@cache\n@route('/x', methods=['GET'])\nasync def f(\n    a: int,\n    *,\n    b: Callable[[int], str] = lambda x: str(x),\n) -> None:\n---\n    pass",
  ],
  [
    "python",
    "a decorator over several lines",
    "@decorate(\n    key='a:b',\n)\nclass A(Base, metaclass=M):\n---\n    x: int = 1",
  ],
  ["python", "a return type with a colon in a string", 'def f() -> "a: b":\n---\n    pass'],
  ["python", "a comment with a colon", "def f(  # note: this\n    a,  # and: this\n):\n---\n    pass"],
  ["python", "a plain statement", "limit = max(\n    1,\n    2,\n)\n---\nother = 3"],
  [
    "typescript",
    "generics and a type literal",
    "export async function f<T extends { a: number }>(\n  x: T,\n  { a, b }: { a: number; b: string } = {},\n): Promise<{ ok: boolean }> {\n---\n  return x;\n}",
  ],
  [
    "typescript",
    "type parameters with a default, over several lines",
    "static create<\n  M extends Modules,\n  T extends Mapping = {}\n>(\n  options?: Options<M, T>,\n) {\n---\n  return new Pool<M, T>(options);\n}",
  ],
  ["typescript", "a returned type literal", "function f(): { a: number } {\n---\n  return { a: 1 };\n}"],
  ["typescript", "an arrow function", "const f = async (a: number, { b = 1 } = {}) => {\n---\n  return a;\n};"],
  [
    "typescript",
    "decorators",
    "@Injectable()\n@Entity({ name: 'x' })\nexport class A implements B {\n---\n  x = 1;\n}",
  ],
  ["typescript", "an interface", "export interface A<T> extends B {\n---\n  a: T;\n}"],
  ["javascript", "a function", "function f(a, b = {}) {\n---\n  return a;\n}"],
  [
    "go",
    "an interface result",
    "func (s *Server) Do(x interface{}, y struct{ a int }) (interface{}, error) {\n---\n\treturn nil, nil\n}",
  ],
  ["go", "a bare interface result", "func f() interface{} {\n---\n\treturn 1\n}"],
  ["go", "a struct", "type A struct {\n---\n\tb int\n}"],
  [
    "java",
    "annotations and throws",
    '@Override\n@SuppressWarnings({"unchecked", "x"})\npublic <T extends A> Map<String, List<T>> f(\n    int a,\n    String b)\n    throws IOException {\n---\n  return null;\n}',
  ],
  ["java", "an interface method", "int f(String a,\n    int b);\n---\nint g();"],
  [
    "cpp",
    "a template and an initialiser list",
    "template <typename T>\nFoo<T>::Foo(int a)\n    : a_{a},\n      b_(0) {\n---\n  init();\n}",
  ],
  ["cpp", "Allman braces", "int main(int argc, char** argv)\n{\n---\n  return 0;\n}"],
  ["c", "a string with a brace", 'void f(const char *s /* { */)\n{\n---\n  puts("}");\n}'],
  [
    "rust",
    "attributes, where clause, lifetimes",
    "#[derive(Debug)]\n#[inline]\npub fn f<'a, T>(x: &'a [u8; 4], y: T) -> Result<&'a str, Error>\nwhere\n    T: Fn(char) -> bool,\n{\n---\n    Ok(\"\")\n}",
  ],
  [
    "csharp",
    "attributes and constraints",
    '[HttpGet("/x")]\npublic async Task<T> F<T>(int a = 1)\n    where T : new()\n{\n---\n    return default;\n}',
  ],
  ["ruby", "no parentheses", "def f a, b = {},\n      c: 1\n---\n  a\nend"],
  ["ruby", "parentheses", "def self.f(a,\n           b: { x: 1 })\n---\n  a\nend"],
  ["kotlin", "an expression body", "fun f(a: Int): Int =\n---\n    a + 1"],
  ["scala", "an expression body", "def f(a: Int)(implicit b: B): Option[Int] =\n---\n  Some(a)"],
  [
    "swift",
    "a function",
    "@discardableResult\nfunc f<T>(_ a: T, b: [String: Int] = [:]) -> T where T: P {\n---\n  a\n}",
  ],
  [
    "php",
    "a method",
    "#[Route('/x')]\npublic function f(array $a = ['{'], ?int $b = null): ?array\n{\n---\n    return null;\n}",
  ],
  ["elixir", "a function", "def f(%{a: a} = map,\n      b) when is_map(map) do\n---\n  a\nend"],
  ["lua", "a function", "function M.f(a, b)\n---\n  return a\nend"],
  ["bash", "a function", "f() {\n---\n  echo hi\n}"],
  ["markdown", "a heading", "## Install: now\n---\n\ntext"],
];

describe("signatureSpan", () => {
  it.each(cases)("%s: %s", (language, _name, code) => {
    const [signature, body] = code.split("\n---\n") as [string, string];
    const lines = `${signature}\n${body}`.split("\n");
    const span = signatureSpan(lines, language);
    expect(lines.slice(span.start, span.end).join("\n")).toBe(signature);
  });

  it("leaves the comment above the declaration out", () => {
    const java = ["/**", " * Says { hello }:", " */", "void hello(String name) {", "  greet(name);", "}"];
    expect(signatureSpan(java, "java")).toEqual({ start: 3, end: 4 });
    const rust = ["/// Doc: {", "fn f() {", "}"];
    expect(signatureSpan(rust, "rust")).toEqual({ start: 1, end: 2 });
  });

  it("is the first line where nothing looks like a declaration", () => {
    expect(signatureSpan([], "python")).toEqual({ start: 0, end: 0 });
    expect(signatureSpan(["# only a comment"], "python")).toEqual({ start: 0, end: 1 });
    expect(signatureSpan(["CREATE TABLE t (", ...Array(100).fill("  a int,"), ");"], "sql")).toEqual({
      start: 0,
      end: 1,
    });
  });
});
