import type { Context } from "./item.ts";
import type { Request, SearchRequest } from "./options.ts";
import { resolve } from "./pipeline/1-resolve.ts";
import { traverse } from "./pipeline/2-traverse.ts";
import { type Ranking, score } from "./pipeline/3-score.ts";
import { enrich } from "./pipeline/4-enrich.ts";
import { dedupe } from "./pipeline/5-dedupe.ts";
import { fitBudget } from "./pipeline/6-budget.ts";
import { render } from "./pipeline/7-render.ts";
import { stopwatch } from "./pipeline/stopwatch.ts";
import { recipes } from "./recipes/all.ts";
import type { Workspace } from "./workspace.ts";

/** One query, start to finish. Each line is a file in pipeline/. */
export async function assemble(workspace: Workspace, request: Request): Promise<Context> {
  const recipe = recipes[request.recipe];
  const timed = stopwatch();
  const found = await timed("resolve", () => resolve(request, recipe, workspace));
  const reached = await timed("traverse", () => traverse(found, request, recipe, workspace));
  const ranking = timed("score", () => score(reached, request, recipe));
  const enriched = await timed("enrich", () => enrich(ranking.ranked, request, workspace));
  const deduped = timed("dedupe", () => dedupe(enriched.items));
  const fitted = timed("budget", () => fitBudget(deduped.unique, request, found.query));
  return timed("render", () =>
    render({ request, found, ranking, enriched, deduped, fitted, milliseconds: timed.milliseconds }),
  );
}

/** Ranking only: the first stages of the same pipeline. */
export async function rank(workspace: Workspace, request: SearchRequest): Promise<Ranking & { warnings: string[] }> {
  const recipe = recipes.auto;
  const found = await resolve(request, recipe, workspace);
  return { ...score(found, request, recipe), warnings: found.warnings };
}
