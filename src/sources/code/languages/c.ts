import {
  atModuleLevel,
  type Declaration,
  declares,
  field,
  type ImportedName,
  isUpperCase,
  type Rules,
  spansLines,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

const shared = {
  comments: ["comment"],
  strings: ["string_literal", "raw_string_literal", "char_literal", "system_lib_string"],
  names: ["identifier", "field_identifier"],
  types: ["type_identifier"],
} as const;

export const c: Rules = {
  ...shared,
  units: {
    function_definition: functionOf,
    declaration: declared,
    struct_specifier: withBody("class"),
    union_specifier: withBody("class"),
    enum_specifier: withBody("enum"),
    type_definition: typedef,
    field_declaration: member,
    enumerator: field(),
    preproc_def: atModuleLevel(macro),
    preproc_function_def: atModuleLevel(declares("function", { body: "value" })),
  },
  wrappers: [],
  calls: { call_expression: "function" },
  members: { field_expression: "field" },
  imports: { preproc_include: included },
};

export const cpp: Rules = {
  ...shared,
  units: {
    ...c.units,
    class_specifier: withBody("class"),
    field_declaration: (tree, node) => prototype(tree, node) ?? member(tree, node),
    namespace_definition: namespace,
    alias_declaration: atModuleLevel(declares("type")),
    concept_definition: declares("interface", { open: false }),
  },
  wrappers: ["template_declaration"],
  opaque: ["lambda_expression"],
  calls: { call_expression: "function", new_expression: "type" },
  members: {
    field_expression: "field",
    qualified_identifier: "name",
    template_function: "name",
    template_method: "name",
    template_type: "name",
    dependent_name: "*",
  },
  heritage: { base_class_clause: "extends" },
  notHeritage: ["template_argument_list", "access_specifier"],
  typed: {
    declaration: { name: "declarator", type: "type" },
    parameter_declaration: { name: "declarator", type: "type" },
    field_declaration: { name: "declarator", type: "type" },
    init_declarator: { name: "declarator", type: "type", value: "value", parent: true },
  },
  imports: { preproc_include: included, using_declaration: using },
};

type Named = { name: string; owner?: string };

/** The declared name in `*f(...)`, `&Foo::bar(...)`, `(*callback)(...)`. */
function declaredName(tree: SyntaxTree, declarator: number): Named | undefined {
  let node = declarator;
  while (node !== none) {
    const type = typeOf(tree, node);
    if (type === "qualified_identifier") return qualifiedName(textOf(tree, node));
    if (type === "operator_cast") return { name: textOf(tree, node).split("(")[0]!.replace(/\s+/g, " ").trim() };
    if (/identifier$|^operator_name$|^destructor_name$/.test(type))
      return { name: textOf(tree, node).replace(/\s+/g, " ") };
    const inner = childAs(tree, node, "declarator");
    node = inner === none && node + 1 < tree.after[node]! ? node + 1 : inner;
  }
  return undefined;
}

function qualifiedName(text: string): Named {
  const parts = withoutArguments(text).replace(/\s+/g, " ").split("::");
  const name = parts.pop()!.trim();
  const owner = parts.filter((part) => part !== "").join(".");
  return owner === "" ? { name } : { name, owner };
}

/** `Canvas<T>::draw` without its template arguments; `operator<` stays. */
function withoutArguments(text: string): string {
  let depth = 0;
  let result = "";
  const end = text.includes("operator") ? text.indexOf("operator") : text.length;
  for (const character of text.slice(0, end)) {
    if (character === "<") depth++;
    else if (character === ">") depth--;
    else if (depth <= 0) result += character;
  }
  return result + text.slice(end);
}

function functionDeclarator(tree: SyntaxTree, node: number): number {
  let inner = childAs(tree, node, "declarator");
  while (inner !== none && typeOf(tree, inner) !== "function_declarator") {
    if (!/^(?:pointer|reference|parenthesized|attributed)_declarator$/.test(typeOf(tree, inner))) return none;
    const next = childAs(tree, inner, "declarator");
    inner = next === none && inner + 1 < tree.after[inner]! ? inner + 1 : next;
  }
  return inner;
}

function functionOf(tree: SyntaxTree, node: number): Declaration | undefined {
  const declarator = childAs(tree, node, "declarator");
  const name = isMacroTest(tree, node, declarator) ? testName(tree, declarator) : declaredName(tree, declarator);
  const body = childAs(tree, node, "body");
  return name && { kind: "function", ...name, body: body === none ? undefined : body };
}

/** `TEST_F(Suite, Name) { ... }` looks like a function without a type; its name is in the parentheses. */
function isMacroTest(tree: SyntaxTree, node: number, declarator: number): boolean {
  return childAs(tree, node, "type") === none && /^[A-Z][A-Z0-9_]+\s*\(\s*\w+/.test(textOf(tree, declarator));
}

function testName(tree: SyntaxTree, declarator: number): Named {
  const words = textOf(tree, childAs(tree, declarator, "parameters")).match(/\w+/g) ?? [];
  const name = words.pop() ?? textOf(tree, declarator);
  return words.length > 0 ? { name, owner: words.join(".") } : { name };
}

/** A function prototype, or a constant with a value. */
function declared(tree: SyntaxTree, node: number, inside: string | undefined): Declaration | undefined {
  const asPrototype = prototype(tree, node);
  if (asPrototype) return asPrototype;
  if (inside !== undefined && inside !== "module") return undefined;
  const declarator = childAs(tree, node, "declarator");
  if (typeOf(tree, declarator) !== "init_declarator") return member(tree, node);
  const declaredAs = declaredName(tree, declarator);
  const isConstant = /\b(?:const|constexpr|constinit)\b/.test(
    tree.text.slice(tree.starts[node], tree.starts[declarator]),
  );
  if (!declaredAs || !(isConstant || isUpperCase(declaredAs.name) || spansLines(tree, node))) return member(tree, node);
  return { kind: "constant", ...declaredAs };
}

/** A member of a structure, or a file-level variable: `int a, *b;`. */
function member(tree: SyntaxTree, node: number): Declaration | undefined {
  const members = childrenOf(tree, node)
    .filter((child) => tree.fieldNames[tree.roles[child]!] === "declarator")
    .flatMap((child) => declaredName(tree, child) ?? []);
  const [first, ...rest] = members;
  return first && { kind: "field", ...first, ...(rest.length > 0 ? { also: rest.map(({ name }) => name) } : {}) };
}

function prototype(tree: SyntaxTree, node: number): Declaration | undefined {
  const direct = childAs(tree, node, "declarator");
  const declarator = typeOf(tree, direct) === "operator_cast" ? direct : functionDeclarator(tree, node);
  // `int (*callback)(int)` is a pointer to a function.
  if (declarator === none || typeOf(tree, childAs(tree, declarator, "declarator")) === "parenthesized_declarator")
    return undefined;
  const name = declaredName(tree, declarator);
  return name && { kind: "function", ...name };
}

function withBody(kind: "class" | "enum") {
  const rule = declares(kind);
  return (tree: SyntaxTree, node: number): Declaration | undefined => {
    // `typedef struct { ... } name` is one declaration with that name.
    const isPart = typeOf(tree, tree.parents[node]!) === "type_definition";
    const declaration = isPart || childAs(tree, node, "body") === none ? undefined : rule(tree, node, undefined);
    return declaration && { ...declaration, ...qualifiedName(declaration.name) };
  };
}

function typedef(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = declaredName(tree, childAs(tree, node, "declarator"));
  if (!name) return undefined;
  const type = childAs(tree, node, "type");
  const body = childAs(tree, type, "body");
  if (body === none) return { kind: "type", ...name };
  return { kind: typeOf(tree, type) === "enum_specifier" ? "enum" : "class", ...name, body, open: true };
}

/** Include guards (`#define RING_H`) have no value and are no constants. */
function macro(tree: SyntaxTree, node: number): Declaration | undefined {
  if (childAs(tree, node, "value") === none) return undefined;
  return { kind: "constant", name: textOf(tree, childAs(tree, node, "name")) };
}

function namespace(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name")).replace(/\s*::\s*/g, ".");
  const body = childAs(tree, node, "body");
  return name === "" || body === none ? undefined : { kind: "module", name, body, open: true };
}

function included(tree: SyntaxTree, node: number): ImportedName[] {
  return [{ module: unquoted(textOf(tree, childAs(tree, node, "path"))), names: [] }];
}

function using(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const name = textOf(tree, childOf(tree, node, "qualified_identifier", "identifier"));
  if (name === "" || childrenOf(tree, node).length === 0) return undefined;
  const isNamespace = /^using\s+namespace\b/.test(textOf(tree, node));
  return [{ module: name, names: isNamespace ? ["*"] : [name.split("::").at(-1)!] }];
}
