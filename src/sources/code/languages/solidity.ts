import { atModuleLevel, type Declaration, declares, field, type ImportedName, type Rules, unquoted } from "../rules.ts";
import { childAs, childrenOf, none, type SyntaxTree, textOf } from "../tree.ts";

export const solidity: Rules = {
  units: {
    contract_declaration: declares("class"),
    library_declaration: declares("class"),
    interface_declaration: declares("interface"),
    struct_declaration: declares("class"),
    enum_declaration: declares("enum"),
    event_definition: declares("type"),
    error_declaration: declares("type"),
    function_definition: declares("function"),
    modifier_definition: declares("function"),
    constructor_definition: special("constructor"),
    fallback_receive_definition: special("receive"),
    state_variable_declaration: field(),
    struct_member: field(),
    enum_value: (tree, node) => ({ kind: "field", name: textOf(tree, node) }),
    constant_variable_declaration: atModuleLevel(declares("constant")),
    user_defined_type_definition: declares("type"),
  },
  wrappers: [],
  comments: ["comment"],
  strings: ["string", "string_literal", "hex_string_literal", "unicode_string_literal"],
  calls: { call_expression: "function", modifier_invocation: "*", emit_statement: "name", new_expression: "name" },
  members: { expression: "*", member_expression: "property", user_defined_type: "last", type_name: "*" },
  names: ["identifier"],
  heritage: { inheritance_specifier: "extends" },
  notHeritage: ["call_argument"],
  imports: { import_directive: imported },
};

function special(name: string) {
  return (tree: SyntaxTree, node: number): Declaration => {
    const body = childAs(tree, node, "body");
    return { kind: "function", name, body: body === none ? undefined : body };
  };
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const names: string[] = [];
  for (const child of childrenOf(tree, node)) {
    const role = tree.fieldNames[tree.roles[child]!];
    if (role === "alias") names.splice(-1, 1, textOf(tree, child));
    else if (role === "import_name") names.push(textOf(tree, child));
  }
  return [{ module: unquoted(textOf(tree, childAs(tree, node, "source"))), names: names.length > 0 ? names : ["*"] }];
}
