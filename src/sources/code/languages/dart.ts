import {
  callbackUnit,
  type Declaration,
  declares,
  field,
  fieldNamed,
  type ImportedName,
  type Rules,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

const signatures = [
  "function_signature",
  "getter_signature",
  "setter_signature",
  "constructor_signature",
  "factory_constructor_signature",
  "constant_constructor_signature",
  "redirecting_factory_constructor_signature",
  "operator_signature",
];

export const dart: Rules = {
  units: {
    class_definition: declares("class"),
    mixin_declaration: withBody("class", "class_body"),
    extension_declaration: declares("class"),
    extension_type_declaration: withBody("class", "extension_body"),
    enum_declaration: declares("enum"),
    type_alias: (tree, node) => ({ kind: "type", name: textOf(tree, childOf(tree, node, "type_identifier")) }),
    function_signature: signature,
    getter_signature: signature,
    setter_signature: signature,
    method_signature: signature,
    declaration: (tree, node) => signature(tree, node) ?? member(tree, node),
    static_final_declaration: constant,
    initialized_identifier_list: variables,
    enum_constant: field(),
    expression_statement: callback,
  },
  wrappers: ["static_final_declaration_list"],
  prefixes: ["annotation"],
  decorators: ["annotation"],
  comments: ["comment", "documentation_comment"],
  strings: ["string_literal"],
  opaque: ["function_expression"],
  calls: { argument_part: "previous", constructor_invocation: "*", const_object_expression: "*", new_expression: "*" },
  members: { selector: "*", unconditional_assignable_selector: "*", conditional_assignable_selector: "*" },
  names: ["identifier"],
  types: ["type_identifier"],
  heritage: { superclass: "extends", mixins: "extends", interfaces: "implements" },
  notHeritage: ["type_arguments"],
  imports: { import_or_export: imported, part_directive: part },
};

function withBody(kind: "class", bodyType: string) {
  return (tree: SyntaxTree, node: number): Declaration | undefined => {
    const name = textOf(tree, childOf(tree, node, "identifier", "type_identifier"));
    const body = childOf(tree, node, bodyType);
    return name === "" ? undefined : { kind, name, body: body === none ? undefined : body, open: true };
  };
}

/** A body is the next sibling of its signature. */
function signature(tree: SyntaxTree, node: number): Declaration | undefined {
  const inner = signatures.includes(typeOf(tree, node)) ? node : childOf(tree, node, ...signatures);
  if (inner === none) return undefined;
  const names = childrenOf(tree, inner).filter((child) => typeOf(tree, child) === "identifier");
  const name =
    typeOf(tree, inner) === "operator_signature"
      ? (/\boperator\s*([^\s(]+)/.exec(textOf(tree, inner))?.[1] ?? "")
      : textOf(tree, names.at(-1) ?? none);
  if (name === "") return undefined;
  const next = tree.after[node]!;
  const hasBody =
    next < tree.count && tree.parents[next] === tree.parents[node] && typeOf(tree, next) === "function_body";
  return hasBody ? { kind: "function", name, body: next, last: next } : { kind: "function", name };
}

/** `late int a, b` of a class. */
function member(tree: SyntaxTree, node: number): Declaration | undefined {
  return fieldNamed(tree, declaredNames(tree, node));
}

function declaredNames(tree: SyntaxTree, node: number): number[] {
  return within(tree, node, "initialized_identifier", "static_final_declaration").map((each) =>
    childOf(tree, each, "identifier"),
  );
}

/** File-level variables; their type is before the list, on the same line. */
function variables(tree: SyntaxTree, node: number): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "program") return undefined;
  const line = tree.text.lastIndexOf("\n", tree.starts[node]! - 1) + 1;
  const isAlone = !/[;{}]/.test(tree.text.slice(line, tree.starts[node]));
  const declared = fieldNamed(tree, declaredNames(tree, node));
  return declared && { ...declared, start: isAlone ? line : undefined };
}

/** `test('adds', () { ... })`: named after the call and its first string. */
function callback(tree: SyntaxTree, node: number): Declaration | undefined {
  const called = childOf(tree, node, "identifier");
  const argumentNode = within(tree, node, "arguments")[0] ?? none;
  const [first, last] = [childrenOf(tree, argumentNode)[0], childrenOf(tree, argumentNode).at(-1)];
  const title = childOf(tree, first ?? none, "string_literal");
  const handler = childOf(tree, last ?? none, "function_expression");
  if (called !== node + 1 || title === none || handler === none) return undefined;
  return callbackUnit(tree, node, {
    called: textOf(tree, called),
    title,
    body: childAs(tree, handler, "body"),
  });
}

function constant(tree: SyntaxTree, node: number): Declaration | undefined {
  const list = tree.parents[node]!;
  if (typeOf(tree, tree.parents[list]!) !== "program") return undefined;
  // `const` and the type are before the list, on the same line.
  const line = tree.text.lastIndexOf("\n", tree.starts[list]! - 1) + 1;
  const before = tree.text.slice(line, tree.starts[list]);
  const start = /^\s*(?:late\s+)?(?:const|final)\b[^;{}]*$/.test(before) ? line : undefined;
  return { kind: "constant", name: textOf(tree, childOf(tree, node, "identifier")), start };
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const text = textOf(tree, node);
  const module = unquoted(textOf(tree, within(tree, node, "string_literal")[0] ?? none));
  const alias = /\bas\s+(\w+)/.exec(text)?.[1];
  const shownNames = /\bshow\s+([\w\s,]+?)(?:\bhide\b|;|$)/.exec(text)?.[1]?.split(",");
  return [{ module, names: alias ? [alias] : (shownNames ?? ["*"]).map((name) => name.trim()) }];
}

function part(tree: SyntaxTree, node: number): ImportedName[] {
  const module = unquoted(textOf(tree, within(tree, node, "string_literal")[0] ?? none));
  return [{ module: module.startsWith(".") ? module : `./${module}`, names: [] }];
}
