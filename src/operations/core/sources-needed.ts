import type { ContextInput } from "../../options.ts";
import { recipes } from "../../recipes/all.ts";
import { sources } from "../../sources/all.ts";

/** Names of the sources that a request asks: those must be up to date. */
export function sourcesOf(request: Pick<ContextInput, "sources"> & { recipe?: ContextInput["recipe"] }): string[] {
  const ofRecipe = recipes[request.recipe ?? "auto"].asks.map(({ source }) => source);
  if (!request.sources) return ofRecipe;
  const wantedSources = new Set<string>(request.sources);
  return ofRecipe.filter((name) =>
    sources.find((source) => source.name === name)?.brings.some((each) => wantedSources.has(each)),
  );
}
