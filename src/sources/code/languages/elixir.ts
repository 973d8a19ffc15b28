import type { Kind } from "../../../item.ts";
import { type Declaration, type ImportedName, type Rules, unquoted } from "../rules.ts";
import {
  childAs,
  childOf,
  childrenOf,
  nextSibling,
  none,
  previousSibling,
  type SyntaxTree,
  textOf,
  typeOf,
  within,
} from "../tree.ts";

const functions = new Set("def defp defmacro defmacrop defguard defguardp defdelegate defn defnp".split(" "));
const holders: Record<string, Kind> = { defmodule: "module", defprotocol: "interface", defimpl: "class" };
const structures = new Set(["defstruct", "defexception", "defrecord", "defrecordp"]);
const types = new Set(["type", "typep", "opaque"]);
const callbacks = new Set(["callback", "macrocallback"]);
/** Attributes that document the module or the next function. */
const described = new Set(
  "doc moduledoc typedoc spec impl behaviour derive deprecated since tag moduletag describetag enforce_keys compile on_load before_compile after_compile on_definition external_resource dialyzer file vsn optional_callbacks".split(
    " ",
  ),
);
/** Attributes of the module itself. */
const ofModule = new Set(
  "moduledoc behaviour moduletag compile on_load before_compile after_compile on_definition external_resource dialyzer vsn optional_callbacks".split(
    " ",
  ),
);
const imports = new Set(["alias", "import", "require", "use"]);

/** In Elixir everything is a call: the callee shows whether it is a declaration. */
export const elixir: Rules = {
  units: { call: declared, unary_operator: attribute },
  wrappers: [],
  prefixes: ["unary_operator"],
  notPrefix: (tree, node) => ofModule.has(targetOf(tree, childAs(tree, node, "operand"))),
  comments: ["comment"],
  strings: ["string", "charlist", "sigil"],
  opaque: ["anonymous_function"],
  calls: { call: "target" },
  notCalls: new Set([
    ...functions,
    ...Object.keys(holders),
    ...structures,
    ...types,
    ...callbacks,
    ...described,
    ...imports,
    ..."if unless case cond with for fn quote unquote receive try raise test describe setup setup_all".split(" "),
  ]),
  members: { dot: "right" },
  names: ["identifier"],
  types: ["alias"],
  imports: { call: imported },
  docstring: moduleDoc,
};

function targetOf(tree: SyntaxTree, call: number): string {
  return typeOf(tree, call) === "call" ? textOf(tree, childAs(tree, call, "target")) : "";
}

function firstArgument(tree: SyntaxTree, call: number): number {
  const argumentsNode = childOf(tree, call, "arguments");
  return argumentsNode === none ? none : (childrenOf(tree, argumentsNode)[0] ?? none);
}

/** A `do` block, or the expression after `do:`. */
function bodyOf(tree: SyntaxTree, call: number): { body?: number } {
  const block = childOf(tree, call, "do_block");
  const body = block === none ? childOf(tree, childOf(tree, call, "arguments"), "keywords") : block;
  return body === none ? {} : { body };
}

function declared(tree: SyntaxTree, node: number): Declaration | undefined {
  const target = targetOf(tree, node);
  if (functions.has(target)) return functionOf(tree, node);
  const name = textOf(tree, firstArgument(tree, node));
  if (Object.hasOwn(holders, target)) {
    const type = /\bfor:\s*([\w.]+)/.exec(textOf(tree, childOf(tree, node, "arguments")))?.[1];
    const holder = target === "defimpl" && type ? `${name} ${type}` : name;
    return { kind: holders[target]!, name: holder, ...bodyOf(tree, node), open: true };
  }
  if (structures.has(target)) return { kind: "class", name: target };
  const isTest = (target === "test" || target === "property") && typeOf(tree, firstArgument(tree, node)) === "string";
  return isTest ? { kind: "function", name: unquoted(name), ...bodyOf(tree, node), test: true } : undefined;
}

/** The name in `def sell(item) when ...`, `def total`, `def a + b`. */
function functionName(tree: SyntaxTree, definition: number): string {
  let head = firstArgument(tree, definition);
  if (typeOf(tree, head) === "binary_operator") {
    const [left = none, right = none] = [childAs(tree, head, "left"), childAs(tree, head, "right")];
    const sign = tree.text.slice(tree.ends[left], tree.starts[right]).trim();
    if (sign !== "when") return sign;
    head = left;
  }
  return typeOf(tree, head) === "call" ? targetOf(tree, head) : textOf(tree, head);
}

/** Consecutive clauses of one function are one unit. */
function functionOf(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = functionName(tree, node);
  const isClause = (sibling: number): boolean =>
    sibling !== none && targetOf(tree, sibling) === targetOf(tree, node) && functionName(tree, sibling) === name;
  if (isClause(beside(tree, node, previousSibling))) return undefined;
  const second = beside(tree, node, nextSibling);
  let last = node;
  for (let next = second; isClause(next); next = beside(tree, next, nextSibling)) last = next;
  const body = bodyOf(tree, node);
  // A head without a body, for the clauses below.
  const first = body.body === undefined && last !== node ? { body: second } : body;
  return { kind: "function", name, ...first, last, ...docOf(tree, node) };
}

function beside(tree: SyntaxTree, node: number, step: typeof nextSibling): number {
  let next = step(tree, node);
  while (typeOf(tree, next) === "comment") next = step(tree, next);
  return next;
}

/** The string of the `@doc` above; other attributes may be in between. */
function docOf(tree: SyntaxTree, node: number): { doc?: number } {
  let above = beside(tree, node, previousSibling);
  while (typeOf(tree, above) === "unary_operator") {
    const name = targetOf(tree, childAs(tree, above, "operand"));
    const doc = name === "doc" || name === "typedoc" ? documentation(tree, above, name) : none;
    if (doc !== none) return { doc };
    if (!described.has(name)) break;
    above = beside(tree, above, previousSibling);
  }
  return {};
}

function documentation(tree: SyntaxTree, attribute: number, name: string): number {
  const call = childAs(tree, attribute, "operand");
  if (targetOf(tree, call) !== name) return none;
  const text = firstArgument(tree, call);
  return typeOf(tree, text) === "string" ? text : none;
}

function moduleDoc(tree: SyntaxTree, body: number): number {
  if (typeOf(tree, body) !== "do_block") return none;
  const attribute = childrenOf(tree, body).find((child) => documentation(tree, child, "moduledoc") !== none);
  return attribute === undefined ? none : documentation(tree, attribute, "moduledoc");
}

/** `@limit 10` is a constant of the module, `@type t :: ...` a type, `@callback` a function that others implement. */
function attribute(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const call = childAs(tree, node, "operand");
  const name = targetOf(tree, call);
  if (tree.text[tree.starts[node]!] !== "@" || name === "" || described.has(name)) return undefined;
  if (inside === undefined || inside === "function" || inside === "method") return undefined;
  if (!types.has(name) && !callbacks.has(name)) return { kind: "constant", name };
  const defined = /^[\p{L}_][\p{L}\p{N}_]*[?!]?/u.exec(textOf(tree, firstArgument(tree, call)))?.[0];
  if (defined === undefined) return undefined;
  return { kind: types.has(name) ? "type" : "function", name: defined, ...docOf(tree, node) };
}

/** `alias Shop.{Item, Stock}` imports two modules. */
function imported(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  if (!imports.has(targetOf(tree, node))) return undefined;
  const argument = firstArgument(tree, node);
  if (typeOf(tree, argument) === "dot") {
    const left = textOf(tree, childAs(tree, argument, "left"));
    const right = childAs(tree, argument, "right");
    return within(tree, right, "alias").map((each) => importOf(`${left}.${textOf(tree, each)}`));
  }
  if (typeOf(tree, argument) !== "alias") return undefined;
  if (targetOf(tree, node) === "import") {
    const only = /\bonly:\s*\[([^\]]*)\]/.exec(textOf(tree, node))?.[1];
    const names = only?.match(/[\p{L}_][\p{L}\p{N}_]*[?!]?(?=:)/gu);
    return [{ module: textOf(tree, argument), names: names ?? ["*"] }];
  }
  const alias = /\bas:\s*([\w.]+)/.exec(textOf(tree, node))?.[1];
  return [importOf(textOf(tree, argument), alias)];
}

function importOf(module: string, alias?: string): ImportedName {
  return { module, names: [alias ?? module.slice(module.lastIndexOf(".") + 1)] };
}
