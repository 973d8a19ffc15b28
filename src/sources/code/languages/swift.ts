import type { Kind } from "../../../item.ts";
import {
  type Declaration,
  declares,
  fieldNamed,
  type ImportedName,
  isModule,
  type Rules,
  spansLines,
} from "../rules.ts";
import { around, childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const swift: Rules = {
  units: {
    class_declaration: type,
    protocol_declaration: declares("interface"),
    function_declaration: functionOf,
    protocol_function_declaration: functionOf,
    init_declaration: special("init"),
    deinit_declaration: special("deinit"),
    subscript_declaration: special("subscript"),
    property_declaration: property,
    protocol_property_declaration: required,
    enum_entry: (tree, node) =>
      fieldNamed(
        tree,
        childrenOf(tree, node).filter((child) => tree.fieldNames[tree.roles[child]!] === "name"),
      ),
    typealias_declaration: (tree, node, inside) => ({
      kind: isModule(inside) ? "type" : "field",
      name: textOf(tree, childAs(tree, node, "name")),
    }),
  },
  wrappers: [],
  decorators: ["attribute"],
  comments: ["comment", "multiline_comment"],
  strings: ["line_string_literal", "multi_line_string_literal", "raw_string_literal", "regex_literal"],
  opaque: ["lambda_literal"],
  calls: { call_expression: "*" },
  members: { navigation_expression: "suffix", navigation_suffix: "suffix", user_type: "*" },
  names: ["simple_identifier"],
  types: ["type_identifier"],
  heritage: { inheritance_specifier: "extends" },
  heritageKind: conformance,
  notHeritage: ["type_arguments"],
  typed: {
    parameter: { name: "name", type: ["user_type", "optional_type"] },
    property_declaration: { name: "name", type: ["type_annotation"], value: "value" },
  },
  imports: { import_declaration: imported },
  readable: (text) => text.replace(/^[ \t]*#(?:if|elseif|else|endif|error|warning)\b.*$/gm, blank),
};

/**
 * Blanks a directive. Each branch of a condition is complete, so all branches are read; the grammar only accepts
 * conditions around statements.
 */
function blank(directive: string): string {
  return " ".repeat(directive.length);
}

/** Classes, structures, enumerations, actors and extensions share one node type: the keyword distinguishes them. */
function type(tree: SyntaxTree, node: number): Declaration | undefined {
  const nameNode = childAs(tree, node, "name");
  const name = /^[\p{L}_][\p{L}\p{N}_.]*/u.exec(textOf(tree, nameNode))?.[0];
  if (!name) return undefined;
  const keywords = tree.text.slice(tree.starts[node], tree.starts[nameNode]);
  const body = childAs(tree, node, "body");
  return {
    kind: /\benum\s+$/.test(keywords) ? "enum" : "class",
    name,
    body: body === none ? undefined : body,
    open: true,
  };
}

/** Only classes have a superclass, and it comes first; all other names there are protocols. */
function conformance(tree: SyntaxTree, nameNode: number): "implements" | undefined {
  const declaration = around(tree, nameNode, "class_declaration", "protocol_declaration");
  if (typeOf(tree, declaration) !== "class_declaration") return undefined;
  const keywords = tree.text.slice(tree.starts[declaration], tree.starts[childAs(tree, declaration, "name")]);
  const specifier = around(tree, nameNode, "inheritance_specifier");
  const isFirst = childOf(tree, declaration, "inheritance_specifier") === specifier;
  return /\bclass\s+$/.test(keywords) && isFirst ? undefined : "implements";
}

function functionOf(tree: SyntaxTree, node: number): Declaration | undefined {
  const nameNode = childAs(tree, node, "name");
  const body = childAs(tree, node, "body");
  // An operator is not a named node, so the first name there is a type.
  const name =
    typeOf(tree, nameNode) === "simple_identifier"
      ? textOf(tree, nameNode)
      : /\bfunc\s+([^\s(<]+|<+)/.exec(textOf(tree, node))?.[1];
  return name ? { kind: "function", name, body: body === none ? undefined : body } : undefined;
}

function special(name: string) {
  return (tree: SyntaxTree, node: number): Declaration => {
    const body = childOf(tree, node, "function_body", "computed_property");
    return { kind: "function", name, body: body === none ? undefined : body };
  };
}

/** Global constants, and computed properties of several lines. */
function property(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name"));
  const computed = childAs(tree, node, "computed_value");
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return undefined;
  if (computed !== none && spansLines(tree, computed)) return { kind: "function", name, body: computed };
  const isConstant = /\blet\b/.test(tree.text.slice(tree.starts[node], tree.starts[childAs(tree, node, "name")]));
  return { kind: isModule(inside) && isConstant ? "constant" : "field", name };
}

function required(tree: SyntaxTree, node: number): Declaration | undefined {
  return fieldNamed(tree, within(tree, childAs(tree, node, "name"), "simple_identifier").slice(0, 1));
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const module = textOf(tree, childOf(tree, node, "identifier"));
  return [{ module, names: [module.slice(module.lastIndexOf(".") + 1)] }];
}
