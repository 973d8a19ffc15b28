import { expect, it } from "vitest";
import { isTestPath, testedName, testedPaths } from "./test-paths.ts";

it.each([
  "tests/forms/test_fields.py",
  "pkg/test_a.py",
  "pkg/a_test.py",
  "conftest.py",
  "queue/queue_test.go",
  "src/a.test.ts",
  "src/a.spec.jsx",
  "src/__tests__/a.js",
  "app/src/test/java/com/acme/Fixtures.java",
  "src/com/acme/FooTest.java",
  "spec/models/user_spec.rb",
  "spec/spec_helper.rb",
  "Shop.Tests/ShopTests.cs",
  "Tests/ShopTests/Helpers.swift",
  "test/widget_test.dart",
  "test/Vault.t.sol",
  "lib/a_test.exs",
  "t/basic.t",
  "features/permalinks.feature",
  "test.c",
  "testdata/input.txt",
  "test/helpers.js",
  "crates/searcher/src/testutil.rs",
  "src/test-helpers.ts",
  "regress/mode-kill.sh",
  "t/integration/common.py",
  "features/step_definitions.rb",
  "features/step_definitions/basket.js",
  "karma.conf.cjs",
  "packages/kit/test/apps/basics/src/routes/+page.svelte",
  "test-shrinker/src/main/java/com/example/Main.java",
  "packages/@acme/kit/test/apps/basics/page.ts",
  "apps/web/test/login.ts",
  "src/IntegrationTests/BuiltInTypes/Helpers.cs",
  "lib/src/jvmTest/kotlin/com/acme/Fixtures.kt",
  "internal/testutil/mirrors.go",
  "web/api/testhelpers/api.go",
  "pkg/test_helpers/client.rs",
  "acme-testing-support/src/main/kotlin/acme/Server.kt",
  "src/node/__tests_dts__/config.ts",
  "integration_test/support/repo.exs",
])("%s is a test", (path) => expect(isTestPath(path)).toBe(true));

it.each([
  "django/test/client.py",
  "src/testing/render.ts",
  "src/regression/linear.py",
  "src/t/parse.ts",
  "src/latest.py",
  "src/contest.js",
  "src/attestation/a.go",
  "src/protest_song.rb",
  "lib/tester.rb",
  "docs/testing.md",
  "packages/test-runner/index.ts",
  "packages/core/lib/test/client.ts",
  "src/utils.rs",
  "src/latestTest.ts",
  "src/jvmTestRunner/Main.kt",
  "lib/contests/a.js",
  "pylint/testutils/tokens.py",
])("%s is no test", (path) => expect(isTestPath(path)).toBe(false));

it("takes a doubtful folder for tests only where a file in it is one", () => {
  const paths = ["pkg/test/helpers.py", "pkg/test/test_a.py", "django/test/client.py", "django/test/runner.py"];
  expect(isTestPath("pkg/test/helpers.py", paths)).toBe(true);
  expect(isTestPath("django/test/client.py", paths)).toBe(false);
});

it("knows what a test's name is made from", () => {
  expect(["test_foo", "foo_test", "FooTest", "TestFoo", "foo.spec", "FooTestCase", "foo_spec"].map(testedName)).toEqual(
    ["foo", "foo", "Foo", "Foo", "foo", "Foo", "foo"],
  );
  expect(["test", "foo", "contest", "Tested"].map(testedName)).toEqual([undefined, undefined, undefined, undefined]);
});

it("guesses where the tested file is", () => {
  expect(testedPaths("src/a.test.ts")).toContain("src/a.ts");
  expect(testedPaths("tests/test_views.py")).toContain("views.py");
  expect(testedPaths("app/src/test/java/com/FooTest.java")).toContain("app/src/main/java/com/Foo.java");
  expect(testedPaths("lib/a.js")).toEqual([]);
});
