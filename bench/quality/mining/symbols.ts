import { type Definition, type DefinitionKind, definitionsIn } from "./definitions.ts";
import type { SourceFile } from "./files.ts";
import { roundRobin } from "./round-robin.ts";

/** A name that is asked for, with every definition of it. */
export type SymbolCase = { name: string; kind: DefinitionKind; query: string; definitions: Definition[] };

/** A name with more definitions means none of them. */
const mostDefinitions = 3;
const shortest = 3;
/** A field called `name` or `data` is asked for with its class. */
const shortestField = 6;

export function symbolsOf(files: readonly SourceFile[], count: number): SymbolCase[] {
  const byName = new Map<string, Definition[]>();
  const beside = new Set<string>();
  for (const { path, text, language, beside: isBeside } of files) {
    for (const definition of definitionsIn(path, text, language)) {
      if (isBeside) beside.add(definition.name);
      else byName.set(definition.name, [...(byName.get(definition.name) ?? []), definition]);
    }
  }
  const candidates = [...byName].flatMap(([name, definitions]) => {
    const kind = definitions[0]!.kind;
    const least = kind === "field" ? shortestField : shortest;
    const isOne = definitions.length <= mostDefinitions && definitions.every((each) => each.kind === kind);
    return isOne && name.length >= least && !beside.has(name) ? [{ name, kind, definitions }] : [];
  });
  return roundRobin(candidates, ({ kind }) => kind, count).map((each, i) => ({ ...each, query: asked(each, i) }));
}

function asked({ name, kind }: { name: string; kind: DefinitionKind }, turn: number): string {
  const does = kind === "function" || kind === "method";
  return [name, does ? `what does ${name} do?` : `what is ${name}?`, `where is ${name} defined?`][turn % 3]!;
}
