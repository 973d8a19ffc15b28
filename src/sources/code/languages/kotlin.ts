import type { Kind } from "../../../item.ts";
import {
  type Declaration,
  declares,
  type ImportedName,
  memberKind,
  type Rules,
  spansLines,
  valueKind,
} from "../rules.ts";
import { around, childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const kotlin: Rules = {
  units: {
    class_declaration: type,
    object_declaration: (tree, node) => ({ ...declarationOf(tree, node, "class"), ...bodyOf(tree, node), open: true }),
    enum_entry: (tree, node) => ({ kind: memberKind, name: textOf(tree, childOf(tree, node, "identifier")) }),
    function_declaration: functionOf,
    secondary_constructor: special("constructor"),
    anonymous_initializer: special("init"),
    property_declaration: property,
    class_parameter: parameter,
    type_alias: declares("type", { name: "type" }),
  },
  wrappers: [],
  // An annotation with arguments above a top-level declaration is parsed as an expression of its own.
  prefixes: ["annotated_expression"],
  decorators: ["annotation"],
  comments: ["line_comment", "block_comment"],
  strings: ["string_literal", "multiline_string_literal", "character_literal"],
  opaque: ["lambda_literal", "anonymous_function", "object_literal"],
  calls: { call_expression: "*", constructor_invocation: "*" },
  members: { navigation_expression: "last", user_type: "*", explicit_delegation: "*", constructor_invocation: "*" },
  names: ["identifier"],
  heritage: { delegation_specifier: "implements" },
  heritageKind: superclass,
  notHeritage: ["type_arguments", "value_arguments"],
  typed: {
    parameter: { name: ["identifier"], type: ["user_type", "nullable_type"] },
    class_parameter: { name: ["identifier"], type: ["user_type", "nullable_type"] },
    variable_declaration: { name: ["identifier"], type: ["user_type", "nullable_type"] },
    property_declaration: { name: ["variable_declaration"], value: "last" },
  },
  imports: { import: imported },
  readable: (text) => withLineEnd(withConstructors(text)),
};

/**
 * Moves constructors to the line of the class's name, where the grammar requires them; formatters put them on the next
 * line.
 */
function withConstructors(text: string): string {
  return text.replace(brokenHead, (head) => head.replaceAll("\n", " "));
}

/**
 * Adds a line end, because after an annotation the grammar's scanner looks for white space or a line end and does not
 * stop at the end of the text.
 */
function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

const modifier = String.raw`(?:private|internal|protected|public|@\w+(?:\([^()\n]{0,200}\))?)`;
const brokenHead = new RegExp(
  String.raw`\bclass[ \t]+\w+[ \t]*(?:<[^<>(){}]{0,500}>)?[ \t\r]{0,80}(?:\n[ \t\r]{0,80}(?:${modifier}[ \t\r]{0,80})?){1,6}(?:${modifier}[ \t]{1,80}){0,6}constructor\b`,
  "g",
);

function declarationOf(tree: SyntaxTree, node: number, kind: Kind): Declaration {
  return { kind, name: textOf(tree, childAs(tree, node, "name")).replaceAll("`", "") };
}

function bodyOf(tree: SyntaxTree, node: number): Pick<Declaration, "body"> {
  const body = childOf(tree, node, "class_body", "enum_class_body", "function_body", "block");
  return body === none ? {} : { body };
}

/** Classes, interfaces and enumerations share one node type: the keywords distinguish them. */
function type(tree: SyntaxTree, node: number): Declaration {
  const keywords = tree.text.slice(tree.starts[node], tree.starts[childAs(tree, node, "name")]);
  const kind = /\b(?:interface|annotation\s+class)\s+$/.test(keywords)
    ? "interface"
    : /\benum\s+class\s+$/.test(keywords)
      ? "enum"
      : "class";
  return { ...declarationOf(tree, node, kind), ...bodyOf(tree, node), open: true };
}

/** Only a class's constructor can be called; an interface only extends interfaces. */
function superclass(tree: SyntaxTree, nameNode: number): "extends" | undefined {
  const declaration = around(tree, nameNode, "class_declaration", "object_declaration", "object_literal");
  const isInterface = typeOf(tree, declaration) === "class_declaration" && type(tree, declaration).kind === "interface";
  return typeOf(tree, nameNode) === "constructor_invocation" || isInterface ? "extends" : undefined;
}

/** An extension function belongs to the type it extends: `fun List<T>.priced()`. */
function functionOf(tree: SyntaxTree, node: number): Declaration {
  return {
    ...declarationOf(tree, node, "function"),
    ...receiver(tree, node, childAs(tree, node, "name")),
    ...bodyOf(tree, node),
  };
}

function receiver(tree: SyntaxTree, node: number, before: number): Pick<Declaration, "owner"> {
  const types = childrenOf(tree, node).filter((child) => child < before && /_type$/.test(typeOf(tree, child)));
  // An extension of a function type, `fun (Int.() -> Unit).twice()`, belongs to no type.
  const owner = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/u.exec(textOf(tree, types[0] ?? none))?.[0];
  if (owner === undefined) return {};
  // `fun <T : Command> T.run()` extends commands, `fun <T> T.run()` everything.
  const parameters = textOf(tree, childOf(tree, node, "type_parameters"));
  const own = new RegExp(`(?<![\\p{L}\\p{N}_])${owner}\\s*(?::\\s*([\\p{L}_][\\p{L}\\p{N}_.]*)|[,>])`, "u").exec(
    parameters,
  );
  if (!own) return { owner };
  return own[1] === undefined ? {} : { owner: own[1] };
}

function special(name: string) {
  return (tree: SyntaxTree, node: number): Declaration => ({ kind: "function", name, ...bodyOf(tree, node) });
}

/** A property with accessors of several lines is a function. */
function property(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration {
  const variable = childOf(tree, node, "variable_declaration");
  const name = textOf(tree, childOf(tree, variable, "identifier")).replaceAll("`", "");
  const accessor = childOf(tree, node, "getter", "setter");
  const isComputed = accessor !== none && spansLines(tree, accessor);
  const kind = isComputed ? "function" : valueKind(inside);
  return { kind, name, ...receiver(tree, node, variable), body: isComputed ? accessor : undefined };
}

/** `val name: String` in a class header is a property; on the class's own line the class shows it. */
function parameter(tree: SyntaxTree, node: number): Declaration | undefined {
  const start = tree.starts[node]!;
  const line = tree.text.slice(tree.text.lastIndexOf("\n", start) + 1, start);
  const nameNode = childOf(tree, node, "identifier");
  if (line.trim() !== "" || !/\b(?:val|var)\s+$/.test(tree.text.slice(start, tree.starts[nameNode]))) return undefined;
  return { kind: memberKind, name: textOf(tree, nameNode) };
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const path = textOf(tree, childOf(tree, node, "qualified_identifier", "identifier"));
  if (/\.\*\s*$/.test(textOf(tree, node))) return [{ module: `${path}.*`, names: ["*"] }];
  const alias = within(tree, node, "identifier").find((each) => tree.parents[each] === node);
  return [{ module: path, names: [alias === undefined ? path.slice(path.lastIndexOf(".") + 1) : textOf(tree, alias)] }];
}
