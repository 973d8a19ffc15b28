import { type Declaration, declares, field, fieldNamed, type ImportedName, initialiser, type Rules } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

export const java: Rules = {
  units: {
    class_declaration: declares("class"),
    record_declaration: declares("class"),
    interface_declaration: declares("interface"),
    annotation_type_declaration: declares("interface"),
    enum_declaration: declares("enum"),
    method_declaration: declares("function"),
    constructor_declaration: declares("function"),
    compact_constructor_declaration: declares("function"),
    field_declaration: member,
    constant_declaration: member,
    formal_parameter: component,
    enum_constant: enumConstant,
    annotation_type_element_declaration: field(),
    static_initializer: initialiser("static"),
    block: instanceInitialiser,
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

function member(tree: SyntaxTree, node: number): Declaration | undefined {
  const declarators = childrenOf(tree, node).filter((child) => typeOf(tree, child) === "variable_declarator");
  return fieldNamed(
    tree,
    declarators.map((each) => childAs(tree, each, "name")),
  );
}

/** A component of a record. */
function component(tree: SyntaxTree, node: number): Declaration | undefined {
  if (typeOf(tree, tree.parents[tree.parents[node]!]!) !== "record_declaration") return undefined;
  return { kind: "field", name: textOf(tree, childAs(tree, node, "name")) };
}

/** An enum constant may have methods of its own. */
function enumConstant(tree: SyntaxTree, node: number): Declaration {
  return {
    kind: "field",
    name: textOf(tree, childAs(tree, node, "name")),
    open: childAs(tree, node, "body") !== none,
  };
}

function instanceInitialiser(tree: SyntaxTree, node: number): Declaration | undefined {
  return typeOf(tree, tree.parents[node]!) === "class_body" ? { kind: "block", name: "init" } : undefined;
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const path = textOf(tree, childOf(tree, node, "scoped_identifier", "identifier"));
  const all = childOf(tree, node, "asterisk") !== none;
  return [{ module: all ? `${path}.*` : path, names: [all ? "*" : path.slice(path.lastIndexOf(".") + 1)] }];
}
