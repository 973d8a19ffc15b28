import type { Kind } from "../../../item.ts";
import { type Declaration, type ImportedName, memberKind, type Rules, unquoted, valueKind } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

const containers: Record<string, Declaration["kind"]> = {
  struct_declaration: "class",
  union_declaration: "class",
  opaque_declaration: "class",
  enum_declaration: "enum",
  error_set_declaration: "enum",
};

export const zig: Rules = {
  units: {
    variable_declaration: variable,
    container_field: field,
    function_declaration: functionOf,
    test_declaration: testOf,
    identifier: (tree, node) =>
      typeOf(tree, tree.parents[node]!) === "error_set_declaration"
        ? { kind: memberKind, name: textOf(tree, node) }
        : undefined,
  },
  wrappers: [],
  comments: ["comment"],
  strings: ["string", "multiline_string", "character"],
  calls: { call_expression: "function", struct_initializer: "*" },
  members: { field_expression: "member" },
  names: ["identifier"],
  imports: { variable_declaration: imported },
};

function isMember(tree: SyntaxTree, node: number): boolean {
  const parent = typeOf(tree, tree.parents[node]!);
  return parent === "source_file" || Object.hasOwn(containers, parent);
}

/** `const Seller = struct { ... }` declares a type; any other is a constant or a variable of its container. */
function variable(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (!isMember(tree, node)) return undefined;
  const name = textOf(tree, childOf(tree, node, "identifier"));
  const container = childOf(tree, node, ...Object.keys(containers));
  if (container === none) return { kind: valueKind(inside), name };
  return { kind: containers[typeOf(tree, container)]!, name, body: openingBrace(tree, container), open: true };
}

/** A container has no body node: the signature ends at its first member. */
function openingBrace(tree: SyntaxTree, container: number): number | undefined {
  const brace = tree.text.indexOf("{", tree.starts[container]);
  return childrenOf(tree, container).find((child) => tree.starts[child]! > brace);
}

function field(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name"));
  return isMember(tree, node) && name !== "" ? { kind: memberKind, name } : undefined;
}

/** A function that returns a type is a generic type: the type's members are its members. */
function functionOf(tree: SyntaxTree, node: number): Declaration {
  const body = childAs(tree, node, "body");
  const isType = textOf(tree, childAs(tree, node, "type")) === "type" && body !== none;
  return {
    kind: isType ? "class" : "function",
    name: textOf(tree, childAs(tree, node, "name")),
    body: body === none ? undefined : body,
    open: isType,
  };
}

function testOf(tree: SyntaxTree, node: number): Declaration {
  const name = unquoted(textOf(tree, childOf(tree, node, "string", "identifier")));
  const body = childOf(tree, node, "block");
  return { kind: "function", name: name === "" ? "test" : name, body: body === none ? undefined : body, test: true };
}

function imported(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const call = isMember(tree, node) ? within(tree, node, "builtin_function")[0] : undefined;
  if (call === undefined || !/^@(?:import|cImport)\b/.test(textOf(tree, call))) return undefined;
  // The value must be the module itself or a name from it: `@import("a.zig").b`.
  const value = tree.text.slice(tree.ends[call], tree.ends[node]).trim();
  if (!/^(?:\.[\w.]+)?;?$/.test(value)) return undefined;
  const module = unquoted(textOf(tree, within(tree, call, "string")[0] ?? none));
  return module === "" ? undefined : [{ module, names: [textOf(tree, childOf(tree, node, "identifier"))] }];
}
