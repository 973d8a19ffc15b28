import { type Definition, dotted, type NameMention, type Program } from "./definitions.ts";
import { Resolver } from "./resolver.ts";

const mostTargets = 5;

/**
 * What a name means, by scope alone: the file it stands in, its imports, the type or receiver it is called on, or the only
 * definition there is. A name that could mean several things means none.
 */
export function chooseTargets(mention: NameMention, program: Program): Definition[] {
  const resolver = new Resolver(mention, program);
  const found = resolver.resolve();
  if (found.length === 0 && mention.kind === "tests") return resolver.namesake().slice(0, mostTargets);
  return found.slice(0, mostTargets);
}

/** Of items that share a name, what is meant first: a definition, then a declaration without a body, then a field. */
export function definitionRank({ kind, signature }: { kind: string; signature?: string }): number {
  if (kind === "field") return 2;
  return (kind === "function" || kind === "method") && signature?.endsWith(";") ? 1 : 0;
}

/** True when a qualified name is `name` or ends in it after a separator, whatever separators the language writes. */
export function endsInName(qualified: string, name: string): boolean {
  const wanted = dotted(name);
  return wanted !== "" && `.${dotted(qualified)}`.endsWith(`.${wanted}`);
}
