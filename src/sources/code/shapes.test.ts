import { describe, expect, it } from "vitest";
import { extract } from "../extract.ts";

async function units(path: string, text: string): Promise<string[]> {
  return (await extract(path, text)).units.map(
    (unit) => `${unit.startLine}-${unit.endLine} ${unit.kind} ${unit.qualified}`,
  );
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

  it("leave a licence to the file", async () => {
    const { units: found, doc } = await extract(
      "a.js",
      "/* Copyright me */\n\n/** About. */\n\nimport a from 'a';\nfunction f() {}\n",
    );
    expect(found[0]?.doc).toBeUndefined();
    expect(doc).toBe("About.");
  });
});

describe("functions inside functions", () => {
  it("are units when there is something to them, and their text is the outer one's too", async () => {
    const inner =
      '    def inner(x):\n        """Doubles a zebra."""\n        y = x\n        y += stripes\n        return y\n';
    const { units: found } = await extract("a.py", `class A:\n  def outer(self):\n${inner}    return inner\n`);
    expect(found.map(({ kind, qualified }) => `${kind} ${qualified}`)).toEqual([
      "class A",
      "method A.outer",
      "function A.outer.inner",
    ]);
    const [, outer, nested] = found;
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

  it("that are test blocks are no units", async () => {
    expect(
      await units("a.test.js", "describe('a', () => {\n  function help() {}\n  it('b', () => {});\n});\n"),
    ).toEqual([]);
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

  it("that fill a file by the hundred are left to it", async () => {
    const table = Array.from({ length: 400 }, (_, i) => `#define REGISTER_${i} ${i}`).join("\n");
    expect(await units("a.h", `${table}\nint f(void);\n`)).toEqual(["401-401 function f"]);
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

  it("keep the lines of a statement of several lines", async () => {
    const { imports: found } = await extract("a.py", "from a import (\n    b,\n)\nx = 1\n");
    expect(found).toEqual([{ startLine: 1, endLine: 3, module: "a", names: ["b"] }]);
  });
});

describe("signatures", () => {
  it("end before the body and keep their lines as written", async () => {
    const { units: found } = await extract(
      "a.py",
      "class A:\n    def f(\n        self,\n        x: dict[str, int] = {},\n    ) -> int:\n        return 1\n",
    );
    expect(found[1]?.signature).toBe("    def f(\n        self,\n        x: dict[str, int] = {},\n    ) -> int:");
  });

  it("leave out decorators, which are in the span", async () => {
    const { units: found } = await extract(
      "A.java",
      "class A {\n  @Override\n  @Deprecated\n  public int f() { return 1; }\n}\n",
    );
    expect(found[1]).toMatchObject({ startLine: 2, signature: "  public int f()" });
  });

  it("are not counted twice: a unit's own code does not repeat them", async () => {
    const { units: found } = await extract("a.js", "/** Adds. */\nfunction add(a, b) {\n  return a + b;\n}\n");
    expect(found[0]?.own).toEqual({ comment: "", string: "", code: "{\n  return a + b;\n}" });
  });
});

describe("references", () => {
  it("name what is called and what it is called on, once, and not what is also extended", async () => {
    const text = "class A(base.View):\n    x = a.b.make()\n    y = make(base.View)\n    z = make(make)\n";
    const { units: found } = await extract("a.py", text);
    expect(found[0]?.references).toEqual([
      { kind: "extends", name: "View", receiver: "base" },
      { kind: "calls", name: "make", receiver: "a.b" },
      { kind: "calls", name: "make" },
    ]);
  });

  it("are at most sixty for one unit", async () => {
    const calls = Array.from({ length: 100 }, (_, i) => `  call${i}();`).join("\n");
    const { units: found } = await extract("a.js", `function f() {\n${calls}\n}\n`);
    expect(found[0]?.references).toHaveLength(60);
  });

  it("of a file without grammar are found too", async () => {
    const { units: found } = await extract("a.kt", 'class A : Base() {\n    fun f() = helper("not(this)")\n}\n');
    expect(found[1]?.references).toEqual([{ kind: "calls", name: "helper" }]);
  });
});
