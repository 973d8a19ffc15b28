import { type Declaration, declares, field, fieldNamed, type ImportedName, type Rules } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";
import { withoutSplitConditions } from "./split-conditions.ts";

export const csharp: Rules = {
  units: {
    namespace_declaration: declares("module"),
    class_declaration: declares("class"),
    struct_declaration: declares("class"),
    record_declaration: declares("class"),
    record_struct_declaration: declares("class"),
    interface_declaration: declares("interface"),
    enum_declaration: declares("enum"),
    enum_member_declaration: field(),
    field_declaration: member,
    event_field_declaration: member,
    delegate_declaration: declares("type"),
    method_declaration: declares("function"),
    constructor_declaration: declares("function"),
    destructor_declaration: declares("function"),
    operator_declaration: operator,
    conversion_operator_declaration: operator,
    indexer_declaration: indexer,
    property_declaration: property,
  },
  wrappers: [],
  decorators: ["attribute_list"],
  comments: ["comment"],
  strings: [
    "string_literal",
    "verbatim_string_literal",
    "raw_string_literal",
    "interpolated_string_expression",
    "character_literal",
  ],
  opaque: ["lambda_expression", "anonymous_method_expression"],
  calls: { invocation_expression: "function", object_creation_expression: "type" },
  members: {
    member_access_expression: "name",
    member_binding_expression: "name",
    conditional_access_expression: "last",
    qualified_name: "name",
    generic_name: "*",
  },
  names: ["identifier"],
  heritage: { base_list: "extends" },
  interfaceName: /^I\p{Lu}/u,
  notHeritage: ["type_argument_list", "argument_list"],
  typed: {
    parameter: { name: "name", type: "type" },
    variable_declarator: { name: "name", type: "type", value: "last", parent: true },
    property_declaration: { name: "name", type: "type" },
  },
  imports: { using_directive: imported },
  readable: withoutSplitConditions,
};

function property(tree: SyntaxTree, node: number): Declaration | undefined {
  const accessors = childAs(tree, node, "accessors");
  const body = accessors === none ? childAs(tree, node, "value") : accessors;
  const name = textOf(tree, childAs(tree, node, "name"));
  // `{ get; set; }` does nothing.
  if (accessors !== none && /^\{(?:\s*\w+)*(?:\s*\w+\s*;)+\s*\}$/.test(textOf(tree, accessors)))
    return { kind: "field", name };
  return { kind: "function", name, body: body === none ? undefined : body };
}

function member(tree: SyntaxTree, node: number): Declaration | undefined {
  const declaration = childOf(tree, node, "variable_declaration");
  const declarators = childrenOf(tree, declaration).filter((child) => typeOf(tree, child) === "variable_declarator");
  return fieldNamed(
    tree,
    declarators.map((each) => childAs(tree, each, "name")),
  );
}

function indexer(tree: SyntaxTree, node: number): Declaration {
  const accessors = childAs(tree, node, "accessors");
  const body = accessors === none ? childAs(tree, node, "value") : accessors;
  return { kind: "function", name: "this[]", body: body === none ? undefined : body };
}

function operator(tree: SyntaxTree, node: number): Declaration {
  const body = childAs(tree, node, "body");
  const sign = /\boperator\s*([^\s(]+)/.exec(textOf(tree, node))?.[1] ?? "";
  return { kind: "function", name: `operator${sign}`, body: body === none ? undefined : body };
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const match = /^(?:global\s+)?using\s+(?:static\s+)?(?:([\w@]+)\s*=\s*)?([\w.@:<>, ]+?)\s*;?$/.exec(
    textOf(tree, node),
  );
  const module = match?.[2] ?? "";
  return [{ module, names: [match?.[1] ?? module.slice(module.lastIndexOf(".") + 1)] }];
}
