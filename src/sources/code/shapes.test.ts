import { describe, expect, it } from "vitest";
import { extract } from "../extract.ts";

/** Everything with its lines; what is not searched as text has a mark. */
async function everything(path: string, text: string): Promise<string[]> {
  return (await extract(path, text)).units.map(
    (unit) => `${unit.startLine}-${unit.endLine} ${unit.kind} ${unit.qualified}${unit.unsearched ? " -" : ""}`,
  );
}

/** Units other than fields and blocks. */
async function units(path: string, text: string): Promise<string[]> {
  return (await everything(path, text)).filter((unit) => !/^\S+ (?:field|block) /.test(unit));
}

async function imports(path: string, text: string): Promise<string[]> {
  return (await extract(path, text)).imports.map(({ module, names }) => `${module}: ${names.join(" ")}`);
}

describe("spans", () => {
  it("include decorators and the comment directly above, but not one with a blank line between", async () => {
    expect(await units("a.py", "# far\n\n# near\n@cached\ndef f():\n    pass\n")).toEqual(["3-6 function f"]);
  });

  it("do not take the comment at the end of the line before", async () => {
    expect(await units("a.go", "package a\n\nvar x = 1 // one\nfunc f() {}\n")).toEqual([
      "3-3 constant x",
      "4-4 function f",
    ]);
  });

  it("take a JSDoc with a blank line after it, as some projects write them", async () => {
    const text = "var a = 1;\n\n/**\n * Adds.\n */\n\nexports.add = function (x) {\n};\n";
    expect(await units("a.js", text)).toEqual(["3-8 function add"]);
  });

  it("take a doc comment of lines with a blank line after it, but not a line of slashes", async () => {
    const text =
      "use a;\n\n/// Prints.\n///\n/// Much of it.\n\n#[derive(Debug)]\nstruct Printer;\n\n//////\n\nfn f() {}\n";
    expect(await units("a.rs", text)).toEqual(["3-8 class Printer", "12-12 function f"]);
    expect((await extract("a.rs", text)).units.find(({ name }) => name === "Printer")?.doc).toContain("Much of it.");
  });

  it("take the comment above a decorator", async () => {
    expect(await units("a.ts", "/** One. */\n@sealed\nexport class A {}\n")).toEqual(["1-3 class A"]);
    expect((await extract("a.ts", "/** One. */\n@sealed\nexport class A {}\n")).units[0]?.doc).toBe("One.");
  });

  it("leave a licence to the file", async () => {
    const { units: extracted, doc } = await extract(
      "a.js",
      "/* Copyright me */\n\n/** About. */\n\nimport a from 'a';\nfunction f() {}\n",
    );
    expect(extracted[0]?.doc).toBeUndefined();
    expect(doc).toBe("About.");
  });
});

describe("values of JavaScript that hold functions", () => {
  it("open an object that is exported and named at once", async () => {
    const text =
      "const proto = module.exports = {\n  limit: 3,\n  inspect () {\n    return 1\n  },\n  get cookies () {\n    return 3\n  }\n}\n";
    expect(await everything("a.js", text)).toEqual([
      "1-9 constant proto",
      "2-2 field proto.limit -",
      "3-5 method proto.inspect",
      "6-8 method proto.cookies",
    ]);
  });

  it("name the branches of a choice, at the top and inside functions", async () => {
    const choice = (indent: string) =>
      [
        "const reset = ready",
        "  ? function reset() {",
        "      return 1",
        "    }",
        "  : () => {",
        "      throw new Error('not ready')",
        "    }",
      ]
        .map((line) => `${indent}${line}\n`)
        .join("");
    const text = `${choice("")}function create() {\n${choice("  ")}  return reset\n}\nconst go = ready && (() => 1)\n`;
    expect(await units("a.js", text)).toEqual([
      "1-7 function reset",
      "8-17 function create",
      "9-15 function create.reset",
      "18-18 function go",
    ]);
  });
});

describe("functions inside functions", () => {
  it("are units when there is something to them, and their text is the outer one's too", async () => {
    const inner =
      '    def inner(x):\n        """Doubles a zebra."""\n        y = x\n        y += stripes\n        return y\n';
    const { units: extracted } = await extract("a.py", `class A:\n  def outer(self):\n${inner}    return inner\n`);
    expect(extracted.map(({ kind, qualified }) => `${kind} ${qualified}`)).toEqual([
      "class A",
      "method A.outer",
      "function A.outer.inner",
    ]);
    const [, outer, nested] = extracted;
    expect(outer!.own.code).toContain("stripes");
    expect(outer!.own.string).toContain("zebra");
    expect(nested!.own.code).toContain("stripes");
    expect(nested!.doc).toBe("Doubles a zebra.");
    expect(nested!.parent).toBe(1);
  });

  it("are units in other languages too, whatever they are deep inside", async () => {
    const body = "{\n  a();\n  b();\n  c();\n}\n";
    expect(await units("a.js", `function outer() {\nif (x) {\nfunction inner() ${body}}\n}\n`)).toEqual([
      "1-9 function outer",
      "3-7 function outer.inner",
    ]);
    expect(await units("a.rs", `fn outer() {\nfn inner() ${body}}\n`)).toEqual([
      "1-7 function outer",
      "2-6 function outer.inner",
    ]);
  });

  it("stay part of the function around them when they are short", async () => {
    expect(await units("a.py", "def outer():\n    def inner():\n        pass\n    return inner\n")).toEqual([
      "1-4 function outer",
    ]);
  });

  it("that are tests are called by their title, and the short ones stay part of the suite's text", async () => {
    const long = "  it('adds', async () => {\n    a();\n    b();\n    c();\n  });\n";
    const text = `describe('a', () => {\n  function help() {}\n  it('b', () => {});\n${long}});\n`;
    expect(await everything("a.test.js", text)).toEqual([
      "1-9 function describe a",
      "2-2 function describe a.help",
      "3-3 function describe a.it b -",
      "4-8 function describe a.it adds",
    ]);
  });

  it("are units when the function around them only wraps the module", async () => {
    const text =
      "(function ($) {\n  function open() {}\n})(jQuery);\ndefine(['a'], function (a) {\n  function close() {}\n});\n";
    expect(await units("a.js", text)).toEqual(["2-2 function open", "5-5 function close"]);
  });
});

describe("what a declaration belongs to", () => {
  it("is a Go method's receiver", async () => {
    expect(await units("a.go", "package a\n\nfunc (s *Server[T]) Run() {}\n")).toEqual(["3-3 method Server.Run"]);
  });

  it("is the class before `::` in C++", async () => {
    expect(await units("a.cpp", "int Shape::Inner::area() const { return 1; }\n")).toEqual([
      "1-1 method Shape.Inner.area",
    ]);
  });

  it("is the suite of a C++ test written as a macro, and operators keep their sign", async () => {
    const text = "TEST_F(Suite, Adds) {}\nstruct A {\n  operator bool() const;\n  int operator()(int x);\n};\n";
    expect(await units("a.cc", text)).toEqual([
      "1-1 method Suite.Adds",
      "2-5 class A",
      "3-3 method A.operator bool",
      "4-4 method A.operator()",
    ]);
  });

  it("is the prototype or object in JavaScript", async () => {
    expect(await units("a.js", "Foo.prototype.bar = function () {};\nmodule.exports.baz = () => 1;\n")).toEqual([
      "1-1 method Foo.bar",
      "2-2 function baz",
    ]);
  });

  it("is the type of a Rust impl block", async () => {
    expect(await units("a.rs", "impl<T> Display for Wrapper<T> {\n    fn fmt(&self) {}\n}\n")).toEqual([
      "1-3 class Wrapper",
      "2-2 method Wrapper.fmt",
    ]);
  });

  it("tells C++ headers from C by what they hold", async () => {
    expect((await extract("a.h", "class A {\npublic:\n  int f();\n};\n")).language).toBe("cpp");
    expect((await extract("a.h", "struct a { int x; };\n")).language).toBe("c");
  });
});

describe("constants", () => {
  it("are those of the module, not of functions and loops", async () => {
    expect(
      await units(
        "a.py",
        "LIMIT = 1\ncount = 0\nfor X in y:\n    Z = X\ndef f():\n    LOCAL = 2\nclass A:\n    FIELD = 3\n",
      ),
    ).toEqual(["1-1 constant LIMIT", "5-6 function f", "7-8 class A"]);
  });

  it("that fill a file by the hundred are found by name only, in blocks of some lines", async () => {
    const table = Array.from({ length: 400 }, (_, i) => `#define REGISTER_${i} ${i}`).join("\n");
    const extracted = await everything("a.h", `${table}\nint f(void);\n`);
    expect(extracted.filter((unit) => !unit.includes(" field "))).toEqual([
      ...[1, 61, 121, 181, 241, 301].map((line) => `${line}-${line + 59} block REGISTER_${line - 1}`),
      "361-400 block REGISTER_360",
      "401-401 function f",
    ]);
    expect(extracted).toContain("273-273 field REGISTER_272 -");
  });
});

describe("fields", () => {
  it("are the members of types, whatever the language, with the comment above them", async () => {
    expect(await everything("a.ts", "interface A {\n  /** One. */\n  b: string;\n  c(): void;\n}\n")).toEqual([
      "1-5 interface A",
      "2-3 field A.b -",
      "4-4 field A.c -",
    ]);
    expect(await everything("a.go", "type A struct {\n\tB, C int\n\t*d.E\n}\n")).toEqual([
      "1-4 class A",
      "2-2 field A.B -",
      "2-2 field A.C -",
      "3-3 field A.E -",
    ]);
    expect(await everything("A.java", "enum A {\n  B(1),\n  C;\n  @D\n  private int e, f;\n}\n")).toEqual([
      "1-6 enum A",
      "2-2 field A.B -",
      "3-3 field A.C -",
      "4-5 field A.e -",
      "4-5 field A.f -",
    ]);
  });

  it("are what the making of an instance assigns, named after the class", async () => {
    expect(
      await everything("a.py", "class A:\n    def __init__(self, b):\n        self.b = b\n        c = 1\n"),
    ).toEqual(["1-4 class A", "2-4 method A.__init__", "3-3 field A.b -"]);
    expect(await everything("a.js", "class A {\n  constructor(b) {\n    this.#b = b;\n  }\n}\n")).toEqual([
      "1-5 class A",
      "2-4 method A.constructor",
      "3-3 field A.b -",
    ]);
  });

  it("keep their text where it was: in the class", async () => {
    const { units: extracted } = await extract("a.py", "class A:\n    # striped\n    zebra = make()\n");
    expect(extracted[0]).toMatchObject({ own: { comment: "# striped", code: "zebra = make()" } });
    expect(extracted[0]!.references).toEqual([{ kind: "calls", name: "make" }]);
    expect(extracted[1]).toMatchObject({ own: { comment: "", string: "", code: "" }, references: [] });
  });

  it("are variables of the module; those of functions are not", async () => {
    const text = "let a = 1;\nconst { b, c: d } = a;\nexports.e = 2;\nfunction f() {\n  let g = 1;\n}\n";
    expect(await everything("a.js", text)).toEqual([
      "1-1 field a -",
      "2-2 field b -",
      "2-2 field d -",
      "3-3 field e -",
      "4-6 function f",
    ]);
  });
});

describe("blocks", () => {
  it("are the statements between units, when there is something to them; one line is the file's", async () => {
    const block = "configure(host)\nstart(host, port)\nfor each in everything:\n    each.stop_everything_there_is()\n";
    expect(await everything("a.py", `${block}def f():\n    pass\nf()\n`)).toEqual([
      "1-4 block configure",
      "5-6 function f",
      "7-7 block f -",
    ]);
  });

  it("have their own text, which is no longer the rest of the file", async () => {
    const block = "configure(zebra)\nstart(host, port)\nstop(host, port, when_everything_is_over)\n";
    const { units: extracted, rest } = await extract("a.py", `import a\n${block}`);
    expect(extracted[0]!.own.code).toContain("zebra");
    expect(extracted[0]!.references[0]).toEqual({ kind: "calls", name: "configure" });
    expect(rest.code).toBe("import a");
  });

  it("hold a short statement whole that has units or imports in it", async () => {
    const text = "if x:\n    def f():\n        pass\ntry:\n    import a\nexcept ImportError:\n    a = None\n";
    expect(await everything("a.py", text)).toEqual([
      "1-3 block f -",
      "2-3 function f",
      "4-7 block a -",
      "7-7 field a -",
    ]);
    expect(await everything("a.go", "const (\n\tA = 1\n\tB = 2\n)\n")).toEqual([
      "1-4 block A -",
      "2-2 constant A",
      "3-3 constant B",
    ]);
  });

  it("are divided at statements when they are long", async () => {
    const statements = Array.from({ length: 50 }, (_, i) => `call_${i}(\n  ${i},\n)`).join("\n");
    expect(await everything("a.py", `${statements}\n`)).toEqual([
      "1-60 block call_0",
      "61-120 block call_20",
      "121-150 block call_40",
    ]);
  });

  it("are initialisers of classes", async () => {
    expect(await everything("a.js", "class A {\n  static {\n    open();\n  }\n}\n")).toEqual([
      "1-5 class A",
      "2-4 block A.static",
    ]);
  });
});

describe("functions in unusual places", () => {
  it("are called by what they are assigned to, by their own name or by the export's", async () => {
    const text =
      "export default ready && function f() {};\nmodule.exports.x = () => 1;\nexports.y = function () {};\nA.prototype.z = function () {};\n";
    expect(await units("a.js", text)).toEqual(["1-1 function f", "2-2 function x", "3-3 function y", "4-4 method A.z"]);
    expect(await units("a.js", "export default a ? () => 1 : null;\n")).toEqual(["1-1 function a"]);
  });

  it("that a module exports without a name are called as importers call them: by the file", async () => {
    const text = "export default (config) => {\n  return config;\n};\n";
    expect(await units("lib/resolveConfig.js", text)).toEqual(["1-3 function resolveConfig"]);
    expect(await units("lib/resolve-config.mjs", text)).toEqual(["1-3 function resolveConfig"]);
    expect(await units("hooks/index.ts", text)).toEqual(["1-3 function hooks"]);
    expect(await units("pages/[id].tsx", text)).toEqual(["1-3 function default"]);
    expect(await units("a.js", "module.exports = function (x) {\n  return x;\n};\n")).toEqual(["1-3 function a"]);
    expect(await units("Widget.ts", "export default class {\n  draw() {}\n}\n")).toEqual([
      "1-3 class Widget",
      "2-2 method Widget.draw",
    ]);
  });

  it("that handle a route are called by the call and its first string, in functions too", async () => {
    const body = "(request, response) => {\n  a();\n  b();\n  response.end();\n}";
    expect(await units("a.js", `app.get("/x", ${body});\napp.post("/y", () => 1);\n`)).toEqual([
      "1-5 function app.get /x",
      "6-6 function app.post /y -",
    ]);
    expect(await units("a.js", `function routes(app) {\napp.get("/x", ${body});\n}\n`)).toEqual([
      "1-7 function routes",
      "2-6 function routes.app.get /x",
    ]);
    expect(await units("a.rb", "get '/x' do\n  a\n  b\n  c\nend\n")).toEqual(["1-5 function get /x"]);
    expect(await units("a.php", "<?php\nRoute::get('/x', function () {\n  a();\n  b();\n  c();\n});\n")).toEqual([
      "2-6 function Route.get /x",
    ]);
  });

  it("that are handed to a call inside such a function are part of it", async () => {
    const inner = '  app.get("/x", () => {\n    a();\n    b();\n    c();\n    d();\n  });\n';
    expect(await units("a.js", `test("all", (t) => {\n${inner}});\n`)).toEqual(["1-8 function test all"]);
  });
});

describe("imports", () => {
  it("carry the names that code can use, aliases included", async () => {
    expect(await imports("a.py", "import a.b\nimport c.d as e\nfrom .f import (\n    g as h,\n    i,\n)\n")).toEqual([
      "a.b: a",
      "c.d: e",
      ".f: h i",
    ]);
    expect(await imports("a.ts", 'import d, { a as b, type C } from "./x";\nimport * as all from "y";\n')).toEqual([
      "./x: d b C",
      "y: all",
    ]);
    expect(await imports("a.rs", "use a::{self, b::C, d as e};\n")).toEqual(["a: a C e"]);
    expect(await imports("a.php", "<?php\nuse A\\B;\nuse A\\{C as D, E};\n")).toEqual([
      "A\\B: B",
      "A\\C: D",
      "A\\E: E",
    ]);
  });

  it("are whole statements: a group, and an alternative with its exception", async () => {
    const lines = async (path: string, text: string) =>
      (await extract(path, text)).imports.map(({ startLine, endLine, module }) => `${startLine}-${endLine} ${module}`);
    expect(await lines("a.go", 'package a\n\nimport (\n\t"b"\n\t"c"\n)\n')).toEqual(["3-6 b", "3-6 c"]);
    expect(await lines("a.py", "try:\n    import a\nexcept ImportError:\n    import b as a\n")).toEqual([
      "1-4 a",
      "1-4 b",
    ]);
  });

  it("of a module inside a Rust file bring no names to the rest of it", async () => {
    expect(await imports("a.rs", "use a::B;\nmod tests {\n    use super::{f, g};\n}\n")).toEqual([
      "a::B: B",
      "super: ",
    ]);
  });

  it("keep the lines of a statement of several lines", async () => {
    const { imports: statements } = await extract("a.py", "from a import (\n    b,\n)\nx = 1\n");
    expect(statements).toEqual([{ startLine: 1, endLine: 3, module: "a", names: ["b"] }]);
  });
});

describe("signatures", () => {
  it("end before the body and keep their lines as written", async () => {
    const { units: extracted } = await extract(
      "a.py",
      "class A:\n    def f(\n        self,\n        x: dict[str, int] = {},\n    ) -> int:\n        return 1\n",
    );
    expect(extracted[1]?.signature).toBe("    def f(\n        self,\n        x: dict[str, int] = {},\n    ) -> int:");
  });

  it("leave out decorators, which are in the span", async () => {
    const { units: extracted } = await extract(
      "A.java",
      "class A {\n  @Override\n  @Deprecated\n  public int f() { return 1; }\n}\n",
    );
    expect(extracted[1]).toMatchObject({ startLine: 2, signature: "  public int f()" });
  });

  it("are not counted twice: a unit's own code does not repeat them", async () => {
    const { units: extracted } = await extract("a.js", "/** Adds. */\nfunction add(a, b) {\n  return a + b;\n}\n");
    expect(extracted[0]?.own).toEqual({ comment: "", string: "", code: "{\n  return a + b;\n}" });
  });
});

describe("references", () => {
  it("name what is called and what it is called on, once, and not what is also extended", async () => {
    const text = "class A(base.View):\n    x = a.b.make()\n    y = make(base.View)\n    z = make(make)\n";
    const { units: extracted } = await extract("a.py", text);
    expect(extracted[0]?.references).toEqual([
      { kind: "extends", name: "View", receiver: "base" },
      { kind: "calls", name: "make", receiver: "a.b" },
      { kind: "calls", name: "make" },
    ]);
  });

  it("are at most sixty for one unit", async () => {
    const calls = Array.from({ length: 100 }, (_, i) => `  call${i}();`).join("\n");
    const { units: extracted } = await extract("a.js", `function f() {\n${calls}\n}\n`);
    expect(extracted[0]?.references).toHaveLength(60);
  });

  it("of a file without grammar are found too", async () => {
    const { units: extracted } = await extract("a.kt", 'class A : Base() {\n    fun f() = helper("not(this)")\n}\n');
    expect(extracted[1]?.references).toEqual([{ kind: "calls", name: "helper" }]);
  });
});
