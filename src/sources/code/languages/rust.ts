import {
  atModuleLevel,
  constantOrField,
  type Declaration,
  declares,
  field,
  type ImportedName,
  type Rules,
} from "../rules.ts";
import { around, childAs, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

/**
 * `#[test]`, `#[tokio::test(...)]`, `#[cfg(test)]`, `#[cfg(all(test, unix))]`; with `any` or `not`, the code is
 * compiled without tests too.
 */
const testPrefix =
  /^[ \t]*#\[\s*(?:(?:\w+\s*::\s*)*(?:test|test_case|rstest|bench|quickcheck|wasm_bindgen_test)\s*[\](]|cfg\(\s*(?:all\(\s*(?:(?:[^()]|\([^()]*\))*,\s*)?)?test\s*[,)])/m;

export const rust: Rules = {
  units: {
    function_item: declares("function"),
    function_signature_item: declares("function"),
    struct_item: declares("class"),
    union_item: declares("class"),
    enum_item: declares("enum"),
    trait_item: declares("interface"),
    impl_item: implementation,
    mod_item: declares("module"),
    field_declaration: field(),
    enum_variant: field(),
    associated_type: field(),
    const_item: constantOrField(declares("constant")),
    static_item: atModuleLevel(declares("constant")),
    type_item: constantOrField(declares("type")),
    macro_definition: declares("function"),
  },
  wrappers: [],
  prefixes: ["attribute_item"],
  testPrefix,
  comments: ["line_comment", "block_comment"],
  strings: ["string_literal", "raw_string_literal", "char_literal"],
  opaque: ["closure_expression"],
  calls: { call_expression: "function", macro_invocation: "macro", struct_expression: "name" },
  members: {
    scoped_identifier: "name",
    scoped_type_identifier: "name",
    field_expression: "field",
    generic_function: "function",
    generic_type: "type",
  },
  names: ["identifier", "field_identifier"],
  types: ["type_identifier"],
  heritage: { "impl_item.trait": "implements", "trait_item.bounds": "extends" },
  notHeritage: ["type_arguments", "lifetime"],
  typed: {
    parameter: { name: "pattern", type: "type" },
    let_declaration: { name: "pattern", type: "type", value: "value", calls: true },
    function_item: { name: "name", type: "return_type" },
    field_declaration: { name: "name", type: "type" },
    type_item: { name: "name", type: "type" },
  },
  imports: { use_declaration: used, mod_item: declaredModule, extern_crate_declaration: crate },
};

/** An `impl` block is a part of its type: it has the type's name and contains its methods. */
function implementation(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = /[\p{L}_][\p{L}\p{N}_]*(?=\s*(?:<|$))/u.exec(textOf(tree, childAs(tree, node, "type")))?.[0];
  const body = childAs(tree, node, "body");
  return name ? { kind: "class", name, body: body === none ? undefined : body, open: true } : undefined;
}

function used(tree: SyntaxTree, node: number): ImportedName[] {
  const argument = childAs(tree, node, "argument");
  const list = typeOf(tree, argument) === "scoped_use_list" ? childAs(tree, argument, "path") : argument;
  const names = namesOf(tree, argument);
  const module = textOf(tree, list).replace(/\s+as\s+\w+$|::\*$/g, "");
  const aliases = Object.fromEntries(
    [argument, ...within(tree, argument, "use_as_clause")]
      .filter((each) => typeOf(tree, each) === "use_as_clause")
      .map((each) => [
        textOf(tree, childAs(tree, each, "alias")),
        textOf(tree, childAs(tree, each, "path"))
          .split("::")
          .at(-1)!,
      ]),
  );
  // Imports of an inner module do not apply outside it: `use super::*` of `mod tests`.
  const inModule = around(tree, node, "mod_item") !== none;
  return [
    {
      module: typeOf(tree, argument) === "use_list" ? (names[0] ?? "") : module,
      names: inModule ? [] : names,
      aliases,
    },
  ];
}

function namesOf(tree: SyntaxTree, node: number): string[] {
  const type = typeOf(tree, node);
  if (type === "identifier") return [textOf(tree, node)];
  if (type === "scoped_identifier") return [textOf(tree, childAs(tree, node, "name"))];
  if (type === "use_as_clause") return [textOf(tree, childAs(tree, node, "alias"))];
  if (type === "use_wildcard") return ["*"];
  if (type === "scoped_use_list") return namesOf(tree, childAs(tree, node, "list"));
  if (type === "self")
    return [
      textOf(tree, childAs(tree, tree.parents[tree.parents[node]!]!, "path"))
        .split("::")
        .at(-1)!,
    ];
  return type === "use_list" ? childrenOf(tree, node).flatMap((child) => namesOf(tree, child)) : [];
}

/** `mod name;` imports a file. */
function declaredModule(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  if (childAs(tree, node, "body") !== none) return undefined;
  const name = textOf(tree, childAs(tree, node, "name"));
  return [{ module: `self::${name}`, names: [name] }];
}

function crate(tree: SyntaxTree, node: number): ImportedName[] {
  const name = textOf(tree, childAs(tree, node, "name"));
  const alias = textOf(tree, childAs(tree, node, "alias"));
  return [{ module: name, names: [alias || name] }];
}
