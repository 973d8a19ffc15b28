import { declares, type Imported, type Rules } from "../rules.ts";
import { childOf, none, type SyntaxTree, textOf } from "../tree.ts";

export const java: Rules = {
  units: {
    class_declaration: declares("class"),
    record_declaration: declares("class"),
    interface_declaration: declares("interface"),
    annotation_type_declaration: declares("interface", { open: false }),
    enum_declaration: declares("enum"),
    method_declaration: declares("function"),
    constructor_declaration: declares("function"),
    compact_constructor_declaration: declares("function"),
  },
  wrappers: [],
  decorators: ["marker_annotation", "annotation"],
  comments: ["line_comment", "block_comment"],
  strings: ["string_literal", "character_literal"],
  opaque: ["lambda_expression", "object_creation_expression"],
  calls: { method_invocation: "name", object_creation_expression: "type" },
  members: { scoped_identifier: "name", field_access: "field", generic_type: "*", scoped_type_identifier: "last" },
  names: ["identifier"],
  types: ["type_identifier"],
  heritage: { superclass: "extends", super_interfaces: "implements", extends_interfaces: "extends" },
  notHeritage: ["type_arguments", "marker_annotation", "annotation"],
  typed: {
    formal_parameter: { name: "name", type: "type" },
    resource: { name: "name", type: "type" },
    variable_declarator: { name: "name", type: "type", value: "value", parent: true },
  },
  imports: { import_declaration: imported },
};

function imported(tree: SyntaxTree, node: number): Imported[] {
  const path = textOf(tree, childOf(tree, node, "scoped_identifier", "identifier"));
  const all = childOf(tree, node, "asterisk") !== none;
  return [{ module: all ? `${path}.*` : path, names: [all ? "*" : path.slice(path.lastIndexOf(".") + 1)] }];
}
