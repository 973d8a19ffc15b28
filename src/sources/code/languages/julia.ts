import type { Kind } from "../../../item.ts";
import {
  type Declaration,
  type ImportedName,
  isUpperCase,
  memberKind,
  type Rules,
  spansLines,
  unquoted,
} from "../rules.ts";
import {
  childOf,
  childrenOf,
  none,
  parentOf,
  previousSibling,
  type SyntaxTree,
  textOf,
  typeOf,
  within,
} from "../tree.ts";

export const julia: Rules = {
  units: {
    module_definition: (tree, node) => documented(tree, node, { ...headed(tree, node, "module"), open: true }),
    struct_definition: (tree, node) => documented(tree, node, { ...headed(tree, node, "class"), open: true }),
    abstract_definition: (tree, node) => documented(tree, node, headed(tree, node, "interface")),
    primitive_definition: (tree, node) => documented(tree, node, headed(tree, node, "type")),
    function_definition: functionOf,
    macro_definition: functionOf,
    const_statement: constant,
    assignment,
    typed_expression: field,
    identifier: field,
    macrocall_expression: macroCall,
  },
  wrappers: ["macrocall_expression", "macro_argument_list"],
  comments: ["line_comment", "block_comment"],
  strings: ["string_literal", "prefixed_string_literal", "command_literal", "character_literal"],
  opaque: ["arrow_function_expression", "do_clause", "for_statement", "while_statement", "let_statement"],
  calls: { call_expression: "*", broadcast_call_expression: "*", macrocall_expression: "*" },
  members: {
    field_expression: "last",
    scoped_identifier: "last",
    macro_identifier: "last",
    parametrized_type_expression: "*",
  },
  names: ["identifier"],
  heritage: { type_head: "extends" },
  notHeritage: ["curly_expression"],
  imports: { using_statement: imported, import_statement: imported, call_expression: included },
};

/** The first child has the name and the signature; the rest is the body. */
function headed(tree: SyntaxTree, node: number, kind: Kind): Declaration {
  const [head, body] = childrenOf(tree, node);
  const nameNode =
    typeOf(tree, head ?? none) === "identifier" ? head! : (within(tree, head ?? none, "identifier")[0] ?? none);
  return { kind, name: textOf(tree, nameNode), body };
}

function functionOf(tree: SyntaxTree, node: number): Declaration | undefined {
  const [signature, body] = childrenOf(tree, node);
  const called = calledIn(tree, (signature ?? none) + 1);
  return called && documented(tree, node, { kind: "function", ...called, body });
}

/** The name before the parameters in `f(x)::T where S`. */
function calledIn(tree: SyntaxTree, from: number): { name: string; owner?: string } | undefined {
  let node = from;
  while (
    /^(?:where_expression|typed_expression|call_expression|parametrized_type_expression)$/.test(typeOf(tree, node))
  )
    node++;
  const parts = textOf(tree, node).split(".");
  const name = parts.pop()!.replace(/^[(:]+|\)$/g, "");
  if (name === "" || /\s/.test(name)) return undefined;
  return parts.length > 0 && parts.every((part) => /^\w+$/.test(part)) ? { name, owner: parts.join(".") } : { name };
}

/** `f(x) = ...` is a function; other values are constants when in capitals or on several lines. */
function assignment(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const [left = none, , right] = childrenOf(tree, node);
  const parent = typeOf(tree, parentOf(tree, node));
  if (parent === "const_statement") return undefined;
  if (/^(?:call_expression|where_expression)$/.test(typeOf(tree, left)) || isTypedCall(tree, left)) {
    const called = calledIn(tree, left);
    return called && documented(tree, node, { kind: "function", ...called, body: right });
  }
  // A field with a default, in a structure made by a macro.
  if (parent === "struct_definition") {
    const nameNode = typeOf(tree, left) === "identifier" ? left : (within(tree, left, "identifier")[0] ?? none);
    return { kind: memberKind, name: textOf(tree, nameNode) };
  }
  if (typeOf(tree, left) !== "identifier" || (inside !== undefined && inside !== "module")) return undefined;
  if (parent !== "source_file" && parent !== "module_definition") return undefined;
  const name = textOf(tree, left);
  return isUpperCase(name) || spansLines(tree, node) ? { kind: "constant", name } : undefined;
}

function isTypedCall(tree: SyntaxTree, node: number): boolean {
  return typeOf(tree, node) === "typed_expression" && typeOf(tree, node + 1) === "call_expression";
}

function constant(tree: SyntaxTree, node: number): Declaration | undefined {
  const [left = none, , right] = childrenOf(tree, childOf(tree, node, "assignment"));
  const name = textOf(tree, typeOf(tree, left) === "identifier" ? left : (within(tree, left, "identifier")[0] ?? none));
  const isFunction = /^(?:arrow_function_expression|function_expression)$/.test(typeOf(tree, right ?? none));
  return documented(tree, node, { kind: isFunction ? "function" : "constant", name });
}

/** A field of a structure, with or without a type, or a value of an enumeration. */
function field(tree: SyntaxTree, node: number): Declaration | undefined {
  const parent = typeOf(tree, parentOf(tree, node));
  if (parent !== "struct_definition" && !(parent === "macro_argument_list" && isEnumerated(tree, node)))
    return undefined;
  const nameNode = typeOf(tree, node) === "identifier" ? node : (within(tree, node, "identifier")[0] ?? none);
  return documented(tree, node, { kind: memberKind, name: textOf(tree, nameNode) });
}

/** `open` in `@enum State open closed`. */
function isEnumerated(tree: SyntaxTree, node: number): boolean {
  const call = parentOf(tree, parentOf(tree, node));
  return textOf(tree, childOf(tree, call, "macro_identifier")) === "@enum" && previousSibling(tree, node) !== none;
}

/** Macros that declare: `@enum State open closed`, `@testset "..." begin`. */
function macroCall(tree: SyntaxTree, node: number): Declaration | undefined {
  const macro = textOf(tree, childOf(tree, node, "macro_identifier"));
  if (macro !== "@enum" && macro !== "@testset") return undefined;
  const parameters = childrenOf(tree, childOf(tree, node, "macro_argument_list"));
  if (macro === "@enum") {
    const nameNode = parameters[0] ?? none;
    const name = typeOf(tree, nameNode) === "identifier" ? nameNode : (within(tree, nameNode, "identifier")[0] ?? none);
    return documented(tree, node, { kind: "enum", name: textOf(tree, name), open: true });
  }
  const title = parameters.find((each) => typeOf(tree, each) === "string_literal");
  const body = parameters.find((each) => /_(?:statement|literal)$/.test(typeOf(tree, each)) && each !== title);
  if (title === undefined) return undefined;
  return { kind: "function", name: unquoted(textOf(tree, title)), body, test: true };
}

/** A string directly before a declaration is its doc. */
function documented(tree: SyntaxTree, node: number, declaration: Declaration): Declaration {
  let declared = node;
  while (julia.wrappers.includes(typeOf(tree, parentOf(tree, declared)))) declared = parentOf(tree, declared);
  const before = previousSibling(tree, declared);
  if (typeOf(tree, before) !== "string_literal") return declaration;
  const isAbove = /^[ \t]*\r?\n?[ \t]*$/.test(tree.text.slice(tree.ends[before], tree.starts[declared]));
  return isAbove ? { ...declaration, doc: before } : declaration;
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  return childrenOf(tree, node).map((each) => {
    const [path = each, ...names] = childrenOf(tree, each);
    const type = typeOf(tree, each);
    if (type === "selected_import" || type === "import_alias")
      return { module: textOf(tree, path), names: names.map((name) => textOf(tree, name).replace(/^.*\bas\s+/s, "")) };
    const module = textOf(tree, each);
    return { module, names: [module.slice(module.lastIndexOf(".") + 1)] };
  });
}

/** `include("stock.jl")` imports a file. */
function included(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  if (textOf(tree, node + 1) !== "include") return undefined;
  const path = unquoted(textOf(tree, within(tree, node, "string_literal")[0] ?? none));
  return path === "" ? undefined : [{ module: path.startsWith(".") ? path : `./${path}`, names: [] }];
}
