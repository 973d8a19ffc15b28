/** Recognises test files and their helpers, by the conventions of many languages. */

const testFile = [
  /^test_.*\.(?:py|pyi|rb|php|lua|sh|bats|cc|cpp|c|jl|r|dart|nim)$/i,
  /_tests?\.(?:go|py|rb|dart|rs|c|cc|cpp|cxx|ex|exs|zig|lua|php|ts|js|swift|jl|sh|clj|cljs|cljc|erl|ml|hs|scala|kt)$/i,
  /_spec\.(?:rb|cr|lua|js|ts|ex|exs|dart)$/i,
  /[.-](?:test|tests|spec|specs|e2e|cy|stories)\.(?:[cm]?[jt]sx?|vue|svelte|coffee|sol|dart|php|rb|lua)$/i,
  /(?:Tests?|TestCase|Spec|Specs|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|mm|hs)$/,
  /^(?:Test[A-Z]\w*)\.(?:java|kt|scala|cs|php)$/,
  /_SUITE\.erl$/,
  /\.t\.sol$|\.test-d\.ts$|\.bats$|\.t$|\.feature$/,
  /^(?:conftest|tests)\.py$|^(?:test_helper|spec_helper|rails_helper|step_definitions)\.rb$|^testing\.go$|^testutil.*\.go$/i,
  /^tests?[-_]?(?:util|helper|support|kit)(?:s|ies)?\.\w+$/i,
  /^(?:jest|vitest|karma|cypress|playwright|mocha|protractor|wdio|nightwatch)\.(?:conf|config|setup)\..*$|^setupTests\.[jt]sx?$/,
  /^tests?\.(?:rs|js|ts|rb|hs|c|cc|cpp|cxx|sh|lua|jl|zig)$/i,
];

const testFolders = new Set([
  "tests",
  "__tests__",
  "__test__",
  "spec",
  "specs",
  "__mocks__",
  "__snapshots__",
  "__fixtures__",
  "testdata",
  "test-data",
  "test_data",
  "androidtest",
  "unittests",
  "unit_tests",
  "unit-tests",
  "integration_test",
  "integration_tests",
  "integration-tests",
  "e2e",
  "cypress",
  "testsuite",
  "test-suite",
  "testcases",
  "regress",
  "step_definitions",
]);
/**
 * Folders whose name alone shows that they contain tests or helpers: `src/IntegrationTests/`, `__testdata__/`,
 * `internal/testutil/`, `web/test-helpers/`.
 */
const testFolder = [
  /^(?:.*[._-])?tests$/i,
  /[a-z]Tests$/,
  /^__tests?[a-z_]*__$/i,
  /^tests?[_-]?(?:util|helpers?|mocks?|files)$/i,
  /[._-]testing[._-]support$/i,
];
/** Test folders of Kotlin and Android below `src/`: `jvmTest/`, `commonTest/`. */
const testSourceSet = /(?:^|\/)src\/[a-z]\w*Test\//;

/** Folders that may also be a product's own testing tools: they count only if a file in them is named like a test. */
const doubtfulFolders = new Set(["test", "testing"]);

/** Folders at the top of a repository that contain packages. */
const packageFolders = new Set(["packages", "crates", "libs", "modules", "plugins", "apps", "services"]);

function isTestFileName(file: string): boolean {
  return testFile.some((pattern) => pattern.test(file));
}

/**
 * True for tests and their helpers. A folder `test/` or `testing/` counts only when it contains files named like tests
 * (a framework's own `django/test` is code): `siblings` are the workspace's paths, where known.
 */
export function isTestPath(path: string, siblings?: Iterable<string>): boolean {
  const parts = path.split("/");
  if (isTestFileName(parts.pop()!)) return true;
  const folders = parts.map((part) => part.toLowerCase());
  if (folders.some((folder) => testFolders.has(folder))) return true;
  if (parts.some((part) => testFolder.some((pattern) => pattern.test(part)))) return true;
  if (/(?:^|\/)src\/(?:test|testfixtures|integrationtest|it)\//i.test(path) || testSourceSet.test(path)) return true;
  // Modules such as gson's `test-shrinker/` beside that of the product.
  if (/^tests?[-_]/.test(folders[0] ?? "")) return true;
  // A package of a workspace keeps its tests at its own top: `packages/kit/test/apps/basics/src/routes/+page.svelte`.
  if (packageFolders.has(folders[0] ?? "") && folders[/^@/.test(folders[1] ?? "") ? 3 : 2] === "test") return true;
  // Perl's convention, which git and Celery follow.
  if (folders[0] === "t") return true;
  const doubtful = folders.findIndex((folder) => doubtfulFolders.has(folder));
  if (doubtful === -1) return false;
  if (!siblings) return doubtful === 0 && folders[0] === "test";
  const folder = `${parts.slice(0, doubtful + 1).join("/")}/`;
  for (const sibling of siblings) {
    if (sibling.startsWith(folder) && isTestFileName(sibling.slice(sibling.lastIndexOf("/") + 1))) return true;
  }
  // Many JavaScript projects keep plain names in a top-level `test` folder.
  return doubtful === 0 && folders[0] === "test";
}

/** Paths of the file that a test file tests, by name; most likely first. They may not exist. */
export function testedPaths(path: string): string[] {
  const slash = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(0, slash));
  const file = path.slice(slash + 1);
  const tested = testedFile(file);
  if (tested === undefined) return [];
  const parts = folder === "" ? [] : folder.split("/");
  const isTestFolder = (part: string) => testFolders.has(part.toLowerCase()) || doubtfulFolders.has(part.toLowerCase());
  const without = parts.filter((part) => !isTestFolder(part));
  const candidates = [
    folder,
    without.join("/"),
    folder.replace(/(^|\/)src\/test\//, "$1src/main/"),
    ...["src", "lib", "app"].map((root) => [root, ...without].join("/")),
    ...["src", "lib"].map((root) => parts.map((part) => (isTestFolder(part) ? root : part)).join("/")),
  ];
  const paths = candidates.map((each) => (each === "" ? tested : `${each}/${tested}`));
  return [...new Set(paths)].filter((each) => each !== path).slice(0, 6);
}

function testedFile(file: string): string | undefined {
  const dot = file.lastIndexOf(".");
  if (dot <= 0) return undefined;
  const stem = file.slice(0, dot);
  const tested = testedName(stem);
  return tested === undefined ? undefined : tested + file.slice(dot);
}

/** The tested name in a test's name: `test_foo`, `foo_test`, `FooTest`, `foo.spec` -> foo. */
export function testedName(name: string): string | undefined {
  const match =
    /^test_+(.+)$/i.exec(name) ??
    /^(.+?)_+(?:tests?|spec)$/i.exec(name) ??
    /^(.+)[.-](?:tests?|spec|e2e)$/i.exec(name) ??
    /^(.+?)(?:Tests?|TestCase|Spec|IT)$/.exec(name) ??
    /^Test([A-Z].*)$/.exec(name);
  return match?.[1];
}
