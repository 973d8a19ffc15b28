import type { Context } from "./item.ts";
import type { Request, SearchRequest } from "./options.ts";
import { type Found, resolve } from "./pipeline/1-resolve.ts";
import { type Ranking, score } from "./pipeline/2-score.ts";
import { traverse } from "./pipeline/3-traverse.ts";
import { type Enrichment, enrich } from "./pipeline/4-enrich.ts";
import { dedupe } from "./pipeline/5-dedupe.ts";
import { fitBudget } from "./pipeline/6-budget.ts";
import { type Run, render } from "./pipeline/7-render.ts";
import { droppedFor } from "./pipeline/dropped.ts";
import { stopwatch } from "./pipeline/stopwatch.ts";
import { recipes } from "./recipes/all.ts";
import type { Workspace } from "./workspace.ts";

/** One query, start to finish. Each line is a file in pipeline/. */
export async function assemble(workspace: Workspace, request: Request): Promise<Context> {
  const recipe = recipes[request.recipe];
  const timed = stopwatch();
  const found = await timed("resolve", () => resolve(request, recipe, workspace));
  const scored = timed("score", () => score(found, request, recipe));
  const ranking = await timed("traverse", () => traverse(scored, request, workspace));
  const enriched = await timed("enrich", () => enrich(ranking.ranked, request, workspace));
  const { unique, duplicates } = timed("dedupe", () => dedupe(enriched.items));
  const leftOut = [
    ...duplicates,
    ...enriched.unreadable,
    ...ranking.below.map((each) => droppedFor(each, "below-score")),
  ];
  const fit = timed("budget", () => fitBudget(unique, leftOut, request, found.query));
  return timed("render", () => render(fit, request, runOf(found, ranking, enriched, timed.milliseconds)));
}

function runOf(found: Found, ranking: Ranking, enriched: Enrichment, milliseconds: Record<string, number>): Run {
  const bySource: Record<string, number> = {};
  for (const { item } of found.candidates) bySource[item.source] = (bySource[item.source] ?? 0) + 1;
  return {
    confidence: ranking.confidence,
    filesRead: enriched.filesRead,
    warnings: [...found.warnings, ...enriched.warnings],
    stats: { found: bySource, milliseconds },
  };
}

/** Ranking only: the first stages of the same pipeline. */
export async function rank(workspace: Workspace, request: SearchRequest): Promise<Ranking & { warnings: string[] }> {
  const recipe = recipes.auto;
  const found = await resolve(request, recipe, workspace);
  return { ...score(found, request, recipe), warnings: found.warnings };
}
