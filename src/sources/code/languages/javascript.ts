import type { Kind } from "../../../item.ts";
import {
  atModuleLevel,
  type Declaration,
  declares,
  field,
  initialiser,
  isModule,
  isUpperCase,
  type Rules,
  spansLines,
  unquoted,
} from "../rules.ts";
import { around, childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";
import { callback, functions, holdsTests, isFunction } from "./javascript-callbacks.ts";
import { bareRequire, imported, reexported, required } from "./javascript-imports.ts";

/** JavaScript, TypeScript and their JSX forms: their node types do not conflict. */
export const javascript: Rules = {
  units: {
    function_declaration: declares("function"),
    generator_function_declaration: declares("function"),
    function_signature: declares("function"),
    class_declaration: declares("class"),
    abstract_class_declaration: declares("class"),
    class: anonymousClass,
    method_definition: method,
    abstract_method_signature: declares("function"),
    field_definition: classField,
    public_field_definition: classField,
    class_static_block: initialiser("static"),
    interface_declaration: declares("interface"),
    property_signature: signature,
    method_signature: signature,
    type_alias_declaration: alias,
    enum_declaration: declares("enum"),
    enum_assignment: field(),
    property_identifier: enumMember,
    internal_module: namespace,
    module: namespace,
    variable_declarator: variable,
    assignment_expression: assignment,
    pair: member,
    shorthand_property_identifier_pattern: destructured,
    pair_pattern: destructured,
    export_statement: defaultFunction,
    function_expression: unusual,
    generator_function: unusual,
    arrow_function: unusual,
    call_expression: callback,
  },
  wrappers: [
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "expression_statement",
    "ambient_declaration",
  ],
  prefixes: ["decorator"],
  decorators: ["decorator"],
  comments: ["comment", "html_comment"],
  strings: ["string", "template_string", "regex", "jsx_text"],
  opaque: [...functions, "for_statement", "for_in_statement", "while_statement"],
  transparent: (tree, node) => wrapsModule(tree, node) || holdsTests(tree, node),
  calls: {
    call_expression: "function",
    new_expression: "constructor",
    jsx_opening_element: "name",
    jsx_self_closing_element: "name",
  },
  elements: ["jsx_opening_element", "jsx_self_closing_element"],
  members: {
    member_expression: "property",
    nested_identifier: "property",
    generic_type: "name",
    nested_type_identifier: "name",
    non_null_expression: "*",
    instantiation_expression: "*",
  },
  names: ["identifier", "property_identifier", "private_property_identifier"],
  types: ["type_identifier"],
  heritage: { class_heritage: "extends", implements_clause: "implements", extends_type_clause: "extends" },
  notHeritage: ["type_arguments", "arguments", "call_expression", "comment"],
  typed: {
    required_parameter: { name: "pattern", type: "type" },
    optional_parameter: { name: "pattern", type: "type" },
    variable_declarator: { name: "name", type: "type", value: "value" },
    public_field_definition: { name: "name", type: "type", value: "value" },
    field_definition: { name: "property", value: "value" },
    assignment_expression: { name: "left", value: "right" },
    property_signature: { name: "name", type: "type" },
    type_alias_declaration: { name: "name", type: "value" },
  },
  imports: {
    import_statement: imported,
    export_statement: reexported,
    variable_declarator: required,
    expression_statement: bareRequire,
  },
};

function namespace(tree: SyntaxTree, node: number): Declaration | undefined {
  const declaration = declares("module")(tree, node, undefined);
  return declaration && { ...declaration, name: unquoted(declaration.name) };
}

/** `(function () { ... })()` and `define([...], function () { ... })` contain a module's declarations. */
function wrapsModule(tree: SyntaxTree, node: number): boolean {
  let outer = tree.parents[node]!;
  while (
    outer !== none &&
    ["parenthesized_expression", "unary_expression", "await_expression"].includes(typeOf(tree, outer))
  )
    outer = tree.parents[outer]!;
  const type = typeOf(tree, outer);
  // `(function () {}).call(this)` has a member expression in between.
  if (type === "member_expression") return /^(call|apply)$/.test(textOf(tree, childAs(tree, outer, "property")));
  if (type === "call_expression") return true;
  return (
    type === "arguments" &&
    /^(define|require|requirejs|System\.register)$/.test(textOf(tree, childAs(tree, tree.parents[outer]!, "function")))
  );
}

/**
 * The function in a value: itself, a branch (`ready ? function () {} : noop`), or the argument of a wrapper such as
 * `memo(() => ...)`.
 */
function functionIn(tree: SyntaxTree, value: number): number {
  if (isFunction(tree, value)) return value;
  if (branches.includes(typeOf(tree, value)))
    return (
      childrenOf(tree, value)
        .map((child) => functionIn(tree, child))
        .find((found) => found !== none) ?? none
    );
  if (typeOf(tree, value) !== "call_expression" || !spansLines(tree, value)) return none;
  const functions = childrenOf(tree, childAs(tree, value, "arguments")).filter((child) => isFunction(tree, child));
  return functions.length === 1 && functions[0] !== undefined ? functions[0] : none;
}

/** Nodes that choose between values. */
const branches = ["ternary_expression", "binary_expression", "parenthesized_expression"];

/** `a = b = value`: the last value counts for both. */
function lastAssigned(tree: SyntaxTree, value: number): number {
  let last = value;
  while (typeOf(tree, last) === "assignment_expression") last = childAs(tree, last, "right");
  return last;
}

function bodyOf(tree: SyntaxTree, holder: number): number | undefined {
  const body = childAs(tree, holder, "body");
  return body === none ? undefined : body;
}

function ofValue(tree: SyntaxTree, value: number, name: string, owner?: string): Declaration | undefined {
  const body = functionIn(tree, value);
  if (body !== none) return { kind: "function", name, owner, body: bodyOf(tree, body) };
  if (typeOf(tree, value) === "class") return { kind: "class", name, owner, body: bodyOf(tree, value), open: true };
  return undefined;
}

function variable(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const target = childAs(tree, node, "name");
  const value = lastAssigned(tree, childAs(tree, node, "value"));
  if (typeOf(tree, target) !== "identifier") return undefined;
  const name = textOf(tree, target);
  const declared = ofValue(tree, value, name);
  if (declared) return declared;
  if (!isModule(inside)) return undefined;
  const exported = typeOf(tree, tree.parents[tree.parents[node]!]!) === "export_statement";
  if (!exported && !isUpperCase(name) && !spansLines(tree, node)) return { kind: "field", name };
  return { kind: "constant", name, open: isObject(tree, value) };
}

/** `const { a, b: c } = thing` at the top of a module. */
function destructured(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (!isModule(inside) || typeOf(tree, tree.parents[node]!) !== "object_pattern") return undefined;
  const declarator = tree.parents[tree.parents[node]!]!;
  if (typeOf(tree, declarator) !== "variable_declarator") return undefined;
  const value = childAs(tree, node, "value");
  const name = textOf(tree, value === none ? node : value);
  return required(tree, declarator) || !/^[\p{L}\p{N}_$]+$/u.test(name) ? undefined : { kind: "field", name };
}

/** An object type is open: its members are fields. */
function alias(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const declared = declares("type")(tree, node, inside);
  return declared && { ...declared, open: within(tree, node, "property_signature", "method_signature").length > 0 };
}

/** A member of an interface or an object type. */
function signature(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (inside !== "interface" && inside !== "type") return undefined;
  return { kind: "field", name: unquoted(textOf(tree, childAs(tree, node, "name"))) };
}

function enumMember(tree: SyntaxTree, node: number): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "enum_body") return undefined;
  return { kind: "field", name: textOf(tree, node) };
}

function isObject(tree: SyntaxTree, value: number): boolean {
  const type = typeOf(tree, value);
  if (type === "object") return true;
  if (type === "satisfies_expression" || type === "as_expression") return childOf(tree, value, "object") !== none;
  return type === "call_expression" && childOf(tree, childAs(tree, value, "arguments"), "object") !== none;
}

/** `exports.f = function`, `app.use = ...`, `Foo.prototype.bar = ...`, `window.x = class`. */
function assignment(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "expression_statement") return undefined;
  const left = childAs(tree, node, "left");
  const right = lastAssigned(tree, childAs(tree, node, "right"));
  const target = textOf(tree, left);
  const path = target.split(".");
  if (typeOf(tree, left) !== "member_expression" || path.some((part) => !/^#?[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part))) {
    return typeOf(tree, left) === "identifier" ? ofValue(tree, right, target) : undefined;
  }
  const ofClass = path.length === 2 && path[0] === "this" && inConstructor(tree, node);
  if (ofClass && ofValue(tree, right, target) === undefined)
    return { kind: "field", name: withoutSign(path[1]!), ofOuter: true };
  const names = path.filter(
    (part) => !["exports", "module", "prototype", "window", "globalThis", "self", "this"].includes(part),
  );
  if (names.length === 0) return path.at(-1) === "exports" ? exportedValue(tree, right) : undefined;
  const owner = names.slice(0, -1).join(".") || undefined;
  const name = names.at(-1)!;
  const declared = ofValue(tree, right, name, owner);
  // `exports.limit = 3` and `Shop.open = true`; inside functions it is an ordinary assignment.
  return declared ?? (isModule(inside) ? { kind: "field", name, owner, open: isObject(tree, right) } : undefined);
}

function inConstructor(tree: SyntaxTree, node: number): boolean {
  const method = around(tree, node, "method_definition", ...functions, "function_declaration");
  return typeOf(tree, method) === "method_definition" && textOf(tree, childAs(tree, method, "name")) === "constructor";
}

/** `name: function () {}` in an open object, and the members of a constant's own object. */
function member(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const key = childAs(tree, node, "key");
  const value = childAs(tree, node, "value");
  const name = typeOf(tree, key) === "string" ? unquoted(textOf(tree, key)) : textOf(tree, key);
  if (isFunction(tree, value)) return ofValue(tree, value, name);
  if (inside !== "constant" || !/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) return undefined;
  return isOfConstant(tree, tree.parents[node]!) ? { kind: "field", name, open: isObject(tree, value) } : undefined;
}

const wrapping = ["as_expression", "satisfies_expression", "arguments", "call_expression", "assignment_expression"];

/** True for an object of several lines that is the value of a variable, possibly wrapped. */
function isOfConstant(tree: SyntaxTree, object: number): boolean {
  let outer = tree.parents[object]!;
  while (wrapping.includes(typeOf(tree, outer))) outer = tree.parents[outer]!;
  return typeOf(tree, outer) === "variable_declarator" && spansLines(tree, object);
}

/** A private name without its `#`, as it is searched. */
function withoutSign(name: string): string {
  return name.replace(/^#/, "");
}

function method(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const declared = declares("function")(tree, node, inside);
  return declared && { ...declared, name: withoutSign(declared.name) };
}

function classField(tree: SyntaxTree, node: number): Declaration | undefined {
  const nameNode = childAs(tree, node, "name") === none ? childAs(tree, node, "property") : childAs(tree, node, "name");
  const name = withoutSign(textOf(tree, nameNode));
  const value = childAs(tree, node, "value");
  return isFunction(tree, value) ? ofValue(tree, value, name) : { kind: "field", name, open: isObject(tree, value) };
}

function anonymousClass(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) === "export_statement")
    return { kind: "class", name: "default", body: bodyOf(tree, node), open: true, ofModule: true };
  return atModuleLevel(declares("class"))(tree, node, inside);
}

/** `export default function () {}` and `export default () => {}` are named after the export. */
function defaultFunction(tree: SyntaxTree, node: number): Declaration | undefined {
  const value = childAs(tree, node, "value");
  if (!isFunction(tree, value)) return undefined;
  return exportedValue(tree, value);
}

/** The exported value under its own name, if it has one. */
function exportedValue(tree: SyntaxTree, value: number): Declaration | undefined {
  const own = textOf(tree, childAs(tree, value, "name"));
  if (own !== "") return ofValue(tree, value, own);
  const declared = ofValue(tree, value, "default");
  return declared && { ...declared, ofModule: true };
}

/** `export default ready && function start() {}`: a function outside any declaration, call or module. */
function unusual(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (!isModule(inside) || wrapsModule(tree, node)) return undefined;
  const holder = around(
    tree,
    node,
    "export_statement",
    "expression_statement",
    "arguments",
    "variable_declarator",
    "pair",
  );
  if (!["export_statement", "expression_statement"].includes(typeOf(tree, holder))) return undefined;
  const name = textOf(tree, childAs(tree, node, "name"));
  if (name !== "") return { kind: "function", name, body: bodyOf(tree, node) };
  if (typeOf(tree, holder) !== "export_statement") return undefined;
  return { kind: "function", name: "default", body: bodyOf(tree, node), ofModule: true };
}
