import { expect, it } from "vitest";
import type { IndexedFile, Store } from "../store.ts";
import { calledFrom, calls, go, method, ts, unit } from "./scope.samples.ts";
import { idOf, type SampleUnit, sampleFile } from "./store.samples.ts";

/** What a name must mean to every engine: only what scope, an import, a type or its being the only one makes sure. */
export function scopeCases(store: () => Store): void {
  const write = (...files: IndexedFile[]) => store().write("me", { files, removed: [] });
  const called = calledFrom(store);

  it("links a name to what is in the same file, not to what is elsewhere", async () => {
    await write(sampleFile("a.py", [calls("caller", "helper"), unit("helper")]), sampleFile("b.py", [unit("helper")]));
    expect(await called("a.py")).toEqual(["a.py::helper"]);
  });

  it("does not link a plain call to a method where a method needs its object", async () => {
    const files = (path: string, language: string) =>
      sampleFile(path, [unit("Shop", "class"), method("Shop", "open"), calls("caller", "open")], { language });
    await write(files("a.py", "python"), files("a.ts", "typescript"), files("a.go", "go"));
    for (const path of ["a.py", "a.ts", "a.go"]) expect(await called(path)).toEqual([]);
  });

  it("links a plain call inside a class to its method where the language does, its own or an inherited one", async () => {
    await write(
      sampleFile("shop/Base.java", [unit("Base", "class"), method("Base", "close")], { language: "java" }),
      sampleFile(
        "shop/Shop.java",
        [
          { ...unit("Shop", "class"), links: [["extends", "Base"]] },
          method("Shop", "open", "close", "lock"),
          method("Shop", "lock"),
        ],
        { language: "java" },
      ),
      sampleFile("other/Door.java", [unit("Door", "class"), method("Door", "close")], { language: "java" }),
    );
    expect(await called("shop/Shop.java", "Shop.open")).toEqual([
      "shop/Base.java::Base.close",
      "shop/Shop.java::Shop.lock",
    ]);
  });

  it("links a bare name in Ruby to a module's function where the module is mixed in, not where it is only required", async () => {
    const ruby = { language: "ruby" };
    const util = (name: string) => ({ ...unit("store"), inside: name });
    await write(
      sampleFile("stat.rb", [unit("Stat", "module"), util("Stat")], ruby),
      sampleFile("disk.rb", [unit("Disk", "module"), util("Disk")], ruby),
      sampleFile("a.rb", [unit("A", "class"), method("A", "go", "store")], { ...ruby, imports: ["stat"] }),
      sampleFile("b.rb", [{ ...unit("B", "class"), links: [["extends", "Disk"]] }, method("B", "go", "store")], {
        ...ruby,
        imports: ["stat"],
      }),
    );
    expect(await called("a.rb", "A.go")).toEqual([]);
    expect(await called("b.rb", "B.go")).toEqual(["disk.rb::Disk.store"]);
  });

  it("links a call on a type, or one of unknown type, to Kotlin's extension functions wherever they are", async () => {
    const kotlin = (...imports: [string, string][]) => ({ language: "kotlin", imports });
    const extended = (path: string, type: string, name: string) => ({
      ...unit(name, "method"),
      item: { qualifiedName: `${path}::${type}.${name}` },
    });
    await write(
      sampleFile("core/Cli.kt", [unit("Cli", "class"), unit("Context", "class")], kotlin()),
      sampleFile("ext/fail.kt", [extended("ext/fail.kt", "Context", "fail")], kotlin()),
      sampleFile("ext/number.kt", [extended("ext/number.kt", "Raw", "int")], kotlin()),
      sampleFile(
        "app/Main.kt",
        [calls("typed", ":Context.fail"), calls("chained", "?.int")],
        kotlin(["core.Context", "Context"], ["ext.int", "int"]),
      ),
      sampleFile("app/Other.kt", [calls("chained", "?.int")], kotlin()),
    );
    expect(await called("app/Main.kt", "typed")).toEqual(["ext/fail.kt::Context.fail"]);
    expect(await called("app/Main.kt", "chained")).toEqual(["ext/number.kt::Raw.int"]);
    expect(await called("app/Other.kt", "chained")).toEqual([]);
  });

  it("ends where the path of a supertype has the name of the type itself", async () => {
    // Guzzle has such classes: to know what Cookie is in `Shop\\Cookie\\Base`, the supertypes of Cookie were looked up
    // again.
    const php = { language: "php" };
    await write(
      sampleFile("src/Base.php", [unit("Base", "class"), method("Base", "load")], php),
      sampleFile(
        "src/Cookie.php",
        [
          { ...unit("Cookie", "class"), links: [["extends", "Shop.Cookie.Base"]] },
          method("Cookie", "open", "self.load"),
        ],
        php,
      ),
    );
    expect(await called("src/Cookie.php", "Cookie.open")).toEqual([]);
    expect(await called("src/Cookie.php", "Cookie", ["extends"])).toEqual([]);
  });

  it("links an imported name to the module it comes from, through files that hand it on", async () => {
    await write(
      sampleFile("shop/__init__.py", [], { imports: [[".till", "pay"]] }),
      sampleFile("shop/till.py", [unit("pay")]),
      sampleFile("bank/till.py", [unit("pay")]),
      sampleFile("a.py", [calls("caller", "pay")], { imports: [["shop", "pay"]] }),
      sampleFile("b.py", [calls("caller", "pay")], { imports: [["bank.till", "pay"]] }),
      sampleFile("c.py", [calls("caller", "pay")]),
    );
    expect(await called("a.py")).toEqual(["shop/till.py::pay"]);
    expect(await called("b.py")).toEqual(["bank/till.py::pay"]);
    expect(await called("c.py")).toEqual([]);
  });

  it("links a member of an imported module or type, and nothing where the import is a library", async () => {
    await write(
      sampleFile("web/till.ts", [unit("pay"), unit("Till", "class"), method("Till", "closeNow")], ts),
      sampleFile("web/other.ts", [unit("pay"), unit("Till", "class"), method("Till", "closeNow")], ts),
      sampleFile("web/a.ts", [calls("caller", "till.pay", "Till.closeNow")], {
        ...ts,
        imports: [["./till.ts", "till", "Till"]],
      }),
      sampleFile("web/b.ts", [calls("caller", "lib.processEverything")], { ...ts, imports: [["lib", "lib"]] }),
      sampleFile("web/c.ts", [unit("Big", "class"), method("Big", "processEverything")], ts),
    );
    expect(await called("web/a.ts")).toEqual(["web/till.ts::Till.closeNow", "web/till.ts::pay"]);
    expect(await called("web/b.ts")).toEqual([]);
  });

  it("links what an import brings under another name", async () => {
    await write(
      sampleFile("bank.py", [unit("Gateway", "class")]),
      sampleFile("a.py", [unit("Gateway", "class"), calls("caller", "=Bank.Gateway", "Gateway")], {
        imports: [["bank", "Bank"]],
      }),
    );
    expect(await called("a.py")).toEqual(["a.py::Gateway", "bank.py::Gateway"]);
  });

  it("links self and this to the class around, then to what it extends, super only to that", async () => {
    const classes = (path: string, name: string, base: string, ...members: SampleUnit[]) =>
      sampleFile(path, [{ ...unit(name, "class"), links: [["extends", base]] }, ...members], {
        imports: [["base", "Base", "Root"]],
      });
    await write(
      sampleFile("base.py", [
        unit("Root", "class"),
        method("Root", "log"),
        { ...unit("Base", "class"), links: [["extends", "Root"]] },
        method("Base", "save"),
        method("Base", "log"),
      ]),
      classes(
        "shop.py",
        "Shop",
        "Base",
        method("Shop", "run", "self.log", "super.save", "self.send"),
        method("Shop", "save"),
      ),
      sampleFile("mail.py", [unit("Mail", "class"), method("Mail", "send"), method("Mail", "log")]),
    );
    expect(await called("shop.py", "Shop.run")).toEqual(["base.py::Base.log", "base.py::Base.save"]);
  });

  it("takes a word for the own object or the parent class only where the language does", async () => {
    const shop = (language: string, call: string) => {
      const path = `${language}/shop.x`;
      const base = { ...unit("Base", "class"), item: { language } };
      const units = [
        base,
        method("Base", "save"),
        { ...unit("Shop", "class"), links: [["extends", "Base"]] } satisfies SampleUnit,
        method("Shop", "save"),
        method("Shop", "run", call),
      ];
      return sampleFile(path, units, { language });
    };
    const files = [
      ["go", "base.save", []],
      ["java", "parent.save", []],
      ["java", "super.save", ["Base.save"]],
      ["java", "cls.save", []],
      ["csharp", "base.save", ["Base.save"]],
      ["csharp", "parent.save", []],
      ["php", "parent.save", ["Base.save"]],
      ["php", "static.save", ["Shop.save"]],
      ["rust", "super.save", []],
      ["python", "super.save", ["Base.save"]],
      ["python", "this.save", []],
    ] as const;
    for (const [language, call, expected] of files) {
      await write(shop(language, call));
      const path = `${language}/shop.x`;
      expect([language, call, ...(await called(path, "Shop.run"))]).toEqual([
        language,
        call,
        ...expected.map((name) => `${path}::${name}`),
      ]);
    }
  });

  it("links a member of a package that is called like another language's word for the parent class", async () => {
    await write(
      sampleFile("go.mod", [], { language: "go" }),
      sampleFile("internal/base/base.go", [unit("DecodeMessage")], go),
      sampleFile("rdb/rdb.go", [calls("caller", "base.DecodeMessage")], {
        ...go,
        imports: [["example.org/me/it/internal/base", "base"]],
      }),
    );
    expect(await called("rdb/rdb.go")).toEqual(["internal/base/base.go::DecodeMessage"]);
  });

  it("ends when classes extend each other", async () => {
    await write(
      sampleFile("a.py", [
        { ...unit("A", "class"), links: [["extends", "B"]] },
        { ...unit("B", "class"), links: [["extends", "A"]] },
        method("A", "run", "self.missing"),
      ]),
    );
    expect(await called("a.py", "A.run")).toEqual([]);
  });

  it("links what is called on a variable whose type is declared, and nothing where that type is no item", async () => {
    await write(
      sampleFile(
        "tree.go",
        [unit("node", "class"), method("node", "get"), unit("leaf", "class"), method("leaf", "get")],
        go,
      ),
      sampleFile("use.go", [calls("caller", ":node.get"), calls("other", ":string.get")], go),
      sampleFile("pkg/use.go", [calls("caller", ":tree.node.get")], { ...go, imports: [["fmt", "tree"]] }),
    );
    expect(await called("use.go")).toEqual(["tree.go::node.get"]);
    expect(await called("use.go", "other")).toEqual([]);
    expect(await called("pkg/use.go")).toEqual([]);
  });

  it("links names of one package in Go and Java without an import", async () => {
    await write(
      sampleFile("a/one.go", [calls("caller", "helper")], go),
      sampleFile("a/two.go", [unit("helper")], go),
      sampleFile("b/two.go", [unit("helper")], go),
      sampleFile("c/three.go", [calls("caller", "a.helper")], { ...go, imports: [["example.org/me/it/a", "a"]] }),
    );
    expect(await called("a/one.go")).toEqual(["a/two.go::helper"]);
    expect(await called("c/three.go")).toEqual(["a/two.go::helper"]);
  });

  it("links Outer.inner where it is written out and there is one", async () => {
    await write(
      sampleFile("b/tool.py", [unit("Tool", "class"), method("Tool", "run")]),
      sampleFile("c/four.py", [calls("caller", "Tool.run", "Missing.run")]),
      sampleFile("d/five.py", [unit("run")]),
    );
    expect(await called("c/four.py")).toEqual(["b/tool.py::Tool.run"]);
  });

  it("links a name that the workspace defines once, tests apart, and none that it defines twice", async () => {
    await write(
      sampleFile("a/caller.py", [calls("caller", "processPayment", "processRefund")]),
      sampleFile("b/one.py", [unit("processPayment"), unit("processRefund")]),
      sampleFile("c/two.py", [unit("processRefund")]),
      sampleFile("tests/test_it.py", [{ ...unit("processPayment"), item: { test: true } }]),
    );
    expect(await called("a/caller.py")).toEqual(["b/one.py::processPayment"]);
  });

  it("tells what names in an item mean by the same rules, fields and constants of a group among them", async () => {
    const field = (of: string, name: string): SampleUnit => ({ ...unit(name, "field"), inside: of });
    await write(
      sampleFile(
        "shop.py",
        [unit("Shop", "class"), field("Shop", "LIMIT"), method("Shop", "run"), unit("MOST", "constant")],
        {
          imports: [["rules", "BOUND"]],
        },
      ),
      sampleFile("rules.py", [unit("BOUND", "constant"), unit("Other", "class"), field("Other", "LIMIT")]),
      sampleFile("other.py", [unit("MOST", "constant"), unit("BOUND", "constant"), unit("TWICE", "constant")]),
      sampleFile("more.py", [unit("TWICE", "constant")]),
      sampleFile("a/one.go", [unit("caller")], go),
      sampleFile("a/two.go", [unit("group", "block"), { ...unit("largest", "constant"), inside: "group" }], go),
    );
    const meant = async (path: string, unit: string, ...names: string[]) => {
      const meanings = await store().meanings("me", idOf(path, unit), names);
      const items = await store().items("me", [...meanings.values()].flat());
      return items.map(({ qualifiedName }) => qualifiedName);
    };
    expect(await meant("shop.py", "Shop.run", "self.LIMIT", "MOST", "BOUND", "TWICE", "missing")).toEqual([
      "shop.py::Shop.LIMIT",
      "shop.py::MOST",
      "rules.py::BOUND",
    ]);
    expect(await meant("a/one.go", "caller", "largest")).toEqual(["a/two.go::group.largest"]);
    expect(await store().meanings("someone else", idOf("shop.py", "Shop.run"), ["MOST"])).toEqual(new Map());
  });

  it("links a call on an unknown receiver only by a name that is distinctive and no builtin's", async () => {
    await write(
      sampleFile("a.py", [calls("caller", "x.get", "x.append", "?.settleAccount", "x.y.settleAccount", "x.balance")]),
      sampleFile("bank.py", [
        unit("Bank", "class"),
        method("Bank", "get"),
        method("Bank", "append"),
        method("Bank", "settleAccount"),
        unit("balance"),
      ]),
    );
    expect(await called("a.py")).toEqual(["bank.py::Bank.settleAccount"]);
  });

  it("does not link across languages, nor from product code into tests", async () => {
    await write(
      sampleFile("a.py", [calls("caller", "processPayment", "processRefund")]),
      sampleFile("b.ts", [unit("processPayment")], ts),
      sampleFile("tests/test_it.py", [{ ...unit("processRefund"), item: { test: true } }]),
    );
    expect(await called("a.py")).toEqual([]);
  });

  it("links a test to what it is named after in the files it imports", async () => {
    await write(
      sampleFile("shop.py", [unit("Gateway", "class"), method("Gateway", "charge")]),
      sampleFile("other.py", [unit("charge")]),
      sampleFile(
        "tests/test_shop.py",
        [{ ...unit("test_charge"), links: [["tests", "charge"]], item: { test: true } }],
        {
          imports: [["shop", "Gateway"]],
        },
      ),
    );
    expect(await called("tests/test_shop.py", "test_charge", ["tests"])).toEqual(["shop.py::Gateway.charge"]);
  });
}
