import type { Kind } from "../../../item.ts";
import {
  callbackUnit,
  constantOrField,
  type Declaration,
  declares,
  field,
  fieldNamed,
  type ImportedName,
  isModule,
  type Rules,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const php: Rules = {
  units: {
    namespace_definition: namespace,
    class_declaration: declares("class"),
    interface_declaration: declares("interface"),
    trait_declaration: declares("class"),
    enum_declaration: declares("enum"),
    function_definition: declares("function"),
    method_declaration: declares("function"),
    const_element: constantOrField(constant),
    property_declaration: properties,
    property_promotion_parameter: promoted,
    enum_case: field(),
    assignment_expression: variable,
    scoped_call_expression: callback,
    member_call_expression: callback,
    function_call_expression: callback,
  },
  wrappers: ["const_declaration", "expression_statement"],
  decorators: ["attribute_list"],
  comments: ["comment"],
  strings: ["string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression"],
  opaque: ["anonymous_function", "anonymous_function_creation_expression", "arrow_function", "anonymous_class"],
  calls: {
    function_call_expression: "function",
    member_call_expression: "name",
    nullsafe_member_call_expression: "name",
    scoped_call_expression: "name",
    object_creation_expression: "*",
  },
  members: { qualified_name: "last", namespace_name: "last" },
  names: ["name"],
  heritage: { base_clause: "extends", class_interface_clause: "implements", use_declaration: "extends" },
  typed: {
    simple_parameter: { name: "name", type: "type" },
    property_promotion_parameter: { name: "name", type: "type" },
    property_element: { name: "*", type: "type", parent: true },
    assignment_expression: { name: "left", value: "right" },
  },
  imports: {
    namespace_use_declaration: used,
    require_once_expression: required,
    require_expression: required,
    include_once_expression: required,
    include_expression: required,
  },
};

function namespace(tree: SyntaxTree, node: number): Declaration | undefined {
  const body = childAs(tree, node, "body");
  const name = textOf(tree, childAs(tree, node, "name")).replaceAll("\\", ".");
  return body === none || name === "" ? undefined : { kind: "module", name, body, open: true };
}

function constant(tree: SyntaxTree, node: number): Declaration {
  return { kind: "constant", name: textOf(tree, childOf(tree, node, "name")) };
}

/** Properties; their names are searched without the `$`. */
function properties(tree: SyntaxTree, node: number): Declaration | undefined {
  const elements = childrenOf(tree, node).filter((child) => typeOf(tree, child) === "property_element");
  return fieldNamed(
    tree,
    elements.map((each) => childOf(tree, childAs(tree, each, "name"), "name")),
  );
}

function promoted(tree: SyntaxTree, node: number): Declaration {
  return { kind: "field", name: textOf(tree, childAs(tree, node, "name")).slice(1), ofOuter: true };
}

function variable(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const left = childAs(tree, node, "left");
  const isStatement = typeOf(tree, tree.parents[node]!) === "expression_statement";
  if (!isModule(inside) || !isStatement || typeOf(tree, left) !== "variable_name") return undefined;
  return { kind: "field", name: textOf(tree, left).slice(1) };
}

/** `Route::get('/x', function ...)`, `it('adds', function ...)`: named after the call and its first string. */
function callback(tree: SyntaxTree, node: number): Declaration | undefined {
  const parameters = childrenOf(tree, childAs(tree, node, "arguments"));
  const title = childOf(tree, parameters[0] ?? none, "string", "encapsed_string");
  const handler = childOf(tree, parameters.at(-1) ?? none, "anonymous_function", "arrow_function");
  if (title === none || handler === none) return undefined;
  const called = tree.text.slice(tree.starts[node], tree.starts[childAs(tree, node, "arguments")]).replace(/^\$/, "");
  if (!/^[\w:>-]+$/.test(called)) return undefined;
  return callbackUnit(tree, node, {
    called: called.replace(/::|->/g, "."),
    title,
    body: childAs(tree, handler, "body"),
  });
}

function used(tree: SyntaxTree, node: number): ImportedName[] {
  const prefix = childOf(tree, node, "namespace_name");
  return within(tree, node, "namespace_use_clause").map((clause) => {
    const path = textOf(
      tree,
      childrenOf(tree, clause).find((child) => ["qualified_name", "name"].includes(typeOf(tree, child))) ?? none,
    );
    const module = prefix === none ? path : `${textOf(tree, prefix)}\\${path}`;
    const alias = textOf(tree, childAs(tree, clause, "alias"));
    const last = module.slice(module.lastIndexOf("\\") + 1);
    return { module, names: [alias || last], aliases: alias ? { [alias]: last } : {} };
  });
}

function required(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const path = within(tree, node, "string", "encapsed_string")[0];
  return path === undefined ? undefined : [{ module: unquoted(textOf(tree, path)), names: [] }];
}
