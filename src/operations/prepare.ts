import { type ContextInput, type Request, requestOf } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace.ts";
import { sourcesOf } from "./asked.ts";
import { fresh } from "./fresh.ts";
import { freshNotes } from "./fresh-notes.ts";
import { asksGraph, asksNotes, recipeOf } from "./graph-recipe.ts";
import type { Environment } from "./operation.ts";

export type Prepared = { request: Request; recipe: Recipe; warnings: string[] };

/** What a question needs before it can be answered: sources that are up to date, and the recipe with all that is looked up for it. */
export async function prepare(input: ContextInput, workspace: Workspace, environment: Environment): Promise<Prepared> {
  const named = asksNotes(input) ? { ...input, recipe: "graph" as const } : input;
  if (named.recipe === "chat") {
    const { prepareChat } = await import("./prepare-chat.ts");
    return prepareChat(named, [], workspace, environment);
  }
  const sources = sourcesOf(named);
  const { query, offline } = input;
  const warnings: string[] = [];
  let backend: Awaited<ReturnType<typeof freshNotes>>["backend"] = "sqlite";
  if (input.refresh) {
    const others = sources.filter((name) => name !== "note");
    warnings.push(...(await fresh(workspace, environment, others)));
    if (sources.includes("note")) {
      const notes = await freshNotes(workspace, environment, { query, offline });
      warnings.push(...notes.warnings);
      backend = notes.backend;
    }
  }
  // Only now can a note be known by its id.
  const request = requestOf((await asksGraph(named, workspace)) ? { ...named, recipe: "graph" } : named);
  const chosen = await recipeOf(request, workspace, { backend, now: Date.now() });
  return { ...chosen, warnings: [...warnings, ...chosen.warnings] };
}
