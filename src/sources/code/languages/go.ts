import type { Kind } from "../../../item.ts";
import {
  atModuleLevel,
  type Declaration,
  declares,
  field,
  fieldNamed,
  type ImportedName,
  type Rules,
  unquoted,
} from "../rules.ts";
import { childAs, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const go: Rules = {
  units: {
    function_declaration: declares("function"),
    method_declaration: method,
    type_spec: type,
    type_alias: declares("type"),
    field_declaration: fieldOf,
    method_elem: field(),
    const_spec: atModuleLevel(declares("constant")),
    var_spec: atModuleLevel(declares("constant")),
  },
  wrappers: ["type_declaration", "const_declaration", "var_declaration", "var_spec_list"],
  comments: ["comment"],
  strings: ["interpreted_string_literal", "raw_string_literal", "rune_literal"],
  opaque: ["func_literal"],
  calls: { call_expression: "function", composite_literal: "type" },
  members: {
    selector_expression: "field",
    qualified_type: "name",
    generic_type: "type",
    parenthesized_expression: "*",
  },
  names: ["identifier", "field_identifier"],
  types: ["type_identifier"],
  typed: {
    parameter_declaration: { name: "name", type: "type" },
    var_spec: { name: "name", type: "type", value: "value", calls: true },
    short_var_declaration: { name: "left", value: "right", calls: true },
    function_declaration: { name: "name", type: "result" },
    method_declaration: { name: "name", type: "result" },
    field_declaration: { name: "name", type: "type", embedded: true },
    type_elem: { name: [], type: ["type_identifier", "qualified_type"], embedded: true },
    type_alias: { name: "name", type: "type" },
  },
  imports: { import_declaration: imported },
};

function method(tree: SyntaxTree, node: number): Declaration | undefined {
  const receiver = within(tree, childAs(tree, node, "receiver"), "type_identifier")[0] ?? none;
  const body = childAs(tree, node, "body");
  return {
    kind: "method",
    name: textOf(tree, childAs(tree, node, "name")),
    owner: receiver === none ? undefined : textOf(tree, receiver),
    body: body === none ? undefined : body,
  };
}

function type(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name"));
  const value = childAs(tree, node, "type");
  const shape = typeOf(tree, value);
  if (shape === "struct_type")
    return { kind: "class", name, body: within(tree, value, "field_declaration_list")[0], open: true };
  if (shape === "interface_type") return { kind: "interface", name, open: true };
  return { kind: "type", name };
}

/** `A, B int`, or an embedded type, which goes by its own name. */
function fieldOf(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (inside !== "class") return undefined;
  const names = childrenOf(tree, node).filter((child) => typeOf(tree, child) === "field_identifier");
  return fieldNamed(tree, names.length > 0 ? names : within(tree, node, "type_identifier").slice(0, 1));
}

/** The imports of a statement. A group is one statement, so a line of it is not. */
function imported(tree: SyntaxTree, node: number): ImportedName[] {
  return within(tree, node, "import_spec").flatMap((spec) => importedPackage(tree, spec));
}

function importedPackage(tree: SyntaxTree, node: number): ImportedName[] {
  const module = unquoted(textOf(tree, childAs(tree, node, "path")));
  const alias = textOf(tree, childAs(tree, node, "name"));
  if (alias === "_") return [{ module, names: [] }];
  if (alias === ".") return [{ module, names: ["*"] }];
  // A package is named after the last part of its path before a major version: `github.com/a/go-b/v2` is b or go-b.
  const parts = module.split("/").filter((part, index) => index === 0 || !/^v\d+$/.test(part));
  const last = parts.at(-1)!.replace(/\.v\d+$/, "");
  return [{ module, names: alias ? [alias] : [...new Set([last, last.replace(/^go-|[-.]go$/g, "")])] }];
}
