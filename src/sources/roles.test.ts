import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Role } from "../item.ts";
import { rolesOf } from "./roles.ts";

/** Paths that have a role, by role; what is not named has none. */
function byRole(paths: string): Partial<Record<Role, string[]>> {
  const result: Partial<Record<Role, string[]>> = {};
  for (const [path, role] of rolesOf(paths.trim().split(/\s+/))) (result[role] ??= []).push(path);
  return result;
}

test("express: lib is the source, examples are examples, History.md tells of changes", () => {
  const roles = byRole(`
    History.md Readme.md index.js package.json lib/application.js lib/express.js lib/request.js lib/response.js
    examples/auth/index.js examples/mvc/index.js examples/README.md test/app.js benchmarks/run.js`);
  expect(roles).toEqual({
    changelog: ["History.md"],
    example: ["examples/README.md", "examples/auth/index.js", "examples/mvc/index.js"],
    benchmark: ["benchmarks/run.js"],
  });
});

test("luarocks: the Lua beside a source in Teal is written by Teal's compiler", () => {
  expect(byRole("src/luarocks/fetch.tl src/luarocks/fetch.lua src/luarocks/loader.lua spec/fetch_spec.lua")).toEqual({
    generated: ["src/luarocks/fetch.lua"],
  });
});

test("ripgrep: crates are the source, also their own folders of examples and benches", () => {
  const roles = byRole(`
    CHANGELOG.md GUIDE.md Cargo.toml build.rs crates/core/main.rs crates/ignore/src/walk.rs crates/ignore/examples/walk.rs
    crates/globset/benches/bench.rs benchsuite/runner.py tests/regression.rs`);
  expect(roles).toEqual({
    changelog: ["CHANGELOG.md"],
    example: ["crates/ignore/examples/walk.rs"],
    benchmark: ["crates/globset/benches/bench.rs", "benchsuite/runner.py"],
  });
});

test("Masonry and dplyr: what package managers fetched is vendored, what tools wrote beside the sources is generated", () => {
  const roles = byRole(`
    Masonry/MASConstraint.m Pods/Manifest.lock Pods/Expecta/EXPExpect.m Carthage/Checkouts/Kit/Kit.swift pkg/Pods/list.go
    R/join.R revdep/problems.md include/shop.hpp single_include/shop.hpp docs/revdep/how.md`);
  expect(roles).toEqual({
    vendored: ["Pods/Manifest.lock", "Pods/Expecta/EXPExpect.m", "Carthage/Checkouts/Kit/Kit.swift"],
    generated: ["revdep/problems.md", "single_include/shop.hpp"],
  });
});

test("a Java package called example or samples is the product's own; a folder of examples beside the modules is not", () => {
  const roles = byRole(`
    gson/src/main/java/com/google/gson/Gson.java src/main/java/com/example/app/App.java
    src/main/java/org/springframework/samples/petclinic/Owner.java examples/android/src/main/java/com/google/Demo.java
    gson/src/jmh/java/Parse.java metrics/src/main/java/com/google/gson/metrics/ParseBenchmark.java`);
  expect(roles).toEqual({
    example: ["examples/android/src/main/java/com/google/Demo.java"],
    benchmark: ["gson/src/jmh/java/Parse.java", "metrics/src/main/java/com/google/gson/metrics/ParseBenchmark.java"],
  });
});

test("what a product measures, tests or demonstrates in its own sources is its own", () => {
  const roles = byRole(`
    src/benchmark/mod.rs src/main.rs django/test/client.py django/db/models.py app/demo/page.ts
    shop/__init__.py shop/demo/views.py shop/models.py`);
  expect(roles).toEqual({});
});

test("a repository that consists of examples has none", () => {
  const examples = Array.from({ length: 60 }, (_, i) => `examples/lesson${i}/main.py`).join(" ");
  expect(byRole(`README.md setup.py scripts/list.py ${examples}`)).toEqual({});
  expect(byRole(`README.md ${examples} src/a.py src/b.py`)).toMatchObject({ example: expect.any(Array) });
});

test("other people's code by its folder or by the version in its name; a shop's vendors are its own", () => {
  const roles = byRole(`
    pip/_internal/cli.py pip/_vendor/urllib3/pool.py third_party/zlib/inflate.c static/vendor/chart.js static/jquery-3.6.0.js
    app/models/vendor/invoice.rb src/vendors/list.ts vendor/__init__.py vendor/models.py wwwroot/lib/bootstrap/bootstrap.js
    deps/lua/lua.c deps/lua/LICENSE src/deps/graph.ts vendor/examples/a.py`);
  expect(byRole("mvnw gradlew.bat m4/install-sh src/gradlew.ts configure")).toEqual({
    vendored: ["mvnw", "gradlew.bat", "m4/install-sh"],
  });
  expect(roles).toEqual({
    vendored: [
      "pip/_vendor/urllib3/pool.py",
      "third_party/zlib/inflate.c",
      "static/jquery-3.6.0.js",
      "static/vendor/chart.js",
      "wwwroot/lib/bootstrap/bootstrap.js",
      "deps/lua/lua.c",
      "deps/lua/LICENSE",
    ],
    example: ["vendor/examples/a.py"],
  });
});

test("lib beside src with the same names is what a compiler wrote", () => {
  const roles = byRole(`
    src/index.ts src/parse.ts src/util/text.ts lib/index.js lib/parse.js lib/util/text.js lib/index.d.ts package.json
    dist/bundle-of-all.js build/release.js build/webpack.js`);
  expect(roles).toEqual({
    "build-output": ["lib/index.js", "lib/parse.js", "lib/index.d.ts", "lib/util/text.js", "dist/bundle-of-all.js"],
  });
});

test("lib that is the only source, a library beside a program, and a dist that is all there is are no build output", () => {
  expect(byRole("lib/rack.rb lib/rack/utils.rb rack.gemspec")).toEqual({});
  expect(byRole("lib/url.c lib/easy.c src/tool_main.c src/tool_help.c lib/version.c src/version.c")).toEqual({});
  expect(byRole("dist/jquery.js dist/core.js package.json README.md gulpfile.js test/all.js")).toEqual({});
  expect(byRole("lib/index.js lib/app.js src/worker.js package.json")).toEqual({});
});

test("roles follow what lies beside: the output of a compiler is the source once the sources are gone", () => {
  const output = "lib/index.js lib/parse.js package.json";
  expect(byRole(`src/index.ts src/parse.ts ${output}`)).toEqual({ "build-output": ["lib/index.js", "lib/parse.js"] });
  expect(byRole(output)).toEqual({});
});

test("declarations of code that is there", () => {
  expect(byRole("index.js index.d.ts index.d.cts lib/axios.js types/index.d.ts package.json tests/typing.ts")).toEqual({
    declaration: ["index.d.ts", "index.d.cts", "types/index.d.ts"],
  });
  const scripts = Array.from({ length: 11 }, (_, i) => `lib/part${i}.js`).join(" ");
  expect(byRole(`package.json ${scripts} types/reply.d.ts examples/server.ts`).declaration).toEqual([
    "types/reply.d.ts",
  ]);
  expect(byRole("src/main.ts src/env.d.ts types/global.d.ts package.json")).toEqual({});
  expect(byRole("a/core.py a/core.pyi a/native.pyi a/fast.pyx a/fast.pyi")).toEqual({
    declaration: ["a/core.pyi", "a/fast.pyi"],
  });
});

test("of several versions of one document the newest is current", () => {
  const roles = byRole(`
    website/versioned_docs/version-9.x/intro.md website/versioned_docs/version-10.x/intro.md website/docs/intro.md
    docs/v1/setup.md docs/v2/setup.md docs/v10/setup.md docs/v1/gone.md`);
  expect(roles).toEqual({
    "old-version": [
      "website/versioned_docs/version-9.x/intro.md",
      "website/versioned_docs/version-10.x/intro.md",
      "docs/v1/setup.md",
      "docs/v1/gone.md",
      "docs/v2/setup.md",
    ],
  });
});

test("chapters, years and versions of an interface are no versions of a document", () => {
  expect(byRole("docs/01/README.md docs/02/README.md journal/2019/review.md journal/2020/review.md")).toEqual({});
  expect(byRole("api/v1/users.go api/v2/users.go docs/v1/users.md docs/v2/orders.md docs/v2/carts.md")).toEqual({});
});

test("posts beside documentation and pages of single versions tell what changed", () => {
  const posts = "docs/_posts/2019-08-19-released.md docs/blog/one.md docs/announce/release-1.rst";
  const versions = "docs/changes/1.0.rst docs/changes/1.1.rst website/blog/two.md";
  expect(byRole(`${posts} ${versions} website/docs/intro.md docs/intro.md`)).toEqual({
    changelog: [...posts.split(" "), ...versions.split(" ")],
  });
  expect(byRole("blog/one.md _posts/two.md")).toEqual({});
  expect(byRole("docs/changes/hooks.md docs/blog/app.py")).toEqual({});
});

test("translations of what is there in the main language", () => {
  const roles = byRole(`
    README.md README.zh-CN.md README_ja.md README.en.md docs/en/guide.md docs/de/guide.md docs/pt-BR/guide.md
    site/guide.md site/setup.md site/fr/guide.md i18n/zh/docusaurus-plugin-content-docs/current/intro.md
    handbook/zh/a.md handbook/zh/b.md handbook/ja/a.md`);
  expect(roles).toEqual({
    translation: [
      "README.zh-CN.md",
      "README_ja.md",
      "docs/de/guide.md",
      "docs/pt-BR/guide.md",
      "site/fr/guide.md",
      "i18n/zh/docusaurus-plugin-content-docs/current/intro.md",
      "handbook/ja/a.md",
    ],
  });
});

test("documentation in one other language only, and folders that are called like a language, are no translations", () => {
  expect(byRole("README.md docs/zh-CN/guide.md docs/zh-CN/setup.md")).toEqual({});
  expect(byRole("docs/it/rules.md docs/hr/leave.md notes.is.md src/no/way.ts")).toEqual({});
});

test("texts that tell of changes", () => {
  const roles = byRole(`
    NEWS CHANGES.rst docs/releases/1.0.txt docs/history.md src/history.ts changelog.d/12.bugfix.md packages/a/package.json
    packages/a/CHANGELOG.md packages/a/news.md docs/topics/news.txt doc/whatsnew/1/1.0/index.rst doc/whatsnew/2/2.0/index.rst
    src/changes/changes.xml src/prices/changes.xml`);
  expect(roles.changelog).toEqual([
    "NEWS",
    "CHANGES.rst",
    "docs/releases/1.0.txt",
    "src/changes/changes.xml",
    "changelog.d/12.bugfix.md",
    "packages/a/CHANGELOG.md",
    "packages/a/news.md",
    "doc/whatsnew/1/1.0/index.rst",
    "doc/whatsnew/2/2.0/index.rst",
  ]);
});

test("the order of the paths does not matter", () => {
  const segment = fc.constantFrom("src", "lib", "dist", "docs", "v1", "v2", "de", "en", "examples", "vendor", "a");
  const name = fc.constantFrom(
    "a.ts",
    "a.js",
    "a.d.ts",
    "README.md",
    "README.de.md",
    "b.js",
    "CHANGES",
    "package.json",
  );
  const path = fc
    .tuple(fc.array(segment, { maxLength: 3 }), name)
    .map(([folders, file]) => [...folders, file].join("/"));
  const shuffled = fc
    .uniqueArray(path, { maxLength: 25 })
    .chain((paths) =>
      fc.tuple(fc.constant(paths), fc.shuffledSubarray(paths, { minLength: paths.length, maxLength: paths.length })),
    );
  fc.assert(
    fc.property(shuffled, ([paths, others]) => {
      const sorted = (each: string[]) => [...rolesOf(each)].sort();
      expect(sorted(others)).toEqual(sorted(paths));
    }),
  );
});

test("what governs, checks and publishes a project is beside it, wherever it lies; what only shares such a name is its own", () => {
  const roles = byRole(`
    LICENSE LICENSE-MIT MIT-LICENSE COPYING.LESSER docs/license.rst CONTRIBUTING.md docs/contributing.md SECURITY.md
    .github/workflows/ci.yml .github/ISSUE_TEMPLATE/bug.md .travis.yml .editorconfig mkdocs.yml docs/make.bat docs/SUMMARY.md
    src/app.ts src/licenses/check.ts src/license.ts docs/security.md docs/support.md src/contributing/rank.py config.yml .env.example`);
  expect(new Set(roles.project)).toEqual(
    new Set(
      `LICENSE LICENSE-MIT MIT-LICENSE COPYING.LESSER docs/license.rst CONTRIBUTING.md docs/contributing.md SECURITY.md
      .github/workflows/ci.yml .github/ISSUE_TEMPLATE/bug.md .travis.yml .editorconfig mkdocs.yml docs/make.bat
      docs/SUMMARY.md`.split(/\s+/),
    ),
  );
});
