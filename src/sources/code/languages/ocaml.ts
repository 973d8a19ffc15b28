import type { Kind } from "../../../item.ts";
import { type Declaration, type ImportedName, memberKind, type Rules, unquoted } from "../rules.ts";
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

export const ocaml: Rules = {
  units: {
    let_binding: binding,
    external: (tree, node) => documented(tree, node, { kind: "function", name: nameOf(tree, node) }),
    value_specification: specification,
    type_binding: typeOfBinding,
    constructor_declaration: member,
    field_declaration: member,
    exception_definition: (tree, node) =>
      documented(tree, node, { kind: "type", name: textOf(tree, within(tree, node, "constructor_name")[0] ?? none) }),
    module_binding: holder("module"),
    module_type_definition: holder("interface"),
    class_binding: holder("class"),
    class_type_binding: holder("interface"),
    method_definition: method,
    method_specification: method,
    instance_variable_definition: member,
  },
  wrappers: ["value_definition", "type_definition", "module_definition", "class_definition", "class_type_definition"],
  comments: ["comment"],
  strings: ["string", "quoted_string", "character"],
  opaque: ["fun_expression", "function_expression"],
  calls: { application_expression: "function", method_invocation: "method", new_expression: "*" },
  members: {
    value_path: "last",
    constructor_path: "last",
    field_get_expression: "field",
    field_path: "last",
    class_path: "last",
  },
  names: ["value_name", "method_name", "module_name", "module_type_name", "constructor_name", "field_name"],
  types: ["type_constructor", "class_name"],
  heritage: { inheritance_definition: "extends", inheritance_specification: "extends" },
  notHeritage: ["value_path", "parenthesized_expression"],
  imports: { open_module: opened, include_module: opened, include_module_type: opened },
};

/** The name is the first child of a name type. */
function nameOf(tree: SyntaxTree, node: number): string {
  const nameNode = childrenOf(tree, node).find((child) => /_name$|^parenthesized_operator$/.test(typeOf(tree, child)));
  return textOf(tree, nameNode ?? none).replace(/^\(\s*|\s*\)$/g, "");
}

/** `let rec a = ... and b = ...`: each binding begins at its own `let` or `and`. */
function startOf(tree: SyntaxTree, node: number): Pick<Declaration, "start"> {
  const before = siblingBinding(tree, node, previousSibling);
  if (before === none)
    return siblingBinding(tree, node, nextSibling) === none ? {} : { start: tree.starts[parentOf(tree, node)]! };
  const keyword = tree.text.slice(tree.ends[before], tree.starts[node]).lastIndexOf("and");
  return keyword === -1 ? {} : { start: tree.ends[before]! + keyword };
}

/** The previous or next binding of the same definition. */
function siblingBinding(tree: SyntaxTree, node: number, step: typeof nextSibling): number {
  let sibling = step(tree, node);
  while (sibling !== none && typeOf(tree, sibling) !== typeOf(tree, node)) sibling = step(tree, sibling);
  return sibling;
}

/** A function, a value of the module, or a test (`let%test "..." = ...`). */
function binding(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const pattern = childAs(tree, node, "pattern");
  const body = childAs(tree, node, "body");
  const common = { ...startOf(tree, node), body: body === none ? undefined : body };
  if (typeOf(tree, pattern) === "string")
    return { kind: "function", name: unquoted(textOf(tree, pattern)), ...common, test: true };
  const type = typeOf(tree, pattern);
  if (type !== "value_name" && type !== "parenthesized_operator") return undefined;
  const name = textOf(tree, pattern).replace(/^\(\s*|\s*\)$/g, "");
  const isFunction = childOf(tree, node, "parameter") !== none || /^fun(?:ction)?_expression$/.test(typeOf(tree, body));
  if (isFunction) return documented(tree, node, { kind: "function", name, ...common });
  if (inside === "function" || inside === "method") return undefined;
  return documented(tree, node, { kind: "constant", name, ...startOf(tree, node) });
}

function specification(tree: SyntaxTree, node: number): Declaration {
  const isFunction = /_type$/.test(typeOf(tree, childAs(tree, node, "type"))) && textOf(tree, node).includes("->");
  return documented(tree, node, { kind: isFunction ? "function" : "constant", name: nameOf(tree, node) });
}

function typeOfBinding(tree: SyntaxTree, node: number): Declaration {
  const body = childAs(tree, node, "body");
  return documented(tree, node, {
    kind: "type",
    name: textOf(tree, childAs(tree, node, "name")),
    ...startOf(tree, node),
    body: body === none ? undefined : body,
    open: true,
  });
}

function member(tree: SyntaxTree, node: number): Declaration {
  return { kind: memberKind, name: nameOf(tree, node) };
}

function holder(kind: Kind) {
  return (tree: SyntaxTree, node: number): Declaration => {
    const value = childAs(tree, node, "body");
    const type = childOf(tree, node, "signature", "class_body_type", "class_function_type");
    const body = value === none ? type : value;
    return {
      kind,
      name: nameOf(tree, node),
      ...startOf(tree, node),
      body: body === none ? undefined : body,
      open: true,
    };
  };
}

function method(tree: SyntaxTree, node: number): Declaration {
  const body = childAs(tree, node, "body");
  return { kind: "function", name: nameOf(tree, node), body: body === none ? undefined : body };
}

/** A doc comment may follow its declaration: directly below, with a blank line or nothing after it. */
function documented(tree: SyntaxTree, node: number, declaration: Declaration): Declaration {
  const parent = parentOf(tree, node);
  const isWrapped = /_definition$/.test(typeOf(tree, parent)) && tree.ends[parent] === tree.ends[node];
  const declared = isWrapped ? parent : node;
  const next = tree.after[declared]!;
  if (next >= tree.count || tree.parents[next] !== tree.parents[declared] || typeOf(tree, next) !== "comment")
    return declaration;
  if (!textOf(tree, next).startsWith("(**")) return declaration;
  const isBelow = /^[ \t]*\r?\n[ \t]*$/.test(tree.text.slice(tree.ends[declared], tree.starts[next]));
  const isLast = /^[ \t]*(?:$|\r?\n[ \t]*(?:\r?\n|$|end\b))/.test(
    tree.text.slice(tree.ends[next], tree.ends[next]! + 400),
  );
  return isBelow && isLast ? { ...declaration, doc: next, last: next } : declaration;
}

function opened(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const module = textOf(tree, within(tree, node, "module_path", "extended_module_path")[0] ?? none);
  return module === "" ? undefined : [{ module, names: ["*"] }];
}
