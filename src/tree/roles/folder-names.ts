import type { Role } from "../../item.ts";
import type { Folder } from "./layout.ts";
import { isProjectFolder } from "./project-files.ts";

/** The roles that a folder's name gives to everything in it. */

const vendored = new Set([
  ..."node_modules bower_components jspm_packages _vendor _vendored vendored third_party third-party thirdparty".split(
    " ",
  ),
  ..."3rdparty 3rd-party 3rd_party".split(" "),
]);
/**
 * These may also be the vendors of a shop, so they count as vendored only at the top of the workspace or among web
 * assets.
 */
const doubtfulVendored = new Set(["vendor", "vendors"]);
const servedFolders = new Set(
  "assets static _static public js javascript javascripts css stylesheets lib libs www wwwroot web html resources docs".split(
    " ",
  ),
);
const externalFolders = new Set(["external", "externals", "extern", "deps"]);
/** Folders with all headers of a C++ library merged into one, beside the real headers. */
const singleHeader = new Set("single_include single-include single_header single-header".split(" "));
const licence = /^(?:licen[cs]e|copying)(?:[._-].*)?$/i;

const example = new Set(
  "examples example samples demos demo playground playgrounds tutorials cookbook showcase docs_src doc_src".split(" "),
);
const exampleAffix = /^examples?[-_]|[-_](?:examples?|samples|demos?)$/;
const benchmark = new Set("bench benches benchmark benchmarks asv_bench benchsuite".split(" "));
const benchmarkAffix = /[-_](?:bench|benchmarks?)$/;
const fixture = new Set(
  "fixtures __fixtures__ __testfixtures__ testdata test-data test_data cassettes __snapshots__".split(" "),
);

/**
 * Below these folders a name is part of the product's own code: `src/benchmark/` measures, `com/example/` is somebody's
 * package, and `org/springframework/samples/` is an application.
 */
const sourceFolders = new Set("src source sources lib app internal pkg cmd main java kotlin".split(" "));

/** The role by the folder's own name; the folders above were checked before. */
export function roleOfFolder(folder: Folder): Role | undefined {
  const name = folder.name.toLowerCase();
  if (isVendored(folder, name)) return "vendored";
  if (isProjectFolder(folder)) return "project";
  if (fixture.has(name)) return "fixture";
  // `revdep/` contains the output of R's reverse dependency checks.
  if (folder.parent?.path === "" && (singleHeader.has(name) || name === "revdep")) return "generated";
  if (isBelowSource(folder)) return name === "jmh" && folder.parent?.name === "src" ? "benchmark" : undefined;
  if (benchmark.has(name) || benchmarkAffix.test(name)) return "benchmark";
  if (name === "sample") return folder.parent?.path === "" ? "example" : undefined;
  if (example.has(name) || exampleAffix.test(name)) {
    // A module called "demo" inside a package may be the package's own code.
    return isPythonPackage(folder.parent) && name !== "examples" ? undefined : "example";
  }
  return undefined;
}

function isVendored(folder: Folder, name: string): boolean {
  if (vendored.has(name)) return true;
  const parent = folder.parent!;
  // CocoaPods and Carthage fetch into these.
  if (folder.name === "Pods" && folder.files.includes("Manifest.lock")) return true;
  if (folder.name === "Carthage" && parent.path === "") return true;
  const above = parent.name.toLowerCase();
  if (doubtfulVendored.has(name)) {
    return !isPythonPackage(folder) && (parent.path === "" || servedFolders.has(above));
  }
  if (name === "lib" && above === "wwwroot") return true;
  if (!externalFolders.has(name) || parent.path !== "") return false;
  return [...folder.folders.values()].some(({ files }) => files.some((file) => licence.test(file)));
}

function isPythonPackage(folder: Folder | undefined): boolean {
  return folder?.files.includes("__init__.py") ?? false;
}

function isBelowSource(folder: Folder): boolean {
  for (let at = folder.parent; at; at = at.parent) if (sourceFolders.has(at.name.toLowerCase())) return true;
  return false;
}
