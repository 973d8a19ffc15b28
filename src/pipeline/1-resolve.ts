import type { Candidate } from "../item.ts";
import type { SearchRequest } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import { sources } from "../sources/all.ts";
import type { Filter } from "../stores/store.ts";
import { analyseQuery, type Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";

export type Found = {
  query: Query;
  candidates: Candidate[];
  evidence: Evidence;
  warnings: string[];
};

/** Asks every source of the recipe at once, each under its own deadline. A source that fails or is late becomes a warning. */
export async function resolve(request: SearchRequest, recipe: Recipe, workspace: Workspace): Promise<Found> {
  const query = analyseQuery(request.query);
  const filter = filterOf(request);
  const warnings: string[] = [];
  const answers = await Promise.all(
    recipe.sources.map(async ({ name, deadline }) => {
      const source = sources.find((each) => each.name === name);
      if (!source) return [];
      try {
        const search = { limit: recipe.candidates, filter, strategies: request.strategies };
        return await within(deadline, source.find(query, search, workspace));
      } catch (error) {
        // Damage to the store is not one source's trouble: nothing that follows could be trusted.
        if (isFatal(error)) throw error;
        warnings.push(`Source ${name} did not answer: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  const candidates = answers.flat();
  const evidence = await gatherEvidence(query, candidates, workspace);
  if (evidence.units.count === 0) warnings.push("The index is empty: the folder has no file that can be indexed.");
  return { query, candidates, evidence, warnings };
}

function filterOf(request: SearchRequest): Filter {
  const { types, paths, languages, tests } = request;
  return {
    ...(types ? { kinds: types } : {}),
    ...(paths ? { paths } : {}),
    ...(languages ? { languages } : {}),
    ...(tests === "only" ? { tests: true } : tests === "exclude" ? { tests: false } : {}),
  };
}

function isFatal(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("store-") || code === "interrupted";
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
