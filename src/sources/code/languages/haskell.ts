import { type Declaration, declares, type ImportedName, memberKind, type Rules, spansLines } from "../rules.ts";
import {
  childAs,
  childOf,
  childrenOf,
  nextSibling,
  none,
  parentOf,
  previousSibling,
  type SyntaxTree,
  textOf,
  typeOf,
  within,
} from "../tree.ts";

export const haskell: Rules = {
  units: {
    data_type: dataOf,
    newtype: dataOf,
    data_family: declares("type"),
    data_instance: declares("type"),
    data_constructor: constructorOf,
    newtype_constructor: constructorOf,
    gadt_constructor: constructorOf,
    field: (tree, node) => ({ kind: memberKind, name: textOf(tree, childAs(tree, node, "name")) }),
    type_synomym: declares("type"),
    type_family: declares("type"),
    kind_signature: declares("type"),
    class: declares("interface", { body: "declarations" }),
    instance: instanceOf,
    signature: clauses,
    function: clauses,
    bind: clauses,
    pattern_synonym: (tree, node) => ({
      kind: "function",
      name: textOf(tree, within(tree, node, "constructor")[0] ?? none),
    }),
    foreign_import: (tree, node) => ({
      kind: "function",
      name: nameOf(tree, childOf(tree, node, "signature")),
    }),
  },
  wrappers: [],
  prefixes: ["pragma"],
  comments: ["comment", "haddock"],
  strings: ["string", "char"],
  opaque: ["lambda"],
  calls: { apply: "function" },
  members: { apply: "function", qualified: "id", parens: "expression" },
  names: ["variable", "constructor"],
  types: ["name"],
  heritage: { "instance.name": "implements", "class.context": "extends" },
  notHeritage: ["variable"],
  imports: { import: imported },
  readable: withoutProse,
};

/** A literate file is prose with code: after `>`, or between `\begin{code}` and `\end{code}`. */
function withoutProse(text: string): string {
  const isQuoted = /^>[ \t]*(?:module|import|data|type)\b/m.test(text) && !/^(?:module|import|data|type)\b/m.test(text);
  if (!isQuoted && !/^\\begin\{code\}/m.test(text)) return text;
  let isCode = false;
  return text.replace(/^.*$/gm, (line) => {
    if (/^\\(?:begin|end)\{code\}/.test(line)) isCode = line.startsWith("\\begin");
    else if (isCode) return line;
    else if (line.startsWith(">")) return ` ${line.slice(1)}`;
    return " ".repeat(line.length);
  });
}

/** `data`: contains its constructors and fields. */
function dataOf(tree: SyntaxTree, node: number): Declaration {
  const name = textOf(tree, childAs(tree, node, "name"));
  const constructors = childAs(tree, node, "constructors");
  const body = constructors === none ? childAs(tree, node, "constructor") : constructors;
  return { kind: "type", name, body: body === none ? undefined : body, open: true };
}

/** A constructor is a unit of its own, unless it is the only one and has the type's name. */
function constructorOf(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, within(tree, node, "constructor", "constructor_operator")[0] ?? none);
  let type = parentOf(tree, node);
  while (type !== none && !/^(?:data_type|newtype|data_instance)$/.test(typeOf(tree, type)))
    type = parentOf(tree, type);
  const isOnly = name === textOf(tree, childAs(tree, type, "name"));
  return name === "" || isOnly ? undefined : { kind: memberKind, name, open: true };
}

/** `instance Shop Seller where`: named after the class and the type. */
function instanceOf(tree: SyntaxTree, node: number): Declaration {
  const body = childAs(tree, node, "declarations");
  const types = textOf(tree, childAs(tree, node, "patterns")).replace(/\s+/g, " ");
  const name = `${textOf(tree, childAs(tree, node, "name"))} ${types}`.trim();
  return { kind: "class", name, body: body === none ? undefined : body, open: true };
}

/** The name that a signature or a clause defines: `sell`, `(<+>)` in prefix or infix position. */
function nameOf(tree: SyntaxTree, node: number): string {
  const nameNode = childAs(tree, node, "name");
  if (nameNode !== none) return textOf(tree, nameNode).replace(/^\(\s*|\s*\)$/g, "");
  const several = childOf(tree, node, "binding_list");
  if (several !== none) return textOf(tree, childOf(tree, several, "variable"));
  const infix = childOf(tree, node, "infix");
  return textOf(tree, childAs(tree, infix, "operator")).replaceAll("`", "");
}

/** A type signature and all clauses below it for the same name are one function. */
function clauses(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = nameOf(tree, node);
  if (name === "" || nameOf(tree, beside(tree, node, previousSibling)) === name) return undefined;
  let last = node;
  for (
    let next = beside(tree, last, nextSibling);
    next !== none && nameOf(tree, next) === name;
    next = beside(tree, last, nextSibling)
  )
    last = next;
  const isSignature = typeOf(tree, node) === "signature";
  const first = isSignature ? (last === node ? none : beside(tree, node, nextSibling)) : childAs(tree, node, "match");
  const isValue = isSignature
    ? typeOf(tree, childAs(tree, node, "type")) !== "function" && (last === node || isPlain(tree, last))
    : isPlain(tree, node);
  const declared: Declaration = {
    kind: isValue ? "constant" : "function",
    name,
    body: first === none ? undefined : first,
    last,
  };
  return isTest(tree, node, last, name) ? { ...declared, kind: "function", test: true } : declared;
}

const testName = /^(?:h?prop|spec|unit|test|case)_/;
const testType = /^(?:IO\s+)?(?:Spec|TestTree|\[TestTree\])$/;
const testTree = /^[^=]*=\s*(?:testGroup|testProperties|describe|context)\b/;

/**
 * True for properties that tools collect by name (`prop_sorted`), and for test trees, recognised by their type or first
 * word.
 */
function isTest(tree: SyntaxTree, node: number, last: number, name: string): boolean {
  if (testName.test(name)) return true;
  const type = typeOf(tree, node) === "signature" ? textOf(tree, childAs(tree, node, "type")).trim() : "";
  return type === "" ? testTree.test(textOf(tree, last).slice(0, longestHead)) : testType.test(type);
}

const longestHead = 200;

/** A value on one line that is not a call: `limit = 10`, but not `render = draw . layout`. */
function isPlain(tree: SyntaxTree, node: number): boolean {
  if (typeOf(tree, node) !== "bind" || spansLines(tree, node)) return false;
  const value = typeOf(tree, childAs(tree, childAs(tree, node, "match"), "expression"));
  return /^(?:literal|list|tuple|negation|constructor|unit|string|record|projection)$/.test(value);
}

/** The previous or next clause among its siblings; comments and pragmas in between are skipped. */
function beside(tree: SyntaxTree, node: number, step: typeof nextSibling): number {
  let next = step(tree, node);
  while (/^(?:comment|haddock|pragma|fixity)$/.test(typeOf(tree, next))) next = step(tree, next);
  return /^(?:signature|function|bind)$/.test(typeOf(tree, next)) ? next : none;
}

function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const module = textOf(tree, childAs(tree, node, "module"));
  const alias = textOf(tree, childAs(tree, node, "alias"));
  const list = childAs(tree, node, "names");
  const isHiding = /\bhiding\b/.test(tree.text.slice(tree.starts[node], list === none ? undefined : tree.starts[list]));
  if (list !== none && !isHiding) {
    const names = childrenOf(tree, list).map((each) => textOf(tree, each).replace(/\s*\(.*$/s, ""));
    return [{ module, names }];
  }
  return [{ module, names: [alias === "" ? module.slice(module.lastIndexOf(".") + 1) : alias] }];
}
