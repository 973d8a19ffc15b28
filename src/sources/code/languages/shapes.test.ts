import { describe, expect, it } from "vitest";
import { extract } from "../../extract.ts";
import { itemsOf } from "../../itemize.ts";
import { memberKind } from "../rules.ts";

/** What is declared; statements between declarations are left out. */
async function units(path: string, text: string): Promise<string[]> {
  const declared = (await extract(path, text)).units.filter(({ kind }) => /^(?!block$)/.test(kind));
  return declared.map((unit) => `${unit.startLine}-${unit.endLine} ${unit.kind} ${unit.qualified}`);
}

async function imports(path: string, text: string): Promise<string[]> {
  return (await extract(path, text)).imports.map(({ module, names }) => `${module}: ${names.join(" ")}`);
}

describe("clauses of one function are one unit", () => {
  it("in Haskell with the signature, and not with another function's", async () => {
    const text = "f :: Int -> Int\n-- zero\nf 0 = 1\nf n = n\n\ng 1 = 2\ng x = f x\n";
    expect(await units("a.hs", text)).toEqual(["1-4 function f", "6-7 function g"]);
  });

  it("in Elixir, each with the attributes above the first", async () => {
    const text =
      'defmodule A do\n  @doc "F."\n  def f(0), do: 1\n  def f(n), do: n\n\n  defp f(a, b), do: a + b\nend\n';
    expect(await units("a.ex", text)).toEqual(["1-7 module A", "2-4 function A.f", "6-6 function A.f"]);
    expect(await units("a.ex", "defmodule A do\n  @behaviour B\n  @impl true\n  def f(0), do: 1\nend\n")).toEqual([
      "1-5 module A",
      "3-4 function A.f",
    ]);
    expect((await extract("a.ex", text)).units[1]?.doc).toBe("F.");
  });
});

it("takes Haskell's properties and trees of tests for tests, whatever their file", async () => {
  const text =
    'prop_sorted :: [Int] -> Bool\nprop_sorted xs = sort xs == xs\n\nspec :: Spec\nspec = do\n  describe "a" $ do\n    it "b" $ x\n\ntests = testGroup "all" [one]\n\ndescribe :: String -> SpecWith a -> SpecWith a\ndescribe label inner = inner\n\nproperly = 1\n';
  const { units: extracted } = await extract("a.hs", text);
  expect(extracted.map(({ name, test }) => `${name}${test ? " test" : ""}`)).toEqual([
    "prop_sorted test",
    "spec test",
    "tests test",
    "describe",
    "properly",
  ]);
});

it("finds Teal's records, enumerations and functions", async () => {
  const text =
    'local util = require("shop.util")\n\n-- A basket.\nlocal record Basket\n   total: function(Basket): number\nend\n\nlocal enum Mode\n   "fast"\nend\n\nfunction Basket.new(items: {string}): Basket\n   for _, x in ipairs(items) do\n      print(x)\n   end\n   return items\nend\n';
  expect(await units("a.tl", text)).toEqual(["3-6 class Basket", "8-10 enum Mode", "12-17 function Basket.new"]);
  expect(await imports("a.tl", text)).toEqual(["shop.util: util"]);
});

describe("docs stand where the language writes them", () => {
  it("as a string above in Julia, macros between", async () => {
    const { units: extracted } = await extract("a.jl", '"Adds."\n@inline function add(a, b)\n    a + b\nend\n');
    expect(extracted.map(({ startLine, endLine, doc }) => [startLine, endLine, doc])).toEqual([[1, 4, "Adds."]]);
  });

  it("below in OCaml, unless they are about what follows", async () => {
    const { units: extracted } = await extract(
      "a.mli",
      "val a : int\n(** A. *)\n\nval b : int\n(** C. *)\nval c : int\n",
    );
    expect(extracted.map(({ name, startLine, endLine, doc }) => `${name} ${startLine}-${endLine} ${doc}`)).toEqual([
      "a 1-2 A.",
      "b 4-4 undefined",
      "c 5-6 C.",
    ]);
  });
});

it("finds accessors of Ruby in modules too, and those of ActiveSupport", async () => {
  const text =
    "module Shop\n  class << self\n    # Where shops are.\n    attr_accessor :paths, :cache\n  end\n  mattr_accessor :strict, default: true\nend\nattr_accessor :nowhere\n";
  expect(await units("a.rb", text)).toEqual([
    "1-7 module Shop",
    "3-4 field Shop.paths",
    "3-4 field Shop.cache",
    "6-6 field Shop.strict",
  ]);
});

describe("tests of C++ written as macros", () => {
  it("are units, named after the macro and its text, and so are their longer sections", async () => {
    const text =
      'TEST_CASE("reads lines", "[file]")\n{\n  open();\n  SECTION("of an empty file") {\n    a();\n    b();\n    (void)(0);\n  }\n  SECTION("short") { c(); }\n}\n\nTEST_CASE_METHOD(Fixture, "writes") { d(); }\nTEST(Suite, Adds) { e(); }\n';
    expect(await units("a.cc", text)).toEqual([
      "1-10 function TEST_CASE reads lines",
      "4-8 function TEST_CASE reads lines.SECTION of an empty file",
      "12-12 function TEST_CASE_METHOD writes",
      "13-13 method Suite.Adds",
    ]);
    const tests = (await extract("a.cc", text)).units.filter(({ test }) => test).map(({ name }) => name);
    expect(tests).toEqual(["TEST_CASE reads lines", "TEST_CASE_METHOD writes", "Adds"]);
  });
});

it("names extension functions in Kotlin by the type they extend, or by the bound of a type parameter", async () => {
  const text =
    "fun <T : Command<T>> T.complete() = 1\nfun <T> T.also() = 1\nfun <T : Any> List<T>.price() = 1\nfun (Int.() -> Unit).twice() {}\n";
  expect(await units("a.kt", text)).toEqual([
    "1-1 method Command.complete",
    "2-2 function also",
    "3-3 method List.price",
    "4-4 function twice",
  ]);
});

describe("C and C++ with macros that are not expanded", () => {
  it("find what follows a macro alone on its line", async () => {
    const text =
      "/*\nnot code\n*/\nLIB_BEGIN_NAMESPACE\nnamespace detail\n{\ntemplate<typename T>\nclass lexer\n{\n  LIB_OBJECT\n  public:\n    LIB_NONNULL(1)\n    int next();\n    using token_type = int;\n};\n}\nLIB_END_NAMESPACE\n";
    expect(await units("a.hpp", text)).toEqual([
      "5-16 module detail",
      "7-15 class detail.lexer",
      "13-13 method detail.lexer.next",
      "14-14 field detail.lexer.token_type",
    ]);
  });

  it("keep macros that are enumerators, or heads of functions", async () => {
    expect(await units("a.c", "enum mode {\n  MODE_A,\n  MODE_B\n};\nTEST_CASE(run)\n{\n  f();\n}\n")).toEqual([
      "1-4 enum mode",
      "2-2 field mode.MODE_A",
      "3-3 field mode.MODE_B",
      "5-8 function run",
    ]);
  });

  it("keep a definition of several lines whole, comments inside and all", async () => {
    const text =
      "#define CODEC(ACTION)   \\\n  /* requests */        \\\n  ACTION(GET)           \\\n  /* two \\\n     lines */           \\\n  ACTION(SET)\n\nint after(void);\n";
    expect(await units("a.h", text)).toEqual(["1-6 function CODEC", "8-8 function after"]);
    const { units: extracted } = await extract("a.h", text);
    expect(extracted[0]?.own.code).toContain("ACTION(SET)");
  });

  it("have the whole head of a prototype, however many lines its parameters take", async () => {
    const text = "int open_all(\n    int a,\n    int b,\n    int c,\n    int d,\n    int e);\n";
    expect((await extract("a.h", text)).units[0]?.signature).toBe(text.trimEnd());
  });

  it("find a class, a pointer and a variable with macros before their names", async () => {
    const text =
      "class LIB_API Reader : public ::lib::Base { int at; };\nLIB_API int (*lib_call)(int) LIB_ATTR;\nLIB_EXTERN lib_t* lib_open(const char* path);\n";
    expect(await units("a.cc", text)).toEqual([
      "1-1 class Reader",
      "1-1 field Reader.at",
      "2-2 field lib_call",
      "3-3 function lib_open",
    ]);
    expect(await units("a.c", "static atomicvar size_t freed = 0;\n")).toEqual(["1-1 field freed"]);
  });

  it("find structures that end with a macro, and what follows a definition with comments in it", async () => {
    const text =
      "#define LIB_FIELDS \\\n  /* public */ \\\n  void* data; \\\n  LIB_PRIVATE\n\n/* The base of all. */\nstruct base {\n  LIB_FIELDS\n};\nLIB_API int base_open(struct base* it);\nenum { LIB_A,\n  LIB_B\n};\n";
    expect((await units("a.h", text)).filter((unit) => !/ block /.test(unit))).toEqual([
      "1-4 constant LIB_FIELDS",
      "6-9 class base",
      "10-10 function base_open",
      "11-11 field LIB_A",
      "12-12 field LIB_B",
    ]);
  });

  it("keep the comment of a prototype above a macro, and the name behind a calling convention", async () => {
    const text =
      "/** Opens it. */\nLIB_ATTRIBUTE(1)\nint lib_open(int mode);\ntypedef struct hooks {\n  void *(LIB_CALL *allocate)(int size);\n} hooks;\n";
    expect(await units("a.h", text)).toEqual(["1-3 function lib_open", "4-6 class hooks", "5-5 field hooks.allocate"]);
  });

  it("find what attributes of Clang and of calling conventions stand behind or before", async () => {
    const text =
      "class Store {\n  int run(int mode)\n      EXCLUSIVE_LOCKS_REQUIRED(lock_);\n  int count_ GUARDED_BY(lock_) = 0;\n  LIB_ITERATOR(int);\n};\nint LIB_CALL main(void) { return 0; }\nstatic LIB_BOOL is_open(int a) { return a; }\n";
    expect(await units("a.cc", text)).toEqual([
      "1-6 class Store",
      "2-3 method Store.run",
      "4-4 field Store.count_",
      "7-7 function main",
      "8-8 function is_open",
    ]);
  });

  it("find members of structures in structures and of variables, and macros among members", async () => {
    const text =
      "static struct config {\n  int port;\n} config;\nstruct pane {\n#define PANE_DEAD 0x1\n  union {\n    int fd;\n  } of;\n};\ntypedef struct node_s { int id; } node_t;\n";
    expect(await units("a.c", text)).toEqual([
      "1-3 class config",
      "2-2 field config.port",
      "4-9 class pane",
      "5-5 constant pane.PANE_DEAD",
      "6-8 field pane.of",
      "7-7 field pane.of.fd",
      "10-10 class node_t",
      "10-10 class node_s",
      "10-10 field node_t.id",
    ]);
  });

  it("read on where a condition stands in the middle of a declaration", async () => {
    const text =
      "class Limiter {\n public:\n  Limiter(int n)\n      :\n#if !defined(NDEBUG)\n        most_(n),\n#endif\n        left_(n) {}\n  int left_;\n};\nint after();\n";
    expect(await units("a.cc", text)).toEqual([
      "1-10 class Limiter",
      "3-8 method Limiter.Limiter",
      "9-9 field Limiter.left_",
      "11-11 function after",
    ]);
  });

  it.each([
    ["what both branches open", "#ifdef A\n  if (b) {\n#else\n  if (c) {\n#endif\n    d();\n  }"],
    ["what one condition opens and another closes", "#ifdef A\n  if (b) {\n#endif\n    d();\n#ifdef A\n  }\n#endif"],
    ["an `else` whose statement follows", "#ifdef A\n  if (b)\n    c();\n  else\n#endif\n    d();"],
    ["a branch of a chain", "  if (b) {\n    c();\n#ifdef A\n  } else if (e) {\n    f();\n#endif\n  }"],
    ["strings that are joined", '  print("a"\n#ifdef A\n    "b http://c"\n#else\n    "d"\n#endif\n    "e");'],
    ["the middle of an assignment", "#if A >= 2 && \\\n  B\n  int b; b =\n#endif\n    c();"],
  ])("find the function around a condition that splits %s, and the next", async (_, body) => {
    const text = `#ifdef HAVE_A\nint first(void)\n{\n${body}\n}\n\nint second(void)\n{\n  return 1;\n}\n#else\nint other(void) { return 2; }\n#endif\n`;
    const end = 4 + body.split("\n").length;
    expect(await units("a.c", text)).toEqual([
      `2-${end} function first`,
      `${end + 2}-${end + 5} function second`,
      `${end + 7}-${end + 7} function other`,
    ]);
  });

  it("keep what conditions around whole functions hold, in every branch", async () => {
    const text =
      'TEST_IMPL(a) {\n  b(c || \\\n    d);\n}\n#ifdef __cplusplus\nextern "C" {\n#endif\n#if 0\nint b(void) {\n#else\nint c(void) {\n#endif\n  return 1;\n}\n#ifdef A\nint d(void) { return 1; }\n#else\n#define D 1\nint e(void) { return 1; }\n#endif\n#ifdef __cplusplus\n}\n#endif\n';
    expect(await units("a.c", text)).toEqual([
      "1-4 function a",
      "11-14 function c",
      "16-16 function d",
      "18-18 constant D",
      "19-19 function e",
    ]);
  });

  it("find the class around a label, a block and an expression that the grammar does not know", async () => {
    const text =
      "class Tree {\n  LIB_PRIVATE_UNLESS_TESTED:\n  using string = int;\n public:\n  int read(T& it) {\n    // Reads.\n    LIB_TRY\n    {\n      return it.get(this).template as<int>();\n    }\n    LIB_CATCH (...) {\n      it->operator[](0);\n      push(typename T::value(it.first()));\n    }\n  }\n  int next();\n};\nLIB_INLINE Tree::Tree(int a) {}\nvoid printflike(1, 2)\nlog_it(const char *text, ...)\n{\n}\n";
    expect(await units("a.cc", text)).toEqual([
      "1-17 class Tree",
      "3-3 field Tree.string",
      "5-15 method Tree.read",
      "16-16 method Tree.next",
      "18-18 method Tree.Tree",
      "19-22 function log_it",
    ]);
  });

  it("read a function after one with a calling convention, and conditions that nest without end", async () => {
    const text =
      'extern "C" __declspec(dllimport) int __stdcall IsPresent();\nbool isActive() {\n  return IsPresent();\n}\n';
    expect(await units("a.cc", text)).toEqual(["1-1 function IsPresent", "2-4 function isActive"]);
    const nested = `int f(\n${"#if A\n,\n#else\n(\n".repeat(20_000)}${"#endif\n".repeat(20_000)}`;
    expect((await extract("a.c", nested)).units.length).toBeGreaterThan(0);
  });

  it("find a member of C# whose body is conditional", async () => {
    const text =
      "interface ISink\n{\n    Task Empty()\n#if DEFAULTS\n    {\n        return Done;\n    }\n#else\n    ;\n#endif\n    void Emit();\n}\n";
    expect(await units("a.cs", text)).toEqual([
      "1-12 interface ISink",
      "3-7 method ISink.Empty",
      "11-11 method ISink.Emit",
    ]);
  });
});

describe("what a grammar stumbles over", () => {
  it("is the prose of literate Haskell", async () => {
    expect(await units("a.lhs", "Some prose (here.\n\n> module A where\n>\n> f :: Int -> Int\n> f x = x\n")).toEqual([
      "5-6 function f",
    ]);
    expect(await units("a.lhs", "Prose = is\n\\begin{code}\nf x = x\n\\end{code}\n")).toEqual(["3-3 function f"]);
  });

  it("is a Kotlin constructor on the line after the class's name", async () => {
    const text = "class A\n  @Inject\n  internal constructor(\n    val b: Int,\n  ) {\n  fun c() {}\n}\n";
    expect(await units("a.kt", text)).toEqual(["1-7 class A", `4-4 ${memberKind} A.b`, "6-6 method A.c"]);
  });

  it("are conditions inside a Swift type, whose branches are all read", async () => {
    const text =
      'final class A {\n  #if os(Linux)\n  func b() {}\n  #else\n  func c() {}\n  #error("no")\n  #endif\n  func d() {}\n}\nfunc e() {}\n';
    expect(await units("a.swift", text)).toEqual([
      "1-9 class A",
      "3-3 method A.b",
      "5-5 method A.c",
      "8-8 method A.d",
      "10-10 function e",
    ]);
  });

  it("is nothing in a Swift file because another one was read before it", async () => {
    const text =
      'struct A {\n  let b = #"c"#\n  func d(file: String = #file) {\n    if #available(iOS 10, *) {}\n  }\n}\n';
    const read = [await units("a.swift", text), await units("b.swift", 'let a = #"'), await units("a.swift", text)];
    const whole = ["1-6 class A", `2-2 ${memberKind} A.b`, "3-5 method A.d"];
    expect([read[0], read[2]]).toEqual([whole, whole]);
  });

  it("are macros in Objective-C", async () => {
    const text =
      "NS_ASSUME_NONNULL_BEGIN\n@interface A : NSObject\n@property (copy) NSString *b API_AVAILABLE(ios(10), macos(11));\n- (void)c NS_SWIFT_NAME(c());\n@end\nFOUNDATION_EXPORT NSString *const D;\nNS_ASSUME_NONNULL_END\n";
    expect(await units("a.h", text)).toEqual([
      "2-5 class A",
      `3-3 ${memberKind} A.b`,
      "4-4 method A.c",
      "6-6 constant D",
    ]);
  });
});

it("a Zig function that returns a type is the type, with its members", async () => {
  const text =
    "pub fn List(comptime T: type) type {\n    return struct {\n        a: T,\n        fn b() void {}\n    };\n}\n";
  expect(await units("a.zig", text)).toEqual(["1-6 class List", `3-3 ${memberKind} List.a`, "4-4 method List.b"]);
});

it("a function in a Lua table, assigned or returned, has a name", async () => {
  expect(await units("a.lua", "A.b.c = function() end\nreturn { d = function() end }\n")).toEqual([
    "1-1 method A.b.c",
    "2-2 function d",
  ]);
});

it("bindings joined by `and` are units of their own in OCaml", async () => {
  expect(await units("a.ml", "let rec f x = g x\n\nand g x =\n  f x\n")).toEqual(["1-1 function f", "3-4 function g"]);
});

it("tests written into source files are told apart from the code", async () => {
  const samples = {
    "a.zig": 'fn f() void {}\ntest "f" {}\n',
    "a.ml": 'let f x = x\nlet%test "f" = f true\n',
    "a.jl": 'f() = 1\n@testset "f" begin\n    @test f() == 1\nend\n',
  };
  for (const [path, text] of Object.entries(samples)) {
    const items = itemsOf(path, await extract(path, text), text.split("\n"), 0);
    expect([path, ...items.map(({ test }) => test)]).toEqual([path, undefined, undefined, true]);
  }
});

it("a class above and what is only promised are told apart where the syntax does", async () => {
  expect(await heritage("a.kt", "class A : Base(), Shop, Named by x\ninterface B : Shop\nobject C : Shop")).toEqual([
    "A extends Base, implements Shop, implements Named",
    "B extends Shop",
    "C implements Shop",
  ]);
  expect(
    await heritage("a.scala", "class A extends Base(1) with Shop with Named\nenum B { case C extends B(1) }"),
  ).toEqual(["A extends Base, implements Shop, implements Named"]);
  expect(await heritage("a.swift", "class A: Base, Shop {}\nstruct B: Shop {}\nprotocol C: Shop {}")).toEqual([
    "A extends Base, implements Shop",
    "B implements Shop",
    "C extends Shop",
  ]);
  expect(await heritage("a.jl", "struct A{T<:Real} <: Base{T}\n    x::T\nend\n")).toEqual(["A extends Base"]);
});

it("declarations of a Haskell file are not one block around all of them", async () => {
  const { units } = await extract("a.hs", "module A where\n\nimport B\n\na = f 1\n\ninfixl 6 <+>\n\nb = f 2\n");
  expect(units.filter(({ kind }) => kind === "block").map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 1],
    [7, 7],
  ]);
});

it("imports bring the names they say", async () => {
  expect(await imports("a.kt", "import a.b.C\nimport d.E as F\nimport g.*\n")).toEqual([
    "a.b.C: C",
    "d.E: F",
    "g.*: *",
  ]);
  expect(await imports("a.scala", "import a.b.{C, D => E}, f.G\nimport h.*\nimport i._\n")).toEqual([
    "a.b: C E",
    "f.G: G",
    "h.*: *",
    "i.*: *",
  ]);
  expect(await imports("a.lua", 'local a, b = require("c.d")\nrequire "e"\n')).toEqual(["c.d: a b", "e: "]);
  expect(await imports("a.ex", "alias A.{B, C.D}\nimport E, only: [f: 1, g?: 2]\n")).toEqual([
    "A.B: B",
    "A.C.D: D",
    "E: f g?",
  ]);
  expect(await imports("a.hs", "import A.B (c, D(..))\nimport qualified E as F\nimport G hiding (h)\n")).toEqual([
    "A.B: c D",
    "E: F",
    "G: G",
  ]);
  expect(await imports("a.zig", 'const a = @import("b.zig");\nconst c = @import("d").e;\n')).toEqual([
    "b.zig: a",
    "d: c",
  ]);
  expect(await imports("a.ml", "open A.B\ninclude C\n")).toEqual(["A.B: *", "C: *"]);
  expect(await imports("a.jl", 'using A: b, c\nimport D.E\nimport F as G\ninclude("h.jl")\n')).toEqual([
    "A: b c",
    "D.E: E",
    "F: G",
    "./h.jl: ",
  ]);
});

async function heritage(path: string, text: string): Promise<string[]> {
  const { units } = await extract(path, text);
  return units.flatMap(({ name, references }) => {
    const above = references.filter(({ kind }) => kind === "extends" || kind === "implements");
    return above.length === 0 ? [] : [`${name} ${above.map((each) => `${each.kind} ${each.name}`).join(", ")}`];
  });
}
