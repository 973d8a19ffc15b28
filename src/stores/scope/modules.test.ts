import { describe, expect, it } from "vitest";
import { arrangePaths, importNames, lastPart, resolveModule } from "./modules.ts";

describe("resolveModule", () => {
  const resolve = (name: string, from: string, paths: string[]) =>
    resolveModule(name, from, arrangePaths([...paths, from]));

  it("finds relative files of JavaScript and TypeScript, with or without extension", () => {
    const paths = ["src/a.ts", "src/util/index.ts", "src/view.tsx", "src/a.css", "lib/a.ts"];
    expect(resolve("./a.js", "src/main.ts", paths)).toEqual(["src/a.ts", "src/a.css"]);
    expect(resolve("./a", "src/main.ts", paths)[0]).toBe("src/a.ts");
    expect(resolve("./util", "src/main.ts", paths)).toEqual(["src/util/index.ts"]);
    expect(resolve("../view", "src/deep/main.ts", paths)).toEqual(["src/view.tsx"]);
    expect(resolve("..", "src/util/other.ts", ["src/index.ts"])).toEqual(["src/index.ts"]);
    expect(resolve("./missing", "src/main.ts", paths)).toEqual([]);
  });

  it("does not take a package for a file of the same name", () => {
    expect(resolve("react", "src/main.ts", ["src/react.ts"])).toEqual([]);
    expect(resolve("node:fs", "src/main.ts", ["src/fs.ts"])).toEqual([]);
    expect(resolve("@/util/dates", "src/main.ts", ["src/util/dates.ts"])).toEqual(["src/util/dates.ts"]);
  });

  it("finds Python modules: dotted, in a source root, relative, names inside", () => {
    const paths = [
      "django/db/models/__init__.py",
      "django/db/models/query.py",
      "django/db/__init__.py",
      "src/pkg/core.py",
    ];
    expect(resolve("django.db.models.query", "x/y.py", paths)).toEqual(["django/db/models/query.py"]);
    expect(resolve("django.db.models", "x/y.py", paths)).toEqual(["django/db/models/__init__.py"]);
    expect(resolve("django.db.models.query.QuerySet", "x/y.py", paths)).toEqual(["django/db/models/query.py"]);
    expect(resolve("pkg.core", "x/y.py", paths)).toEqual(["src/pkg/core.py"]);
    expect(resolve(".query", "django/db/models/base.py", paths)).toEqual(["django/db/models/query.py"]);
    expect(resolve("..models", "django/db/backends/base.py", paths)).toEqual(["django/db/models/__init__.py"]);
    expect(resolve(".", "django/db/models/base.py", paths)).toEqual(["django/db/models/__init__.py"]);
    expect(resolve("json", "x/y.py", ["a/json.py"])).toEqual([]);
    expect(resolve("helper", "x/y.py", ["x/helper.py", "z/helper.py"])).toEqual(["x/helper.py"]);
  });

  it("takes a library for a file of the same name only where that file can be imported so", () => {
    const paths = arrangePaths(["shop/__init__.py", "shop/client.py", "shop/http.py", "tools/run.py", "tools/http.py"]);
    expect(resolveModule("http", "shop/client.py", paths)).toEqual([]);
    expect(resolveModule(".http", "shop/client.py", paths)).toEqual(["shop/http.py"]);
    expect(resolveModule("http", "tools/run.py", paths)).toEqual(["tools/http.py"]);
  });

  it("finds Go packages by folder, not the standard library", () => {
    const paths = ["binding/form.go", "binding/json.go", "internal/bytes/a.go", "gin.go"];
    expect(resolve("github.com/gin-gonic/gin/binding", "context.go", paths)).toEqual([
      "binding/form.go",
      "binding/json.go",
    ]);
    expect(resolve("myapp/internal/bytes", "main.go", paths)).toEqual(["internal/bytes/a.go"]);
    expect(resolve("net/http", "main.go", paths)).toEqual([]);
    expect(resolve("github.com/pkg/errors", "main.go", paths)).toEqual([]);
  });

  it("finds Rust modules from the crate, the parent and the module itself", () => {
    const paths = ["core/src/lib.rs", "core/src/store/mod.rs", "core/src/store/page.rs"];
    expect(resolve("crate::store::page::Page", "core/src/lib.rs", paths)).toEqual(["core/src/store/page.rs"]);
    expect(resolve("super::page", "core/src/store/cache.rs", paths)).toEqual(["core/src/store/page.rs"]);
    expect(resolve("self::page", "core/src/store/mod.rs", paths)).toEqual(["core/src/store/page.rs"]);
  });

  it("finds Java and PHP classes, Ruby files and C headers", () => {
    expect(resolve("com.shop.pay.Gateway", "a/B.java", ["src/main/java/com/shop/pay/Gateway.java"])).toHaveLength(1);
    expect(
      resolve("com.shop.pay.*", "a/B.java", ["java/com/shop/pay/A.java", "java/com/shop/pay/B.java"]),
    ).toHaveLength(2);
    expect(resolve("App\\Models\\User", "x.php", ["app/Models/User.php"])).toEqual(["app/Models/User.php"]);
    expect(resolve("shop/basket", "x.rb", ["lib/shop/basket.rb"])).toEqual(["lib/shop/basket.rb"]);
    expect(resolve("util.h", "src/a.c", ["include/util.h"])).toEqual(["include/util.h"]);
    expect(resolve("net/util.h", "src/a.c", ["include/net/util.h", "other/util.h"])).toEqual(["include/net/util.h"]);
  });

  it("puts the nearest first, and never the file itself", () => {
    expect(resolve("pkg.core", "b/x.py", ["a/pkg/core.py", "b/pkg/core.py"])[0]).toBe("b/pkg/core.py");
    expect(resolve("./a", "src/a.ts", [])).toEqual([]);
  });

  it("survives names that are no modules", () => {
    for (const name of ["", "/", "...", "::", "\\", "*", "@", "a".repeat(10_000), "../../../../x"]) {
      expect(resolve(name, "src/a.ts", ["src/b.ts"])).toEqual([]);
    }
  });
});

describe("lastPart", () => {
  it("is the name that a link is looked up by", () => {
    const parts = [
      "a.b.c",
      "a::b",
      "self.send",
      "./x/y.js",
      "../base",
      ".models",
      "com/x/Page.h",
      "obj->run",
      "Foo#bar",
      "plain",
      "..",
    ];
    expect(parts.map(lastPart)).toEqual(["c", "b", "send", "y", "base", "models", "Page", "run", "bar", "plain", ".."]);
  });

  it("is among the names under which imports of the file are stored", () => {
    for (const [module, path] of [
      ["./x/y.js", "x/y.ts"],
      ["a.b", "a/b.py"],
      ["a.b", "a/b/__init__.py"],
      ["host/o/r/pkg", "pkg/f.go"],
      ["..", "index.ts"],
    ] as const) {
      expect(importNames(path)).toContain(lastPart(module));
    }
  });
});
