import type { Kind } from "../../../item.ts";
import { type Declaration, declares, type ImportedName, isUpperCase, type Rules, unquoted } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const bash: Rules = {
  units: { function_definition: declares("function"), variable_assignment: variable },
  wrappers: ["declaration_command"],
  comments: ["comment"],
  strings: ["string", "raw_string", "ansi_c_string", "heredoc_body"],
  opaque: ["for_statement", "while_statement", "subshell"],
  calls: { command: "name" },
  members: { command_name: "*" },
  names: ["word", "variable_name"],
  imports: { command: sourced },
};

function variable(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (inside !== undefined) return undefined;
  const name = textOf(tree, childAs(tree, node, "name"));
  const isDeclared = typeOf(tree, tree.parents[node]!) === "declaration_command";
  return { kind: isDeclared && isUpperCase(name) ? "constant" : "field", name };
}

function sourced(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  if (!/^(?:source|\.)$/.test(textOf(tree, childAs(tree, node, "name")))) return undefined;
  const module = unquoted(textOf(tree, childAs(tree, node, "argument")));
  return module === "" ? undefined : [{ module, names: [] }];
}

export const powershell: Rules = {
  units: {
    function_statement: (tree, node) => ({
      kind: "function",
      name: textOf(tree, childOf(tree, node, "function_name")),
      body: scriptBody(tree, node),
    }),
    class_statement: classOf,
    class_property_definition: (tree, node) => fieldOf(childOf(tree, node, "variable"), tree),
    enum_member: (tree, node) => fieldOf(childOf(tree, node, "simple_name"), tree),
    assignment_expression: (tree, node, inside) =>
      inside === undefined ? fieldOf(within(tree, node, "variable")[0] ?? none, tree) : undefined,
    class_method_definition: (tree, node) => ({
      kind: "function",
      name: textOf(tree, childOf(tree, node, "simple_name")),
      body: scriptBody(tree, node),
    }),
    enum_statement: (tree, node) => ({
      kind: "enum",
      name: textOf(tree, childOf(tree, node, "simple_name")),
      body: memberOf(tree, node, "enum_member"),
      open: true,
    }),
  },
  wrappers: ["pipeline"],
  comments: ["comment"],
  strings: [
    "string_literal",
    "expandable_string_literal",
    "verbatim_string_characters",
    "expandable_here_string_literal",
    "verbatim_here_string_characters",
  ],
  opaque: ["script_block_expression"],
  calls: { command: "command_name" },
  members: {},
  names: ["command_name", "simple_name", "function_name"],
  types: ["type_identifier"],
  imports: { command: loaded },
};

function fieldOf(name: number, tree: SyntaxTree): Declaration {
  return { kind: "field", name: textOf(tree, name).replace(/^\$(?:\w+:)?/, "") };
}

/** The start of the body after the parameters, which are declared inside it. */
function scriptBody(tree: SyntaxTree, node: number): number | undefined {
  const block = childOf(tree, node, "script_block");
  if (block === none) return undefined;
  const inner = childOf(tree, block, "param_block") === none ? none : childOf(tree, block, "script_block_body");
  return inner === none ? block : inner;
}

function memberOf(tree: SyntaxTree, node: number, ...types: string[]): number | undefined {
  const first = childOf(tree, node, ...types);
  return first === none ? undefined : first;
}

function classOf(tree: SyntaxTree, node: number): Declaration {
  const body = memberOf(tree, node, "class_property_definition", "class_method_definition");
  return { kind: "class", name: textOf(tree, childOf(tree, node, "simple_name")), body, open: true };
}

function loaded(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const command = textOf(tree, childAs(tree, node, "command_name")).toLowerCase();
  if (command !== "import-module" && command !== "using") return undefined;
  const words = childrenOf(tree, childAs(tree, node, "command_elements")).filter((child) =>
    /token|string|expression/.test(typeOf(tree, child)),
  );
  const module = unquoted(textOf(tree, words.at(-1) ?? none)).replaceAll("\\", "/");
  return module === "" ? undefined : [{ module, names: [] }];
}
