import type { Kind } from "../../../item.ts";
import {
  callbackUnit,
  type Declaration,
  declares,
  field,
  type ImportedName,
  isModule,
  isUpperCase,
  memberKind,
  type Rules,
  spansLines,
  type UnitRule,
  unquoted,
} from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";
import { withoutMacros } from "./c-macros.ts";

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
    field_declaration: (tree, node) => prototype(tree, node) ?? member(tree, node),
    enumerator: field(),
    preproc_def: outsideFunctions(macro),
    preproc_function_def: outsideFunctions(declares("function", { body: "value" })),
  },
  wrappers: [],
  calls: { call_expression: "function" },
  members: { field_expression: "field" },
  imports: { preproc_include: included },
  readable: withoutMacros,
};

export const cpp: Rules = {
  ...shared,
  units: {
    ...c.units,
    class_specifier: withBody("class"),
    namespace_definition: namespace,
    alias_declaration: outsideFunctions(alias),
    concept_definition: declares("interface", { open: false }),
    expression_statement: titledBlock,
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
  readable: withoutMacros,
};

/**
 * Applies the rule outside functions, also in types: constants of a structure are often macros between its members, and
 * aliases are often at the head of a class.
 */
function outsideFunctions(rule: UnitRule): UnitRule {
  return (tree, node, inside) => (inside === "function" || inside === "method" ? undefined : rule(tree, node, inside));
}

function alias(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name"));
  return name === "" ? undefined : { kind: isModule(inside) ? "type" : memberKind, name };
}

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
  // `static redisAtomic size_t name`: a macro before the type makes the type a qualifier of the name.
  const name = parts
    .pop()!
    .trim()
    .replace(/^\w+ (?=\w+$)/, "");
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
  // After a macro that is not expanded, a statement may be read as the body of a function.
  if (name && statementWord.test(name.name)) return undefined;
  const body = childAs(tree, node, "body");
  const test = testMacro.test(textOf(tree, declarator)) ? { test: true } : {};
  return name && { kind: "function", ...name, ...test, body: body === none ? undefined : body };
}

const statementWord = /^(?:if|else|for|while|do|switch|case|return|sizeof)$/;

/** The macros of test frameworks that begin a test: `TEST_F`, `TYPED_TEST`, `TEST_CASE`, `SCENARIO`. */
const testMacro = /^(?:[A-Z]+_)*(?:TEST|SCENARIO)(?:_[A-Z]+)*\s*\(/;

/**
 * `TEST_CASE("reads lines", "[file]") { ... }`, `SECTION("of an empty file") { ... }`: named after the macro and its
 * first string.
 */
function titledBlock(tree: SyntaxTree, node: number): Declaration | undefined {
  const call = node + 1;
  const body = tree.after[node]!;
  const called = textOf(tree, childAs(tree, call, "function"));
  if (
    typeOf(tree, call) !== "call_expression" ||
    !isUpperCase(called) ||
    body >= tree.count ||
    typeOf(tree, body) !== "compound_statement" ||
    tree.text.slice(tree.ends[call], tree.starts[body]).trim() !== ""
  )
    return undefined;
  const title = childOf(tree, childAs(tree, call, "arguments"), "string_literal");
  const unit = title === none ? undefined : callbackUnit(tree, node, { called, title, body });
  if (!unit) return undefined;
  const test = testMacro.test(textOf(tree, call)) ? { test: true } : {};
  return { ...unit, ...test, unsearched: false, last: body };
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

/** `typedef void (*callback)(int);`, which the grammar of C++ may read as a function called `void`. */
const functionPointer = /^typedef\b[^;{}()]*\(\s*\*\s*(\w+)\s*\)/;

/** A function prototype, a constant with a value, or a variable with the structure that it is made of. */
function declared(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const pointer = functionPointer.exec(textOf(tree, node))?.[1];
  if (pointer !== undefined) return { kind: "type", name: pointer };
  const asPrototype = prototype(tree, node);
  if (asPrototype) return asPrototype;
  if (!isModule(inside)) return undefined;
  const ofOwnType = ownType(tree, node);
  if (ofOwnType) return ofOwnType;
  const declarator = childAs(tree, node, "declarator");
  if (typeOf(tree, declarator) !== "init_declarator") return member(tree, node);
  const declaredAs = declaredName(tree, declarator);
  const isConstant = /\b(?:const|constexpr|constinit)\b/.test(
    tree.text.slice(tree.starts[node], tree.starts[declarator]),
  );
  if (!declaredAs || !(isConstant || isUpperCase(declaredAs.name) || spansLines(tree, node))) return member(tree, node);
  return { kind: "constant", ...declaredAs };
}

/** `static struct config { int port; } config;`: a structure with a name, like a typedef. */
function ownType(tree: SyntaxTree, node: number): Declaration | undefined {
  const type = childAs(tree, node, "type");
  const body = childAs(tree, type, "body");
  const variable = member(tree, node);
  if (body === none || !variable) return undefined;
  const tag = textOf(tree, childAs(tree, type, "name"));
  const also = [...new Set([...(variable.also ?? []), tag])].filter((name) => name !== "" && name !== variable.name);
  const kind = typeOf(tree, type) === "enum_specifier" ? "enum" : "class";
  return { kind, name: variable.name, body, open: true, ...(also.length > 0 ? { also } : {}) };
}

/**
 * A member of a structure, or a file-level variable: `int a, *b;`. The members of `struct { int a; } b;` are its own.
 */
function member(tree: SyntaxTree, node: number): Declaration | undefined {
  const members = childrenOf(tree, node)
    .filter((child) => tree.fieldNames[tree.roles[child]!] === "declarator")
    .flatMap((child) => declaredName(tree, child) ?? []);
  const [declaredFirst, ...rest] = members;
  const first = declaredFirst && afterType(declaredFirst, textOf(tree, node));
  const open = childAs(tree, childAs(tree, node, "type"), "body") !== none;
  const also = rest.map(({ name }) => name);
  return first && { kind: memberKind, ...first, open, ...(also.length > 0 ? { also } : {}) };
}

/**
 * Corrects the name of `static atomicvar size_t name = 0`: since `atomicvar` is a macro, the grammar takes the type for
 * the name.
 */
function afterType(declared: Named, text: string): Named {
  const next = /^\s+([A-Za-z_]\w*)\s*[=;[]/.exec(text.slice(text.indexOf(declared.name) + declared.name.length))?.[1];
  return next === undefined ? declared : { name: next };
}

function prototype(tree: SyntaxTree, node: number): Declaration | undefined {
  const direct = childAs(tree, node, "declarator");
  const declarator = typeOf(tree, direct) === "operator_cast" ? direct : functionDeclarator(tree, node);
  // `int (*callback)(int)` is a pointer to a function.
  if (declarator === none || typeOf(tree, childAs(tree, declarator, "declarator")) === "parenthesized_declarator")
    return undefined;
  const name = declaredName(tree, declarator);
  // `LIB_ITERATOR(type);` among the members of a class is a macro call and declares no member of that name.
  const isMacro = childAs(tree, node, "type") === none && /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(name?.name ?? "");
  return name && !isMacro ? { kind: "function", ...name } : undefined;
}

function withBody(kind: "class" | "enum") {
  const rule = declares(kind);
  return (tree: SyntaxTree, node: number): Declaration | undefined => {
    // `typedef struct { ... } name` is one declaration with that name, and so is `struct { ... } name`.
    const outer = tree.parents[node]!;
    const isPart = /^(?:type_definition|declaration)$/.test(typeOf(tree, outer)) && ownType(tree, outer) !== undefined;
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
  const tag = textOf(tree, childAs(tree, type, "name"));
  const also = tag === "" || tag === name.name ? {} : { also: [tag] };
  return { kind: typeOf(tree, type) === "enum_specifier" ? "enum" : "class", ...name, ...also, body, open: true };
}

/** A macro is a constant, unless it is an include guard (`#define RING_H`). */
function macro(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, childAs(tree, node, "name"));
  if (childAs(tree, node, "value") === none && isGuard(tree, node, name)) return undefined;
  return { kind: "constant", name };
}

/** True for the first definition inside `#ifndef` of the same name, or for a name like a guard's. */
function isGuard(tree: SyntaxTree, node: number, name: string): boolean {
  const parent = tree.parents[node]!;
  return /_H(?:PP|XX)?_*$/i.test(name) || textOf(tree, childAs(tree, parent, "name")) === name;
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
