import type { Kind } from "../../../item.ts";
import {
  callbackUnit,
  type Declaration,
  declares,
  type ImportedName,
  isModule,
  type Rules,
  spansLines,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";
import { isBareCall } from "./ruby-locals.ts";

export const ruby: Rules = {
  units: {
    module: withoutNamespace("module"),
    class: withoutNamespace("class"),
    method: declares("function"),
    singleton_method: declares("function"),
    assignment: assigned,
    call: called,
    alias: aliased,
  },
  wrappers: [],
  comments: ["comment"],
  strings: ["string", "heredoc_body", "regex", "string_array", "symbol_array", "subshell"],
  opaque: ["block", "do_block", "lambda"],
  transparent: (tree, node) => holdsTests(tree, node) || definesMethods(tree, node),
  calls: { call: "method" },
  bareCalls: { identifier: isBareCall },
  notCalls: new Set(["private", "protected", "public", "module_function", "block_given?", "binding"]),
  members: { scope_resolution: "name" },
  names: ["identifier", "constant"],
  heritage: { superclass: "extends", "call.arguments": "extends" },
  isHeritage: (tree, node) => typeOf(tree, node) !== "call" || mixesIn(tree, node),
  notHeritage: ["argument_list", "call"],
  typed: { assignment: { name: "left", value: "right" } },
  imports: { call: required },
};

/** `class Rake::NameSpace` has the name `NameSpace` and the owner `Rake`. */
function withoutNamespace(kind: "module" | "class") {
  const rule = declares(kind);
  return (tree: SyntaxTree, node: number): Declaration | undefined => {
    const declaration = rule(tree, node, undefined);
    if (!declaration) return undefined;
    const parts = declaration.name.replace(/^::/, "").split("::");
    const name = parts.pop()!;
    return { ...declaration, name, ...(parts.length > 0 ? { owner: parts.join(".") } : {}) };
  };
}

function assigned(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const left = childAs(tree, node, "left");
  const type = typeOf(tree, left);
  if (type === "identifier" || type === "global_variable")
    return inside === undefined ? { kind: "field", name: textOf(tree, left) } : undefined;
  if (type !== "constant") return undefined;
  const block = childAs(tree, childAs(tree, node, "right"), "block");
  // `Point = Struct.new(:x, :y) do def ... end` also declares a class.
  if (definesMethods(tree, block)) return { kind: "class", name: textOf(tree, left), body: block, open: true };
  // In a class only tables count: short constants are part of its text.
  const isShort = !isModule(inside) && !spansLines(tree, node);
  return { kind: isShort ? "field" : "constant", name: textOf(tree, left) };
}

/** The statements of a `do ... end` or `{ ... }`, or `none`. */
function bodyOf(tree: SyntaxTree, block: number): number {
  return block === none ? none : childAs(tree, block, "body");
}

/** True for a block that acts as the body of a class or module: `Struct.new(:x) do`, `class_methods do`. */
function definesMethods(tree: SyntaxTree, block: number): boolean {
  const body = bodyOf(tree, block);
  return body !== none && childOf(tree, body, "method", "singleton_method") !== none;
}

/** Accessors of Ruby and of ActiveSupport: `mattr_accessor :cache`, `class_attribute :settings`. */
const accessors = /^(?:(?:thread_)?[cm]?attr(?:_internal)?(?:_reader|_writer|_accessor)|attr|class_attribute)$/;

/**
 * `attr_reader :name` declares fields; `it "adds" do ... end` and `get "/x" do ... end` are functions named after their
 * title.
 */
function called(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const method = textOf(tree, childAs(tree, node, "method"));
  const parameters = childrenOf(tree, childAs(tree, node, "arguments"));
  if (accessors.test(method) && inside !== undefined) {
    const [name, ...also] = parameters
      .filter((each) => typeOf(tree, each) === "simple_symbol")
      .map((each) => textOf(tree, each).slice(1));
    return name === undefined ? undefined : { kind: "field", name, also };
  }
  if (method === "alias_method" && inside !== undefined && typeOf(tree, parameters[0] ?? none) === "simple_symbol")
    return { kind: "field", name: textOf(tree, parameters[0]!).slice(1) };
  const block = childAs(tree, node, "block");
  const title = parameters[0] ?? none;
  if (typeOf(tree, block) !== "do_block" || !["string", "constant", "scope_resolution"].includes(typeOf(tree, title)))
    return undefined;
  const receiver = textOf(tree, childAs(tree, node, "receiver"));
  const called = receiver === "" ? method : `${receiver}.${method}`;
  return /\s/.test(called)
    ? undefined
    : callbackUnit(tree, node, { called, title, body: block, open: suites.test(method) });
}

/** `include Comparable`: its methods are called like those of a superclass. */
function mixesIn(tree: SyntaxTree, node: number): boolean {
  return (
    childAs(tree, node, "receiver") === none &&
    /^(?:include|extend|prepend)$/.test(textOf(tree, childAs(tree, node, "method"))) &&
    childOf(tree, childAs(tree, node, "arguments"), "constant", "scope_resolution") !== none
  );
}

/** `alias data_store redis`, `alias :data_store :redis`. */
function aliased(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name")).replace(/^:/, "");
  return inside === undefined || name.startsWith("$") ? undefined : { kind: "field", name };
}

const suites = /^(?:x|f)?(?:describe|context|feature|namespace)$/;

/** True for the block of a test suite: its functions are units, not lines. */
function holdsTests(tree: SyntaxTree, node: number): boolean {
  const call = tree.parents[node]!;
  return typeOf(tree, call) === "call" && suites.test(textOf(tree, childAs(tree, call, "method")));
}

function required(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const method = textOf(tree, childAs(tree, node, "method"));
  if (childAs(tree, node, "receiver") !== none || !/^(?:require|require_relative|load|autoload)$/.test(method))
    return undefined;
  const path = childOf(tree, childAs(tree, node, "arguments"), "string");
  if (path === none) return undefined;
  const module = unquoted(textOf(tree, path));
  const isNear = method === "require_relative" && !module.startsWith(".");
  const name = textOf(tree, childOf(tree, childAs(tree, node, "arguments"), "simple_symbol")).slice(1);
  return [{ module: isNear ? `./${module}` : module, names: name ? [name] : [] }];
}
