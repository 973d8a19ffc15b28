import type { Kind } from "../../../item.ts";
import { type Declaration, memberKind, type Rules } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";
import { c } from "./c.ts";
import { blank } from "./split-conditions.ts";

export const objectivec: Rules = {
  ...c,
  units: {
    ...c.units,
    declaration: declared,
    class_interface: container("class"),
    class_implementation: container("class"),
    protocol_declaration: container("interface"),
    method_declaration: method,
    method_definition: method,
    property_declaration: variable,
    instance_variable: variable,
  },
  wrappers: ["implementation_definition"],
  opaque: ["block_literal"],
  calls: { ...c.calls, message_expression: "method" },
  heritage: {
    "class_interface.superclass": "extends",
    parameterized_arguments: "implements",
    protocol_reference_list: "implements",
  },
  imports: { ...c.imports, module_import: imported },
  readable: withoutMacros,
};

/** As in C, and `static NSString *const name = ...`, whose `const` is part of the declarator. */
function declared(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const declaration = c.units.declaration!(tree, node, inside);
  if (inside !== undefined || declaration?.kind === "function") return declaration;
  const declarator = childAs(tree, node, "declarator");
  const nameNode = typeOf(tree, declarator) === "identifier" ? declarator : within(tree, declarator, "identifier")[0];
  if (nameNode === undefined || !/\bconst\b/.test(tree.text.slice(tree.starts[node], tree.starts[nameNode])))
    return declaration;
  return { kind: "constant", name: textOf(tree, nameNode) };
}

/** An interface, its categories and its implementation are parts of one class and share its name. */
function container(kind: Kind) {
  return (tree: SyntaxTree, node: number): Declaration => {
    const nameNode = childOf(tree, node, "identifier");
    // The signature is the first line: the members follow without a body node.
    const line = tree.text.indexOf("\n", tree.starts[nameNode]);
    const body = childrenOf(tree, node).find(
      (child) => typeOf(tree, child) === "instance_variables" || (line !== -1 && tree.starts[child]! > line),
    );
    return { kind, name: textOf(tree, nameNode), body, open: true };
  };
}

/** A method is named after the first word of its selector, like messages. */
function method(tree: SyntaxTree, node: number): Declaration {
  const body = childOf(tree, node, "compound_statement");
  return {
    kind: "function",
    name: textOf(tree, childOf(tree, node, "identifier")),
    body: body === none ? undefined : body,
  };
}

function variable(tree: SyntaxTree, node: number): Declaration | undefined {
  const declarator = within(tree, node, "struct_declarator")[0] ?? none;
  if (declarator === none) return undefined;
  const nameNode = within(tree, declarator, "identifier", "field_identifier")[0] ?? none;
  return { kind: memberKind, name: textOf(tree, nameNode) };
}

function imported(tree: SyntaxTree, node: number) {
  const module = textOf(tree, node)
    .replace(/^@import\s+/, "")
    .replace(/\s*;$/, "");
  return [{ module, names: [module.slice(module.lastIndexOf(".") + 1)] }];
}

/**
 * The text in a form that the grammar can parse, with every offset unchanged. Macros stand where C allows none:
 * `typedef NS_ENUM(NSInteger, State) {` becomes `enum State {`, `FOUNDATION_EXPORT` becomes `extern`, and macros alone
 * on a line or at the end of a declaration (`NS_ASSUME_NONNULL_BEGIN`, `API_AVAILABLE(ios(10))`) are blanked.
 */
function withoutMacros(text: string): string {
  return text
    .replace(enumMacro, (_, space: string, head: string, name: string, close: string) =>
      ["enum   ", blank(space), blank(head), name, blank(close)].join(""),
    )
    .replace(aloneMacro, blank)
    .replace(leadingMacro, (macro) => "extern".padEnd(macro.length))
    .replace(trailingMacro, (_, declaration: string, macro: string) => declaration + blank(macro));
}

const enumMacro = /\btypedef(\s+)((?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\s*\([^,()]*,\s*)(\w+)(\s*\))(?=\s*\{)/g;
const aloneMacro = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*$/gm;
const leadingMacro = /^[A-Z][A-Z0-9]*_(?:EXPORT|EXTERN|EXTERN_C|INLINE|API)(?=[ \t]+[A-Za-z_])/gm;
const trailingMacro =
  /^((?![^\n]{0,400}(?:=|\breturn\b))[^\n;{}]{0,400}[\w)*\]])([ \t]{1,40}[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,60}(?:\((?:[^()\n]|\([^()\n]{0,60}\)){0,200}\))?)(?=[ \t]*[;{])/gm;
