import { type Definition, dotted, type NameMention, type Program } from "./definitions.ts";
import { Resolver } from "./resolver.ts";

const mostTargets = 5;

/**
 * Resolves a name by scope alone: its file, its imports, the type or receiver it is called on, or the only definition
 * there is. An ambiguous name resolves to nothing.
 */
export function chooseTargets(mention: NameMention, program: Program): Definition[] {
  const resolver = new Resolver(mention, program);
  const targets = resolver.resolve();
  if (targets.length === 0 && mention.kind === "tests") return resolver.namesake().slice(0, mostTargets);
  return targets.slice(0, mostTargets);
}

/**
 * `extension Name`, `impl Trait for Name`: the item has the name of the type that it extends, but is not its
 * definition.
 */
const addition =
  /^\s*(?:(?:@\w+(?:\([^)]{0,200}\))?|public|private|fileprivate|internal|open|unsafe)\s+)*(?:extension|impl)\b/;

/**
 * Order of items with the same name: a definition, then a declaration without a body or an alias (`local f = utils.f`),
 * then a field.
 */
export function definitionRank({ kind, signature, name }: { kind: string; signature?: string; name?: string }): number {
  if (kind === "field") return 2;
  if (signature !== undefined && addition.test(signature)) return 1;
  if (kind === "constant" && name !== undefined && /\.(\w+);?$/.exec(signature ?? "")?.[1] === name) return 1;
  return (kind === "function" || kind === "method") && signature?.endsWith(";") ? 1 : 0;
}

/** True when a qualified name is `name` or ends in it after a separator, with the separators of any language. */
export function endsInName(qualified: string, name: string): boolean {
  const suffix = dotted(name);
  return suffix !== "" && `.${dotted(qualified)}`.endsWith(`.${suffix}`);
}
