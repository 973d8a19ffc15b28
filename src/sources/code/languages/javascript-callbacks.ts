import { callbackUnit, type Declaration } from "../rules.ts";
import { around, childAs, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

export const functions = ["arrow_function", "function_expression", "generator_function", "function"];

export function isFunction(tree: SyntaxTree, node: number): boolean {
  return functions.includes(typeOf(tree, node));
}

/** Test suites, whose callbacks contain further tests: their functions are units, not lines. */
const suites = /^(?:x|f)?(?:describe|context|suite)(?:\.\w+)*$/;

/** `app.get("/x", (request) => { ... })`, `it("parses dates", () => { ... })`. */
export function callback(tree: SyntaxTree, node: number): Declaration | undefined {
  // An assigned function has a name already.
  if (["variable_declarator", "assignment_expression", "pair"].includes(typeOf(tree, tree.parents[node]!)))
    return undefined;
  const parts = titled(tree, node);
  if (!parts || isInCallback(tree, node)) return undefined;
  const { called, title, handler } = parts;
  return callbackUnit(tree, node, { called, title, body: childAs(tree, handler, "body"), open: suites.test(called) });
}

/** A call with a string first and a function after it. */
function titled(tree: SyntaxTree, call: number): { called: string; title: number; handler: number } | undefined {
  const argumentsNode = childAs(tree, call, "arguments");
  const title = argumentsNode + 1;
  if (
    argumentsNode === none ||
    title >= tree.after[argumentsNode]! ||
    !["string", "template_string"].includes(typeOf(tree, title))
  )
    return undefined;
  const called = calledName(tree, call);
  const handler = childrenOf(tree, argumentsNode).findLast((child) => isFunction(tree, child));
  return called === undefined || handler === undefined ? undefined : { called, title, handler };
}

/** A function inside such a callback is part of it. */
function isInCallback(tree: SyntaxTree, node: number): boolean {
  let outer = around(tree, node, ...functions);
  while (outer !== none) {
    const call = typeOf(tree, tree.parents[outer]!) === "arguments" ? tree.parents[tree.parents[outer]!]! : none;
    if (typeOf(tree, call) === "call_expression" && !holdsTests(tree, outer) && titled(tree, call)) return true;
    outer = around(tree, outer, ...functions);
  }
  return false;
}

/** The callee without intermediate arguments: `it.each` of `it.each([1, 2])("doubles %i", ...)`. */
function calledName(tree: SyntaxTree, call: number): string | undefined {
  let callee = childAs(tree, call, "function");
  while (typeOf(tree, callee) === "call_expression") callee = childAs(tree, callee, "function");
  const name = textOf(tree, callee);
  return /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*){0,3}$/u.test(name) ? name : undefined;
}

/** True for the callback of a test suite. */
export function holdsTests(tree: SyntaxTree, node: number): boolean {
  const call = typeOf(tree, tree.parents[node]!) === "arguments" ? tree.parents[tree.parents[node]!]! : none;
  return call !== none && suites.test(calledName(tree, call) ?? "");
}
