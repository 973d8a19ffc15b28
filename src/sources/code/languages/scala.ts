import type { Kind } from "../../../item.ts";
import {
  type Declaration,
  declares,
  fieldNamed,
  type ImportedName,
  memberKind,
  type Rules,
  valueKind,
} from "../rules.ts";
import { around, childAs, childOf, none, previousSibling, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export const scala: Rules = {
  units: {
    class_definition: declares("class"),
    trait_definition: declares("interface"),
    object_definition: declares("class"),
    enum_definition: declares("enum"),
    simple_enum_case: declares(memberKind),
    full_enum_case: declares(memberKind),
    package_object: declares("module"),
    package_clause: (tree, node, inside) =>
      childAs(tree, node, "body") === none ? undefined : declares("module")(tree, node, inside),
    given_definition: declares("class"),
    function_definition: functionOf,
    function_declaration: functionOf,
    val_definition: value("pattern"),
    var_definition: value("pattern"),
    val_declaration: value("name"),
    var_declaration: value("name"),
    class_parameter: parameter,
    type_definition: declares("type"),
  },
  wrappers: ["enum_case_definitions"],
  decorators: ["annotation"],
  comments: ["comment", "block_comment"],
  strings: ["string", "interpolated_string_expression", "character_literal"],
  opaque: ["lambda_expression", "case_block", "instance_expression"],
  calls: { call_expression: "function", instance_expression: "*" },
  members: {
    field_expression: "field",
    generic_function: "function",
    generic_type: "type",
    stable_type_identifier: "last",
    stable_identifier: "last",
    call_expression: "function",
    instance_expression: "*",
  },
  names: ["identifier"],
  types: ["type_identifier"],
  heritage: {
    "class_definition.extend": "extends",
    "trait_definition.extend": "extends",
    "object_definition.extend": "extends",
    "enum_definition.extend": "extends",
  },
  heritageKind: mixedIn,
  notHeritage: ["type_arguments", "arguments"],
  typed: {
    parameter: { name: "name", type: "type" },
    class_parameter: { name: "name", type: "type" },
    val_definition: { name: "pattern", type: "type", value: "value" },
    var_definition: { name: "pattern", type: "type", value: "value" },
    val_declaration: { name: "name", type: "type" },
    var_declaration: { name: "name", type: "type" },
  },
  imports: { import_declaration: imported, export_declaration: imported },
};

/** Members of an extension belong to the type it extends. */
function functionOf(tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined {
  const declaration = declares("function")(tree, node, inside);
  const extension = around(tree, node, "extension_definition");
  if (!declaration || extension === none) return declaration;
  const parameter = childOf(tree, childAs(tree, extension, "parameters"), "parameter");
  const owner = /^[\p{L}_][\p{L}\p{N}_.]*/u.exec(textOf(tree, childAs(tree, parameter, "type")))?.[0];
  return { ...declaration, owner };
}

/** The types after `with` are traits. */
function mixedIn(tree: SyntaxTree, nameNode: number): "implements" | undefined {
  return previousSibling(tree, nameNode) === none ? undefined : "implements";
}

/** `val limit = 10`, `var open, ready = false`. */
function value(role: string) {
  return (tree: SyntaxTree, node: number, inside: Kind | undefined): Declaration | undefined => {
    const pattern = childAs(tree, node, role);
    const nameNodes = typeOf(tree, pattern) === "identifier" ? [pattern] : within(tree, pattern, "identifier");
    const declaration = fieldNamed(tree, nameNodes);
    return declaration && { ...declaration, name: declaration.name.replaceAll("`", ""), kind: valueKind(inside) };
  };
}

/** A value in a class header with a line of its own: otherwise the class's line shows it. */
function parameter(tree: SyntaxTree, node: number): Declaration | undefined {
  const start = tree.starts[node]!;
  const line = tree.text.slice(tree.text.lastIndexOf("\n", start) + 1, start);
  return line.trim() === "" ? { kind: memberKind, name: textOf(tree, childAs(tree, node, "name")) } : undefined;
}

/** `import a.b.{C, D => E}, f.G`: each path with its names. */
function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const paths = textOf(tree, node)
    .replace(/^\s*(?:import|export)\s+/, "")
    .split(/,(?![^{]*\})/);
  return paths.map((path) => {
    const match = /^\s*([^{]*?)\.?\s*(?:\{([^}]*)\})?\s*$/.exec(path.replace(/\s+/g, " "));
    const module = (match?.[1] ?? path).replace(/\.given$/, "").trim();
    const selected = match?.[2]?.split(",").map((name) => /(\S+)\s*$/.exec(name)?.[1] ?? "");
    if (selected) return { module, names: selected.map(plain).filter((name) => name !== "") };
    const renamed = /^(.*)\s+as\s+(\S+)$/.exec(module);
    if (renamed) return { module: renamed[1]!, names: [renamed[2]!] };
    const last = plain(module.slice(module.lastIndexOf(".") + 1));
    return { module: last === "*" ? module.replace(/\.[_*]$/, ".*") : module, names: [last] };
  });
}

function plain(name: string): string {
  return name === "_" || name === "given" ? "*" : name.replaceAll("`", "");
}
