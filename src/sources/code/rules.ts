import type { ImportStatement, Kind } from "../../item.ts";
import { childAs, none, type SyntaxTree, textOf } from "./tree.ts";
import type { TypedRule } from "./variable-types.ts";

/**
 * What the walker needs to know about a language, as tables of node types. A new language is one file in languages/
 * with one value of this type.
 */
export type Rules = {
  /** Node types that may declare a unit, and how to read it. */
  units: Record<string, UnitRule>;
  /** Nodes around a single declaration that belong to its span: `export`, holders of decorators, `template <...>`. */
  wrappers: readonly string[];
  /** Siblings directly above a declaration that belong to its span: Rust attributes, Dart annotations. */
  prefixes?: readonly string[];
  /** Prefixes above a declaration that make it a test: Rust's `#[test]` and `#[cfg(test)]`. */
  testPrefix?: RegExp;
  /** Exceptions from `prefixes`, which belong to the surrounding declaration: Elixir's `@behaviour`. */
  notPrefix?: (tree: SyntaxTree, node: number) => boolean;
  /** Nodes at the head of a declaration that are not part of its signature: decorators, annotations. */
  decorators?: readonly string[];
  comments: readonly string[];
  strings: readonly string[];
  /** Nodes without units inside, besides functions that are units themselves: lambdas, anonymous functions. */
  opaque?: readonly string[];
  /** An opaque node that only wraps a module: an immediately invoked function. */
  transparent?: (tree: SyntaxTree, node: number) => boolean;
  /** Call nodes and the role of the callee; `*` is the first child, `previous` the sibling before the node's parent. */
  calls: Record<string, string>;
  /** Names that may be calls without receiver, arguments or brackets: Ruby's `perform`. */
  bareCalls?: Record<string, (tree: SyntaxTree, node: number) => boolean>;
  /** Call nodes where only a capitalised name counts: JSX elements. */
  elements?: readonly string[];
  /** Names that look like calls but are the language's own: Elixir's `def`. */
  notCalls?: ReadonlySet<string>;
  /** `a.b`, `a::b`: the role of the last name; `*` is the first child, `last` the last. */
  members: Record<string, string>;
  /** Leaves that are names. */
  names: readonly string[];
  /** Leaves that always name a type. Elsewhere a capitalised name counts as one. */
  types?: readonly string[];
  /** Nodes, or roles of nodes (`class_definition.superclasses`), that list supertypes. */
  heritage?: Record<string, "extends" | "implements">;
  /** Whether a node lists supertypes, if its type alone does not show it: Ruby's `include Comparable`. */
  isHeritage?: (tree: SyntaxTree, node: number) => boolean;
  /** Names that are interfaces by convention, if the syntax does not show it: C#'s `IShop`. */
  interfaceName?: RegExp;
  /**
   * The kind of a supertype, if the syntax shows more than the node type: `Base()` in Kotlin is a class, `Shop` an
   * interface.
   */
  heritageKind?: (tree: SyntaxTree, nameNode: number) => "extends" | "implements" | undefined;
  /** Nodes inside heritage that name something else: type arguments, keyword arguments. */
  notHeritage?: readonly string[];
  /** Declarations with the type of a variable, so that calls on it can be resolved: `gateway: Gateway`. */
  typed?: Record<string, TypedRule>;
  /** Import statements; the rule returns undefined for a node that is not an import. */
  imports: Record<string, ImportRule>;
  /**
   * Rewrites the text so that the grammar can parse it, offsets unchanged: problematic parts simplified or blanked, a
   * line end added.
   */
  readable?: (text: string) => string;
  /** The docstring inside a declaration's body; called with `none` for the file itself. */
  docstring?: (tree: SyntaxTree, body: number) => number;
};

export type Declaration = {
  kind: Kind;
  name: string;
  /** Names before it in the qualified name that are not enclosing units: a Go receiver, `Foo::` in C++. */
  owner?: string;
  /** The signature ends where this node begins; absent without a body. */
  body?: number;
  /** True when declarations inside it are units of their own. */
  open?: boolean;
  /** Its start when words before the node belong to it. */
  start?: number;
  /** The last node of the declaration when it is a later sibling (as Dart's bodies). */
  last?: number;
  /** Too short to be searched separately: its text belongs to the surrounding unit. Always true for fields. */
  unsearched?: boolean;
  /** Further names that the same node declares: `int a, b;`. */
  also?: string[];
  /** A field that a function assigns and that belongs to the surrounding class: `self.x = 1` in `__init__`. */
  ofOuter?: true;
  /**
   * The node of its doc, if that is not a comment above: a string before it (Julia), an attribute (Elixir), a comment
   * after it (OCaml).
   */
  doc?: number;
  /** A test by its syntax, in any file: Zig's `test "..." {}`. */
  test?: boolean;
  /** An anonymous export of a module: it is named after its file, as in its importers. */
  ofModule?: true;
};

/** `inside`: the kind of the enclosing unit, if any. */
export type UnitRule = (tree: SyntaxTree, node: number, inside: Kind | undefined) => Declaration | undefined;

/** `aliases`: for renamed imports, the original names. */
export type ImportedName = Pick<ImportStatement, "module" | "names"> & { aliases?: Record<string, string> };
type ImportRule = (tree: SyntaxTree, node: number) => ImportedName[] | undefined;

const openKinds: readonly Kind[] = ["class", "interface", "enum", "module"];

/** The usual declaration: a name in one role, a body in another. */
export function declares(kind: Kind, roles: { name?: string; body?: string; open?: boolean } = {}): UnitRule {
  const open = roles.open ?? openKinds.includes(kind);
  return (tree, node) => {
    const name = textOf(tree, childAs(tree, node, roles.name ?? "name"));
    if (name === "") return undefined;
    const body = childAs(tree, node, roles.body ?? "body");
    return { kind, name, body: body === none ? undefined : body, open };
  };
}

/** A short member: it is found by its name, and its text is part of the surrounding unit. */
export function field(roles: { name?: string } = {}): UnitRule {
  return (tree, node) => {
    const name = textOf(tree, childAs(tree, node, roles.name ?? "name"));
    return name === "" ? undefined : { kind: "field", name };
  };
}

/** A field of several names, from the name nodes. */
export function fieldNamed(tree: SyntaxTree, names: number[]): Declaration | undefined {
  const [name, ...also] = names.map((each) => textOf(tree, each)).filter((each) => each !== "");
  return name === undefined ? undefined : { kind: "field", name, ...(also.length > 0 ? { also } : {}) };
}

/** An anonymous initialiser: `static { ... }`. */
export function initialiser(name: string): UnitRule {
  return () => ({ kind: "block", name });
}

/** A constant at the top of a module; inside a class it is a field. */
export function constantOrField(rule: UnitRule): UnitRule {
  return (tree, node, inside) => {
    const declared = rule(tree, node, inside);
    return declared && !isModule(inside) ? { ...declared, kind: "field" } : declared;
  };
}

export function isModule(inside: Kind | undefined): boolean {
  return inside === undefined || inside === "module";
}

/** Applies only outside classes and functions. */
export function atModuleLevel(rule: UnitRule): UnitRule {
  return (tree, node, inside) => (isModule(inside) ? rule(tree, node, inside) : undefined);
}

export function isUpperCase(name: string): boolean {
  return /^_*\p{Lu}[\p{Lu}\p{N}_]*$/u.test(name);
}

export function spansLines(tree: SyntaxTree, node: number): boolean {
  const end = tree.text.indexOf("\n", tree.starts[node]);
  return end !== -1 && end < tree.ends[node]!;
}

/** Number of lines of a node. */
function lineCount(tree: SyntaxTree, node: number): number {
  let count = 1;
  const end = tree.ends[node]!;
  for (let at = tree.text.indexOf("\n", tree.starts[node]); at !== -1 && at < end; at = tree.text.indexOf("\n", at + 1))
    count++;
  return count;
}

/** Shorter anonymous functions are read with the surrounding code. */
const shortestCallback = 5;
const longestTitle = 100;

/** A callback, named after the call and its first string: `app.get /x`, `it parses dates`. */
export function callbackUnit(
  tree: SyntaxTree,
  node: number,
  { called, title, body, open }: { called: string; title: number; body: number; open?: boolean },
): Declaration | undefined {
  const text = unquoted(textOf(tree, title)).replace(/\s+/g, " ").trim().slice(0, longestTitle);
  if (text === "") return undefined;
  const unsearched = !open && lineCount(tree, node) < shortestCallback;
  return { kind: "function", name: `${called} ${text}`, body: body === none ? undefined : body, open, unsearched };
}

/** The content of a string literal as written, without its quotes. */
export function unquoted(text: string): string {
  return text.replace(/^[a-zA-Z@$]*(["'`<]+)/, "").replace(/["'`>;\s]+$/, "");
}

/** A table's own value: names such as `constructor` must not come from the prototype. */
export function ownEntry<T>(table: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Kind of fields, properties and enumeration entries. */
export const memberKind: Kind = "field";

/** A value at the top of a module is a constant; inside a type it is a member. */
export function valueKind(inside: Kind | undefined): Kind {
  return inside === undefined || inside === "module" ? "constant" : memberKind;
}
