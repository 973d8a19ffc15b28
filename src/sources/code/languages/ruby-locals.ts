import { none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

/** First offset at which each name is a local variable, by the node of its scope. */
type Locals = Map<number, Map<string, number>>;

const localsByTree = new WeakMap<SyntaxTree, Locals>();

/** Scopes that see no variables of the surrounding code. Blocks, in contrast, see them. */
const closedScopes = new Set(["program", "class", "module", "singleton_class", "method", "singleton_method"]);
const openScopes = new Set(["block", "do_block", "lambda"]);

/** Nodes whose identifiers are variables in every role. */
const declaring = new Set([
  "left_assignment_list",
  "destructured_left_assignment",
  "rest_assignment",
  "exception_variable",
  "method_parameters",
  "block_parameters",
  "lambda_parameters",
  "destructured_parameter",
]);
/** Roles in which an identifier is a variable, by the node around it. */
const declaringRoles: Readonly<Record<string, string>> = {
  assignment: "left",
  operator_assignment: "left",
  optional_parameter: "name",
  keyword_parameter: "name",
  splat_parameter: "name",
  hash_splat_parameter: "name",
  block_parameter: "name",
  as_pattern: "name",
  for: "pattern",
};
/** Nodes whose identifiers are names of methods that are not called there, or that other rules read as calls. */
const namingRoles: Readonly<Record<string, readonly string[]>> = {
  call: ["method"],
  method: ["name"],
  singleton_method: ["name", "object"],
  setter: ["name"],
  alias: ["name", "alias"],
};

const patternHolders = new Set(["in_clause", "match_pattern", "test_pattern"]);

/**
 * True for `perform` alone: a name that is neither a local variable nor a parameter is a call without receiver and
 * arguments.
 */
export function isBareCall(tree: SyntaxTree, node: number): boolean {
  const parent = tree.parents[node]!;
  const around = typeOf(tree, parent);
  if (around === "undef" || namingRoles[around]?.includes(roleOf(tree, node))) return false;
  if (isDeclared(tree, node)) return false;
  const locals = localsOf(tree);
  const name = textOf(tree, node);
  for (let outer = parent; outer !== none; outer = tree.parents[outer]!) {
    const type = typeOf(tree, outer);
    const isClosed = closedScopes.has(type);
    if (!isClosed && !openScopes.has(type)) continue;
    const from = locals.get(outer)?.get(name);
    if (from !== undefined && from <= tree.starts[node]!) return false;
    if (isClosed) return true;
  }
  return true;
}

function roleOf(tree: SyntaxTree, node: number): string {
  return tree.fieldNames[tree.roles[node]!] ?? "";
}

/** An assignment, a parameter, or a name that a pattern binds. */
function isDeclared(tree: SyntaxTree, node: number): boolean {
  const parent = tree.parents[node]!;
  const around = typeOf(tree, parent);
  if (declaring.has(around) || declaringRoles[around] === roleOf(tree, node)) return true;
  return isBound(tree, node);
}

/**
 * `in {kind: Integer => kind, deep: [one, *two]}`: identifiers in a pattern are variables, unless `^` refers to one.
 */
function isBound(tree: SyntaxTree, node: number): boolean {
  for (let inner = node; ; inner = tree.parents[inner]!) {
    const parent = tree.parents[inner]!;
    const around = typeOf(tree, parent);
    if (around === "variable_reference_pattern") return false;
    if (roleOf(tree, inner) === "pattern" && patternHolders.has(around)) return true;
    if (!around.endsWith("_pattern") && around !== "splat_parameter") return false;
  }
}

function localsOf(tree: SyntaxTree): Locals {
  let locals = localsByTree.get(tree);
  if (!locals) localsByTree.set(tree, (locals = findLocals(tree)));
  return locals;
}

function findLocals(tree: SyntaxTree): Locals {
  const locals: Locals = new Map();
  for (let node = 0; node < tree.count; node++) {
    const type = typeOf(tree, node);
    const isShorthand =
      type === "hash_key_symbol" &&
      typeOf(tree, tree.parents[node]!) === "keyword_pattern" &&
      tree.after[node] === tree.after[tree.parents[node]!];
    if (!isShorthand && (type !== "identifier" || !isDeclared(tree, node))) continue;
    const scope = scopeOf(tree, node);
    const names = locals.get(scope) ?? new Map<string, number>();
    const name = textOf(tree, node);
    if (!names.has(name)) names.set(name, tree.starts[node]!);
    locals.set(scope, names);
  }
  return locals;
}

function scopeOf(tree: SyntaxTree, node: number): number {
  let outer = tree.parents[node]!;
  while (outer !== none && !closedScopes.has(typeOf(tree, outer)) && !openScopes.has(typeOf(tree, outer)))
    outer = tree.parents[outer]!;
  return outer;
}
