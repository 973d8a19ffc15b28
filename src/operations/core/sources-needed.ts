import type { ContextInput } from "../../options.ts";
import { recipes } from "../../recipes/all.ts";
import { sources } from "../../sources/all.ts";

/** Names of the sources that a request asks: those must be up to date. */
export function sourcesOf(request: Pick<ContextInput, "sources"> & { recipe?: ContextInput["recipe"] }): string[] {
  const asked = recipes[request.recipe ?? "auto"].asks.map(({ source }) => source);
  if (!request.sources) return asked;
  const wanted = new Set<string>(request.sources);
  return asked.filter((name) =>
    sources.find((source) => source.name === name)?.brings.some((each) => wanted.has(each)),
  );
}
