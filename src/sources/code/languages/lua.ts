import type { Kind } from "../../../item.ts";
import { type Declaration, type ImportedName, memberKind, type Rules } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const lua: Rules = {
  units: {
    function_declaration: (tree, node) => ({
      kind: "function",
      ...nameOf(tree, childAs(tree, node, "name")),
      ...bodyOf(tree, node),
    }),
    assignment_statement: assignment,
    field: functionField,
  },
  wrappers: ["variable_declaration"],
  comments: ["comment", "hash_bang_line"],
  strings: ["string"],
  opaque: ["function_definition"],
  transparent: isModule,
  calls: { function_call: "name" },
  members: { dot_index_expression: "field", method_index_expression: "method" },
  names: ["identifier"],
  imports: { assignment_statement: required, function_call: requiredAlone },
};

/** `return function(...) ... end` at the end of a file is the module itself. */
function isModule(tree: SyntaxTree, node: number): boolean {
  const list = tree.parents[node]!;
  const statement = list === none ? none : tree.parents[list]!;
  return typeOf(tree, statement) === "return_statement" && typeOf(tree, tree.parents[statement]!) === "chunk";
}

/** `M.sub.name` and `M:name` belong to the table before the last name. */
function nameOf(tree: SyntaxTree, node: number): { name: string; owner?: string } {
  const parts = textOf(tree, node).split(/\s*[.:]\s*/);
  const name = parts.pop()!;
  return parts.length > 0 ? { name, owner: parts.join(".") } : { name };
}

function bodyOf(tree: SyntaxTree, node: number): { body?: number } {
  const body = childAs(tree, node, "body");
  return body === none ? {} : { body };
}

/** A function with a name, a value of the module itself, or a field of its table (`M.version = 1`). */
function assignment(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const target = childAs(tree, childOf(tree, node, "variable_list"), "name");
  const value = childAs(tree, childOf(tree, node, "expression_list"), "value");
  if (!/^[\p{L}_][\p{L}\p{N}_.:]*$/u.test(textOf(tree, target))) return undefined;
  if (typeOf(tree, value) === "function_definition")
    return { kind: "function", ...nameOf(tree, target), ...bodyOf(tree, value) };
  const statement =
    typeOf(tree, tree.parents[node]!) === "variable_declaration"
      ? tree.parents[tree.parents[node]!]!
      : tree.parents[node]!;
  if (inside !== undefined || typeOf(tree, statement) !== "chunk" || value === none) return undefined;
  const member = nameOf(tree, target);
  const kind = member.owner === undefined ? "constant" : memberKind;
  return { kind, ...member, open: typeOf(tree, value) === "table_constructor" };
}

/** `on_sale = function ... end` in a table. */
function functionField(tree: SyntaxTree, node: number): Declaration | undefined {
  const value = childAs(tree, node, "value");
  const name = childAs(tree, node, "name");
  if (typeOf(tree, value) !== "function_definition" || typeOf(tree, name) !== "identifier") return undefined;
  return { kind: "function", name: textOf(tree, name), ...bodyOf(tree, value) };
}

const requires = /^require\s*\(?\s*(?:["']|\[\[)([^"'\]]+)/;

function required(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const value = childAs(tree, childOf(tree, node, "expression_list"), "value");
  const module = requires.exec(textOf(tree, value))?.[1];
  if (module === undefined) return undefined;
  const names = within(tree, childOf(tree, node, "variable_list"), "identifier").map((each) => textOf(tree, each));
  return [{ module, names }];
}

function requiredAlone(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "chunk" || childrenOf(tree, node).length === 0) return undefined;
  const module = requires.exec(textOf(tree, node))?.[1];
  return module === undefined ? undefined : [{ module, names: [] }];
}
