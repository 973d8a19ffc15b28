import type { ImportStatement, Kind } from "../../item.ts";
import type { TypedRule } from "./receivers.ts";
import { childAs, none, type SyntaxTree, textOf } from "./tree.ts";

/**
 * What one walker has to know about a language, as tables of node types. A new language is one file in
 * languages/ with one value of this type.
 */
export type Rules = {
  /** Node types that may declare a unit, and how to read it. */
  units: Record<string, UnitRule>;
  /** Nodes around a single declaration that belong to its span: `export`, decorators' holder, `template <...>`. */
  wrappers: readonly string[];
  /** Siblings directly above a declaration that belong to its span: Rust attributes, Dart annotations. */
  prefixes?: readonly string[];
  /** Those of them that say something about what is around: Elixir's `@behaviour`. */
  notPrefix?: (tree: SyntaxTree, node: number) => boolean;
  /** What may stand at the head of a declaration without being part of its signature: decorators, annotations. */
  decorators?: readonly string[];
  comments: readonly string[];
  strings: readonly string[];
  /** Nodes in which nothing is a unit, beside functions that are units themselves: lambdas, anonymous functions. */
  opaque?: readonly string[];
  /** An opaque node that only wraps a module: an immediately called function. */
  transparent?: (tree: SyntaxTree, node: number) => boolean;
  /** Call nodes and the role of what is called; `*` is the first child, `previous` what stands before the node's parent. */
  calls: Record<string, string>;
  /** Those of the call nodes in which only a capitalised name means something of the program: JSX elements. */
  elements?: readonly string[];
  /** Names that look called and are the language's own: Elixir's `def`. */
  notCalls?: ReadonlySet<string>;
  /** `a.b`, `a::b`: the role that holds the last name; `*` is the first child, `last` the last. */
  members: Record<string, string>;
  /** Leaves that are names. */
  names: readonly string[];
  /** Leaves that always name a type. Elsewhere a capitalised name counts as one. */
  types?: readonly string[];
  /** Which nodes, or roles of nodes (`class_definition.superclasses`), list what a type extends or implements. */
  heritage?: Record<string, "extends" | "implements">;
  /** Names that are interfaces by convention, where the syntax does not tell: C#'s `IShop`. */
  interfaceName?: RegExp;
  /** Where the syntax tells more than the node's type: `Base()` in Kotlin is a class, `Shop` an interface. */
  heritageKind?: (tree: SyntaxTree, named: number) => "extends" | "implements" | undefined;
  /** Nodes inside heritage that name something else: type arguments, keyword arguments. */
  notHeritage?: readonly string[];
  /** Declarations that tell the type of a variable, so that what is called on it is found: `gateway: Gateway`. */
  typed?: Record<string, TypedRule>;
  /** Import statements; undefined when the node is none after all. */
  imports: Record<string, ImportRule>;
  /** The text as the grammar can read it, every place unchanged: what it stumbles over made simpler or blank, a line end added. */
  readable?: (text: string) => string;
  /** Where a declaration's doc stands inside its body; called with `none` for the file itself. */
  docstring?: (tree: SyntaxTree, body: number) => number;
};

export type Declaration = {
  kind: Kind;
  name: string;
  /** Names before it in the qualified name that are no units around it: a Go receiver, `Foo::` in C++. */
  owner?: string;
  /** The signature ends where this node begins; left out when there is no body. */
  body?: number;
  /** True when declarations inside it are units of their own. */
  open?: boolean;
  /** Where it begins when words before the node belong to it. */
  start?: number;
  /** The last node of the declaration when it is a later sibling (Dart's bodies are). */
  last?: number;
  /** Too short to be searched by itself: its text stays that of what is around it. Fields always are. */
  unsearched?: boolean;
  /** More names that the same node declares: `int a, b;`. */
  also?: string[];
  /** A field that a function assigns and that belongs to the class around it: `self.x = 1` in `__init__`. */
  ofOuter?: true;
  /** Its doc when that is no comment above: a string before it (Julia), an attribute's (Elixir), a comment after it (OCaml). */
  doc?: number;
  /** A test by its syntax, whatever the file: Zig's `test "..." {}`. */
  test?: boolean;
  /** What a module exports without a name: it is called as its file is, which is what importers call it. */
  ofModule?: true;
};

/** `inside` is the kind of the unit around the node, if any. */
export type UnitRule = (tree: SyntaxTree, node: number, inside: Kind | undefined) => Declaration | undefined;

/** `aliases`: for names given here, what the module calls them. */
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

/** A member of a line or so: found by its name, part of the text around it. */
export function field(roles: { name?: string } = {}): UnitRule {
  return (tree, node) => {
    const name = textOf(tree, childAs(tree, node, roles.name ?? "name"));
    return name === "" ? undefined : { kind: "field", name };
  };
}

/** A field of several names, from the nodes that are names. */
export function fieldNamed(tree: SyntaxTree, names: number[]): Declaration | undefined {
  const [name, ...also] = names.map((each) => textOf(tree, each)).filter((each) => each !== "");
  return name === undefined ? undefined : { kind: "field", name, ...(also.length > 0 ? { also } : {}) };
}

/** An initialiser that has no name of its own: `static { ... }`. */
export function initialiser(name: string): UnitRule {
  return () => ({ kind: "block", name });
}

/** A constant at the top of a module; the same inside a class is a field of it. */
export function constantOrField(rule: UnitRule): UnitRule {
  return (tree, node, inside) => {
    const declared = rule(tree, node, inside);
    return declared && !isModule(inside) ? { ...declared, kind: "field" } : declared;
  };
}

export function isModule(inside: Kind | undefined): boolean {
  return inside === undefined || inside === "module";
}

/** What only counts outside classes and functions. */
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

/** How many lines a node stands on. */
function lineCount(tree: SyntaxTree, node: number): number {
  let count = 1;
  const end = tree.ends[node]!;
  for (let at = tree.text.indexOf("\n", tree.starts[node]); at !== -1 && at < end; at = tree.text.indexOf("\n", at + 1))
    count++;
  return count;
}

/** Shorter functions without a name of their own are read with what is around them. */
const shortestCallback = 5;
const longestTitle = 100;

/** A function handed to a call, named by the call and its first string: `app.get /x`, `it parses dates`. */
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

/** A table's own value: names such as `constructor` are not taken from the prototype. */
export function ownEntry<T>(table: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
