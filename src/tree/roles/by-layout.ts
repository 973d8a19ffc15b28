import type { Role } from "../../item.ts";
import { buildOutputIn } from "./build-output.ts";
import { copiedDocuments, isChangelog, isChangelogFolder, isNewsFolder, isTranslatedName } from "./document-copies.ts";
import { roleOfFolder } from "./folder-names.ts";
import { declarationEnding, type Folder, type IsOwnCode, isProseName, layoutOf } from "./layout.ts";
import { isProjectFile } from "./project-files.ts";

/**
 * Roles of files that are not the product's own code, by location and neighbours. All paths are needed: adding or
 * removing one may change the role of others. One walk over the folder tree; files without a role are absent.
 */
export function rolesByLayout(paths: Iterable<string>, isOwnCode: IsOwnCode): Map<string, Role> {
  const root = layoutOf(paths, isOwnCode);
  const roles = new Map<string, Role>();
  visit(root, { inDocuments: false, inChangelog: false, isOwnCode }, roles);
  if (isOfExamples(root, roles, isOwnCode))
    for (const [path, role] of roles) if (supporting.has(role)) roles.delete(path);
  return roles;
}

/** What a folder inherits from the folders above it. `copied`: the role of its texts only. */
type Around = {
  role?: Role;
  copied?: Role;
  inDocuments: boolean;
  inChangelog: boolean;
  package?: Folder;
  isOwnCode: IsOwnCode;
};

function visit(folder: Folder, around: Around, roles: Map<string, Role>): void {
  const context = { ...around };
  if (folder.files.includes("package.json")) context.package = folder;
  context.inDocuments ||= /^docs?$/i.test(folder.name);
  context.inChangelog ||= isChangelogFolder(folder) || isNewsFolder(folder, context.inDocuments);
  takeFiles(folder, context, roles);
  const outputFolders = new Set(context.role ? [] : buildOutputIn(folder));
  const copied = context.copied ? undefined : copiedDocuments(folder);
  for (const inner of folder.folders.values()) {
    const own = outputFolders.has(inner) ? "build-output" : roleOfFolder(inner);
    const role = stronger(context.role, own);
    const inherited = context.copied ?? copied?.get(inner);
    visit(inner, { ...context, ...(role ? { role } : {}), ...(inherited ? { copied: inherited } : {}) }, roles);
  }
}

/** Examples inside vendored code are vendored; the stronger role wins. */
function stronger(around: Role | undefined, own: Role | undefined): Role | undefined {
  return own === "vendored" || around === undefined ? own : around;
}

function takeFiles(folder: Folder, around: Around, roles: Map<string, Role>): void {
  let beside: Set<string> | undefined;
  const names = () => (beside ??= new Set(folder.files.map((name) => name.toLowerCase())));
  for (const name of folder.files) {
    const role = roleOfFile(folder, name, around, names);
    if (role) roles.set(folder.path + name, role);
  }
}

const vendoredName = /[-.]v?\d+\.\d+(?:\.\d+)?(?:\.(?:slim|pack|full|bundle))?\.(?:js|css)$/i;
/** Scripts that build tools put into every project. */
const wrapperName =
  /^(?:(?:mvnw|gradlew)(?:\.(?:cmd|bat))?|ltmain\.sh|config\.(?:guess|sub)|install-sh|depcomp|aclocal\.m4|Makefile\.in)$/;
const benchmarkName = /\.bench\.[cm]?[jt]sx?$|\wBenchmarks?\.(?:java|kt|scala|groovy|cs)$/;

function roleOfFile(folder: Folder, name: string, around: Around, names: () => Set<string>): Role | undefined {
  const prose = isProseName(name);
  if (around.role === "vendored" || around.role === "build-output") return around.role;
  if (prose && around.inChangelog) return "changelog";
  if (prose && around.copied) return around.copied;
  if (prose && isTranslatedName(name, names())) return "translation";
  if (isChangelog(folder, name)) return "changelog";
  // Pages about examples are documentation like any other.
  if (around.role) return prose && around.inDocuments ? undefined : around.role;
  if (vendoredName.test(name) || wrapperName.test(name)) return "vendored";
  if (benchmarkName.test(name)) return "benchmark";
  if (isProjectFile(name, around.isOwnCode(folder.path + name))) return "project";
  // Teal's compiler writes the Lua beside its source.
  if (/\.lua$/i.test(name) && names().has(name.toLowerCase().replace(/lua$/, "tl"))) return "generated";
  return isDeclaration(name, around.package, names) ? "declaration" : undefined;
}

const fewTyped = 10;

/**
 * Type declarations of code that is also present: beside the code, or anywhere in a package that is written in
 * JavaScript.
 */
function isDeclaration(name: string, packageFolder: Folder | undefined, names: () => Set<string>): boolean {
  const stub = /^(.+)\.pyi$/i.exec(name)?.[1]?.toLowerCase();
  if (stub !== undefined) return names().has(`${stub}.py`) || names().has(`${stub}.pyx`);
  if (!declarationEnding.test(name)) return false;
  const stem = name.replace(declarationEnding, "").toLowerCase();
  if ([".js", ".mjs", ".cjs", ".jsx"].some((ending) => names().has(stem + ending))) return true;
  // A single TypeScript example does not make a JavaScript package a TypeScript package.
  return packageFolder !== undefined && packageFolder.counts.script > fewTyped * packageFolder.counts.typed;
}

const supporting: ReadonlySet<Role> = new Set<Role>(["example", "benchmark", "fixture"]);

/** In a repository that consists of examples, apart from a few scripts, examples are the product. */
const fewScripts = 1 / 50;

function isOfExamples(root: Folder, roles: ReadonlyMap<string, Role>, isOwnCode: IsOwnCode): boolean {
  let examples = 0;
  for (const [path, role] of roles) if (supporting.has(role) && isOwnCode(path)) examples++;
  return examples > 0 && root.counts.own - examples < fewScripts * examples;
}
