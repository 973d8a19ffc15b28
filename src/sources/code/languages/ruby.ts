import type { Kind } from "../../../item.ts";
import { type Declaration, declares, type Imported, type Rules, spansLines, unquoted } from "../rules.ts";
import { childAs, childOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

export const ruby: Rules = {
  units: {
    module: named("module"),
    class: named("class"),
    method: declares("function"),
    singleton_method: declares("function"),
    assignment: constant,
  },
  wrappers: [],
  comments: ["comment"],
  strings: ["string", "heredoc_body", "regex", "string_array", "symbol_array", "subshell"],
  opaque: ["block", "do_block", "lambda"],
  calls: { call: "method" },
  members: { scope_resolution: "name" },
  names: ["identifier", "constant"],
  heritage: { superclass: "extends" },
  notHeritage: ["argument_list", "call"],
  typed: { assignment: { name: "left", value: "right" } },
  imports: { call: required },
};

function named(kind: "module" | "class") {
  const rule = declares(kind);
  return (tree: SyntaxTree, node: number): Declaration | undefined => {
    const declaration = rule(tree, node, undefined);
    return declaration && { ...declaration, name: declaration.name.replace(/^::/, "").replaceAll("::", ".") };
  };
}

function constant(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const left = childAs(tree, node, "left");
  if (typeOf(tree, left) !== "constant") return undefined;
  // In a class only tables count: short constants read well as a part of it.
  if (inside !== undefined && inside !== "module" && !spansLines(tree, node)) return undefined;
  return { kind: "constant", name: textOf(tree, left) };
}

function required(tree: SyntaxTree, node: number): Imported[] | undefined {
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
