import type { Kind } from "../../../item.ts";
import {
  type Declaration,
  declares,
  fieldNamed,
  type ImportedName,
  isUpperCase,
  type Rules,
  spansLines,
} from "../rules.ts";
import { around, childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "../tree.ts";

export const python: Rules = {
  units: {
    function_definition: declares("function"),
    class_definition: declares("class"),
    assignment: assigned,
    type_alias_statement: (tree, node) => ({
      kind: "type",
      name: textOf(tree, childOf(tree, childAs(tree, node, "left"), "identifier")),
    }),
  },
  wrappers: ["decorated_definition", "expression_statement"],
  decorators: ["decorator"],
  comments: ["comment"],
  strings: ["string", "concatenated_string"],
  opaque: ["lambda", "for_statement", "while_statement"],
  calls: { call: "function" },
  members: { attribute: "attribute" },
  names: ["identifier"],
  heritage: { "class_definition.superclasses": "extends" },
  notHeritage: ["keyword_argument", "subscript", "call", "comment"],
  typed: {
    typed_parameter: { name: "*", type: "type" },
    typed_default_parameter: { name: "name", type: "type" },
    assignment: { name: "left", type: "type", value: "right" },
  },
  imports: { import_statement: plainImport, import_from_statement: fromImport, future_import_statement: fromImport },
  docstring,
};

/**
 * Module constants: names in capitals, and tables of several lines (`urlpatterns = [`). Otherwise a field of the
 * module, the class or the instance.
 */
function assigned(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  if (typeOf(tree, tree.parents[node]!) !== "expression_statement") return undefined;
  const left = childAs(tree, node, "left");
  const type = typeOf(tree, left);
  if (type === "attribute") return attribute(tree, node, left, inside);
  if (inside !== undefined && inside !== "class") return undefined;
  if (type === "pattern_list" || type === "tuple_pattern")
    return fieldNamed(
      tree,
      childrenOf(tree, left).filter((child) => typeOf(tree, child) === "identifier"),
    );
  if (type !== "identifier") return undefined;
  const name = textOf(tree, left);
  const isConstant = isUpperCase(name) || /^[A-Z]/.test(name) || spansLines(tree, node);
  if (inside === undefined && isConstant && childAs(tree, node, "right") !== none) return { kind: "constant", name };
  return { kind: "field", name };
}

/** `self.name = ...` in the constructor. */
function attribute(tree: SyntaxTree, node: number, left: number, inside: Kind | undefined): Declaration | undefined {
  if (inside !== "method" || !/^self\.\w+$/.test(textOf(tree, left))) return undefined;
  const method = textOf(tree, childAs(tree, around(tree, node, "function_definition"), "name"));
  if (method !== "__init__" && method !== "__new__" && method !== "setUp") return undefined;
  return { kind: "field", name: textOf(tree, childAs(tree, left, "attribute")), ofOuter: true };
}

function plainImport(tree: SyntaxTree, node: number): ImportedName[] {
  return childrenOf(tree, node).flatMap((child) => {
    if (typeOf(tree, child) === "dotted_name") {
      const module = textOf(tree, child);
      return [{ module, names: [module.split(".")[0]!.trim()] }];
    }
    if (typeOf(tree, child) !== "aliased_import") return [];
    return [
      { module: textOf(tree, childAs(tree, child, "name")), names: [textOf(tree, childAs(tree, child, "alias"))] },
    ];
  });
}

function fromImport(tree: SyntaxTree, node: number): ImportedName[] {
  const moduleNode = childAs(tree, node, "module_name");
  const names: string[] = [];
  const aliases: Record<string, string> = {};
  for (const child of childrenOf(tree, node)) {
    if (child === moduleNode) continue;
    const type = typeOf(tree, child);
    if (type === "dotted_name") names.push(textOf(tree, child));
    else if (type === "aliased_import") {
      const alias = textOf(tree, childAs(tree, child, "alias"));
      names.push(alias);
      aliases[alias] = textOf(tree, childAs(tree, child, "name"));
    } else if (type === "wildcard_import") names.push("*");
  }
  return [{ module: moduleNode === none ? "__future__" : textOf(tree, moduleNode), names, aliases }];
}

function docstring(tree: SyntaxTree, body: number): number {
  const block = body === none ? 0 : body;
  if (block >= tree.count) return none;
  for (const child of childrenOf(tree, block)) {
    const type = typeOf(tree, child);
    if (type === "comment") continue;
    if (type !== "expression_statement") return none;
    return childOf(tree, child, "string", "concatenated_string") === child + 1 ? child + 1 : none;
  }
  return none;
}
