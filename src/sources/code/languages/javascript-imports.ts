import { type ImportedName, unquoted } from "../rules.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf, within } from "../tree.ts";

export function imported(tree: SyntaxTree, node: number): ImportedName[] {
  const clause = childOf(tree, node, "import_clause");
  const source = childAs(tree, node, "source");
  const require = childOf(tree, node, "import_require_clause");
  if (require !== none) {
    return [
      {
        module: unquoted(textOf(tree, childAs(tree, require, "source"))),
        names: [textOf(tree, childOf(tree, require, "identifier"))],
      },
    ];
  }
  const names = clause === none ? [] : boundNames(tree, clause);
  return [{ module: unquoted(textOf(tree, source)), names, aliases: aliasesIn(tree, node) }];
}

function aliasesIn(tree: SyntaxTree, node: number): Record<string, string> {
  const specifiers = within(tree, node, "import_specifier").filter((each) => childAs(tree, each, "alias") !== none);
  return Object.fromEntries(
    specifiers.map((each) => [textOf(tree, childAs(tree, each, "alias")), textOf(tree, childAs(tree, each, "name"))]),
  );
}

function boundNames(tree: SyntaxTree, clause: number): string[] {
  return childrenOf(tree, clause).flatMap((child) => {
    const type = typeOf(tree, child);
    if (type === "identifier") return [textOf(tree, child)];
    if (type === "namespace_import") return [textOf(tree, childOf(tree, child, "identifier"))];
    if (type !== "named_imports") return [];
    return childrenOf(tree, child).flatMap((specifier) => {
      const alias = childAs(tree, specifier, "alias");
      const name = alias === none ? childAs(tree, specifier, "name") : alias;
      return name === none ? [] : [textOf(tree, name)];
    });
  });
}

export function reexported(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const source = childAs(tree, node, "source");
  if (source === none) return undefined;
  const names = within(tree, node, "export_specifier").map((specifier) =>
    textOf(tree, childAs(tree, specifier, "name")),
  );
  return [{ module: unquoted(textOf(tree, source)), names }];
}

function requiredModule(tree: SyntaxTree, value: number): string | undefined {
  let call = value;
  while (["member_expression", "call_expression", "await_expression"].includes(typeOf(tree, call))) {
    const callee = typeOf(tree, call) === "call_expression" ? childAs(tree, call, "function") : none;
    if (callee !== none && /^(require|import)$/.test(textOf(tree, callee))) {
      const path = childOf(tree, childAs(tree, call, "arguments"), "string");
      return path === none ? undefined : unquoted(textOf(tree, path));
    }
    call = call + 1 < tree.after[call]! ? call + 1 : none;
  }
  return undefined;
}

export function required(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const module = requiredModule(tree, childAs(tree, node, "value"));
  if (module === undefined) return undefined;
  const target = childAs(tree, node, "name");
  if (typeOf(tree, target) === "identifier") return [{ module, names: [textOf(tree, target)] }];
  const names = [
    ...within(tree, target, "shorthand_property_identifier_pattern"),
    ...within(tree, target, "pair_pattern").map((pair) => childAs(tree, pair, "value")),
  ];
  return [{ module, names: names.map((name) => textOf(tree, name)) }];
}

export function bareRequire(tree: SyntaxTree, node: number): ImportedName[] | undefined {
  const call = childOf(tree, node, "call_expression");
  if (call === none || textOf(tree, childAs(tree, call, "function")) !== "require") return undefined;
  const module = requiredModule(tree, call);
  return module === undefined ? undefined : [{ module, names: [] }];
}
