import type { Kind } from "../../../item.ts";
import {
  atModuleLevel,
  type Declaration,
  declares,
  type Imported,
  isUpperCase,
  type Rules,
  spansLines,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

const functions = ["arrow_function", "function_expression", "generator_function", "function"];

/** JavaScript, TypeScript and their JSX forms: the node types of one do not disturb the other. */
export const javascript: Rules = {
  units: {
    function_declaration: declares("function"),
    generator_function_declaration: declares("function"),
    function_signature: declares("function"),
    class_declaration: declares("class"),
    abstract_class_declaration: declares("class"),
    class: anonymousClass,
    method_definition: declares("function"),
    abstract_method_signature: declares("function"),
    field_definition: field,
    public_field_definition: field,
    interface_declaration: declares("interface", { open: false }),
    type_alias_declaration: declares("type"),
    enum_declaration: declares("enum", { open: false }),
    internal_module: namespace,
    module: namespace,
    variable_declarator: variable,
    assignment_expression: assignment,
    pair: member,
    export_statement: defaultFunction,
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
  transparent: wrapsModule,
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

function isFunction(tree: SyntaxTree, node: number): boolean {
  return functions.includes(typeOf(tree, node));
}

/** `(function () { ... })()` and `define([...], function () { ... })` hold a module's declarations. */
function wrapsModule(tree: SyntaxTree, node: number): boolean {
  let outer = tree.parents[node]!;
  while (
    outer !== none &&
    ["parenthesized_expression", "unary_expression", "await_expression"].includes(typeOf(tree, outer))
  )
    outer = tree.parents[outer]!;
  const type = typeOf(tree, outer);
  // `(function () {}).call(this)` puts a member expression between them.
  if (type === "member_expression") return /^(call|apply)$/.test(textOf(tree, childAs(tree, outer, "property")));
  if (type === "call_expression") return true;
  return (
    type === "arguments" &&
    /^(define|require|requirejs|System\.register)$/.test(textOf(tree, childAs(tree, tree.parents[outer]!, "function")))
  );
}

/** The function inside a value: itself, or the one handed to a wrapper such as `memo(() => ...)`. */
function functionIn(tree: SyntaxTree, value: number): number {
  if (isFunction(tree, value)) return value;
  if (typeOf(tree, value) !== "call_expression" || !spansLines(tree, value)) return none;
  const given = childrenOf(tree, childAs(tree, value, "arguments")).filter((child) => isFunction(tree, child));
  return given.length === 1 && given[0] !== undefined ? given[0] : none;
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
  const value = childAs(tree, node, "value");
  if (typeOf(tree, target) !== "identifier") return undefined;
  const name = textOf(tree, target);
  const declared = ofValue(tree, value, name);
  if (declared) return declared;
  if (inside !== undefined && inside !== "module") return undefined;
  const exported = typeOf(tree, tree.parents[tree.parents[node]!]!) === "export_statement";
  if (!exported && !isUpperCase(name) && !spansLines(tree, node)) return undefined;
  return { kind: "constant", name, open: isObject(tree, value) };
}

function isObject(tree: SyntaxTree, value: number): boolean {
  const type = typeOf(tree, value);
  if (type === "object") return true;
  if (type === "satisfies_expression" || type === "as_expression") return childOf(tree, value, "object") !== none;
  return type === "call_expression" && childOf(tree, childAs(tree, value, "arguments"), "object") !== none;
}

/** `exports.f = function`, `app.use = ...`, `Foo.prototype.bar = ...`, `window.x = class`. */
function assignment(tree: SyntaxTree, node: number): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "expression_statement") return undefined;
  const left = childAs(tree, node, "left");
  let right = childAs(tree, node, "right");
  // `exports.a = exports.b = function`: the last value is what both are.
  while (typeOf(tree, right) === "assignment_expression") right = childAs(tree, right, "right");
  const target = textOf(tree, left);
  const path = target.split(".");
  if (typeOf(tree, left) !== "member_expression" || path.some((part) => !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part))) {
    return typeOf(tree, left) === "identifier" ? ofValue(tree, right, target) : undefined;
  }
  const kept = path.filter(
    (part) => !["exports", "module", "prototype", "window", "globalThis", "self", "this"].includes(part),
  );
  if (kept.length === 0) {
    const own = textOf(tree, childAs(tree, right, "name"));
    return own === "" ? undefined : ofValue(tree, right, own);
  }
  const owner = kept.slice(0, -1).join(".");
  return ofValue(tree, right, kept.at(-1)!, owner === "" ? undefined : owner);
}

/** `name: function () {}` in an object that itself is open. */
function member(tree: SyntaxTree, node: number): Declaration | undefined {
  const key = childAs(tree, node, "key");
  const value = childAs(tree, node, "value");
  if (!isFunction(tree, value)) return undefined;
  return ofValue(tree, value, typeOf(tree, key) === "string" ? unquoted(textOf(tree, key)) : textOf(tree, key));
}

function field(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = childAs(tree, node, "name") === none ? childAs(tree, node, "property") : childAs(tree, node, "name");
  const value = childAs(tree, node, "value");
  return isFunction(tree, value) ? ofValue(tree, value, textOf(tree, name)) : undefined;
}

function anonymousClass(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) === "export_statement")
    return { kind: "class", name: "default", body: bodyOf(tree, node), open: true };
  return atModuleLevel(declares("class"))(tree, node, inside);
}

/** `export default function () {}` and `export default () => {}` have no name but the export's. */
function defaultFunction(tree: SyntaxTree, node: number): Declaration | undefined {
  const value = childAs(tree, node, "value");
  if (!isFunction(tree, value)) return undefined;
  return ofValue(tree, value, textOf(tree, childAs(tree, value, "name")) || "default");
}

function imported(tree: SyntaxTree, node: number): Imported[] {
  const clause = childOf(tree, node, "import_clause");
  const source = childAs(tree, node, "source");
  const require = childOf(tree, node, "import_require_clause");
  if (require !== none) {
    return [
      {
        module: unquoted(textOf(tree, childAs(tree, require, "source"))),
        names: [textOf(tree, childOf(tree, require, "identifier"))],
      },
    ];
  }
  const names = clause === none ? [] : boundNames(tree, clause);
  return [{ module: unquoted(textOf(tree, source)), names, aliases: aliasesIn(tree, node) }];
}

function aliasesIn(tree: SyntaxTree, node: number): Record<string, string> {
  const specifiers = within(tree, node, "import_specifier").filter((each) => childAs(tree, each, "alias") !== none);
  return Object.fromEntries(
    specifiers.map((each) => [textOf(tree, childAs(tree, each, "alias")), textOf(tree, childAs(tree, each, "name"))]),
  );
}

function boundNames(tree: SyntaxTree, clause: number): string[] {
  return childrenOf(tree, clause).flatMap((child) => {
    const type = typeOf(tree, child);
    if (type === "identifier") return [textOf(tree, child)];
    if (type === "namespace_import") return [textOf(tree, childOf(tree, child, "identifier"))];
    if (type !== "named_imports") return [];
    return childrenOf(tree, child).flatMap((specifier) => {
      const alias = childAs(tree, specifier, "alias");
      const name = alias === none ? childAs(tree, specifier, "name") : alias;
      return name === none ? [] : [textOf(tree, name)];
    });
  });
}

function reexported(tree: SyntaxTree, node: number): Imported[] | undefined {
  const source = childAs(tree, node, "source");
  if (source === none) return undefined;
  const names = within(tree, node, "export_specifier").map((specifier) =>
    textOf(tree, childAs(tree, specifier, "name")),
  );
  return [{ module: unquoted(textOf(tree, source)), names }];
}

function requiredModule(tree: SyntaxTree, value: number): string | undefined {
  let call = value;
  while (["member_expression", "call_expression", "await_expression"].includes(typeOf(tree, call))) {
    const callee = typeOf(tree, call) === "call_expression" ? childAs(tree, call, "function") : none;
    if (callee !== none && /^(require|import)$/.test(textOf(tree, callee))) {
      const given = childOf(tree, childAs(tree, call, "arguments"), "string");
      return given === none ? undefined : unquoted(textOf(tree, given));
    }
    call = call + 1 < tree.after[call]! ? call + 1 : none;
  }
  return undefined;
}

function required(tree: SyntaxTree, node: number): Imported[] | undefined {
  const module = requiredModule(tree, childAs(tree, node, "value"));
  if (module === undefined) return undefined;
  const target = childAs(tree, node, "name");
  if (typeOf(tree, target) === "identifier") return [{ module, names: [textOf(tree, target)] }];
  const names = [
    ...within(tree, target, "shorthand_property_identifier_pattern"),
    ...within(tree, target, "pair_pattern").map((pair) => childAs(tree, pair, "value")),
  ];
  return [{ module, names: names.map((name) => textOf(tree, name)) }];
}

function bareRequire(tree: SyntaxTree, node: number): Imported[] | undefined {
  const call = childOf(tree, node, "call_expression");
  if (call === none || textOf(tree, childAs(tree, call, "function")) !== "require") return undefined;
  const module = requiredModule(tree, call);
  return module === undefined ? undefined : [{ module, names: [] }];
}
