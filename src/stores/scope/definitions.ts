import type { Kind, LinkKind } from "../../item.ts";
import { folderOf } from "./modules.ts";
import { type Family, familyOf, hasOpenTypes } from "./visibility.ts";

/** An item that a name may mean; its qualified name without the path, with dots for separators (see `dotted`). */
export type Definition = {
  id: string;
  path: string;
  qualified: string;
  kind: Kind;
  /** Kind of its container: a file, a class, a function. */
  inside?: Kind;
  language?: string;
  test: boolean;
};

/** A name in a text: `text` is the whole expression (`shop.basket.total`), `unit` the qualified name of its unit. */
export type NameMention = {
  kind: LinkKind;
  text: string;
  path: string;
  unit: string;
  language?: string;
  test: boolean;
};

/** An import statement: its names, and the workspace files it means, none for a library. */
export type Binding = {
  module: string;
  names: readonly string[];
  /** The files for one of its names. The name may be a module itself, as in Python's `from shop import basket`. */
  files: (name?: string) => readonly string[];
};

/** Look-ups in the workspace. */
export type Program = {
  /** All definitions with this last name. */
  definitions(name: string): readonly Definition[];
  imports(path: string): readonly Binding[];
  /** Files that a fully written module name means, as in Rust's `crate::basket::total()`. */
  files(module: string, from: string): readonly string[];
  /** The supertypes of a type, as written. */
  bases(type: Definition): readonly string[];
  /**
   * What a type declares about its members: `broker@base.Broker` of a field's type, `@Type` of an alias, `Close@` of a
   * method without a definition.
   */
  members(type: Definition): readonly string[];
};

/** All candidates when they are one thing: overloads, or the same name under different conditions. */
export function singleThing(candidates: readonly Definition[]): Definition[] {
  const [first] = candidates;
  return candidates.every(({ path, qualified }) => path === first!.path && qualified === first!.qualified)
    ? [...candidates]
    : [];
}

/** The only definition of a name in the workspace, tests and declarations apart. */
export function onlyDefinition(candidates: readonly Definition[]): Definition[] {
  const product = candidates.filter(({ test }) => !test);
  const preferred = product.length > 0 ? product : candidates;
  const sources = preferred.filter(({ path }) => !/\.(?:d\.[cm]?ts|pyi|h|hh|hpp|hxx)$/.test(path));
  return singleThing(sources.length > 0 ? sources : preferred);
}

/**
 * Whether a module that was not resolved by its path, such as a package of a monorepo, may contain this definition: a
 * folder or file of the definition's path has the module's last name. Otherwise the module is a library. For Kotlin's
 * `shop.basket.total`, which imports a function, the folder has the package's name.
 */
export function mayMean({ module }: Binding, { path, qualified }: Definition): boolean {
  const segments = path.replace(/\.[^./]*$/, "").split("/");
  const parts = module.split(/[./\\]|::/).filter((part) => part !== "" && part !== "*");
  const [holder, last] = [parts.at(-2), parts.at(-1)];
  if (last === undefined) return false;
  if (segments.includes(last)) return true;
  return holder !== undefined && segments.at(-2) === holder && `.${qualified}`.endsWith(`.${last}`);
}

export function membersOf(type: Definition, candidates: readonly Definition[], name: string): Definition[] {
  const qualifiedName = `${type.qualified}.${name}`;
  const members = candidates.filter(({ qualified }) => qualified === qualifiedName);
  for (const nearest of [
    members.filter(({ path }) => path === type.path),
    members.filter(({ path }) => sameFolder(path, type.path)),
  ])
    if (nearest.length > 0) return nearest;
  return hasOpenTypes(familyOf(type.language)) ? members : candidates.filter((each) => extendsType(each, type, name));
}

/** Kotlin's `fun Context.fail()`, a method outside any class; it may be declared anywhere. */
function isExtension({ kind, inside: around, language }: Definition): boolean {
  return kind === "method" && language === "kotlin" && (around === undefined || around === "file");
}

/** Extension functions among these that the file imports by their name: for a receiver of unknown type. */
export function importedExtensions(
  candidates: readonly Definition[],
  name: string,
  { program, mention, family }: { program: Program; mention: NameMention; family: Family },
): Definition[] {
  const extensions = candidates.filter(isExtension);
  if (extensions.length === 0) return [];
  const bindings = program.imports(mention.path).filter(({ names }) => names.includes(name));
  return singleThing(
    extensions.filter((each) =>
      bindings.some((binding) => inside(each, binding.files(name), family) || mayMean(binding, each)),
    ),
  );
}

/** The type that an extension names may be nested in another type: `Parser` for `Cli.Parser`. */
function extendsType(candidate: Definition, type: Definition, name: string): boolean {
  return isExtension(candidate) && `.${type.qualified}.${name}`.endsWith(`.${candidate.qualified}`);
}

export function isType({ kind }: Definition): boolean {
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "type";
}

/**
 * True if a definition can be referred to by its name alone wherever its file is visible: it is not a method or inner
 * function.
 */
export function isTopLevel({ kind, inside }: Definition): boolean {
  // A block is not a scope: Go declares constants in groups.
  const scopes: (Kind | undefined)[] = [undefined, "file", "module", "block"];
  return kind !== "method" && scopes.includes(inside);
}

/**
 * Ruby's `require` makes the modules of a file visible, but not their functions: those are called in the module itself,
 * or where it is mixed in.
 */
export function seesModuleOf({ inside: around, kind, qualified, language }: Definition, unit: string): boolean {
  if (familyOf(language) !== "ruby" || around !== "module" || kind !== "function") return true;
  return `${unit}.`.startsWith(`${ownerOf(qualified)}.`);
}

/** A Go package is a folder, so an import of any of its files means all of them. */
export function inside({ path }: Definition, files: readonly string[], family: Family): boolean {
  return files.includes(path) || (family === "go" && files.some((file) => sameFolder(file, path)));
}

export function sameFolder(a: string, b: string): boolean {
  return folderOf(a) === folderOf(b);
}

export function ownerOf(qualified: string): string {
  return qualified.slice(0, Math.max(0, qualified.lastIndexOf(".")));
}

/** A qualified name with a dot for every separator. */
export function dotted(name: string): string {
  return name.replace(/::|->|(?<=[^.])#| > |\\/g, ".");
}
