import { type ContextInput, type Request, requestOf } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { analyseQuery, isHistoryQuestion } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { refreshNoteSources } from "../core/refresh-notes.ts";
import { sourcesOf } from "../core/sources-needed.ts";
import { asksGraph, asksNotes, recipeOf } from "../notes/graph-recipe.ts";

export type Prepared = { request: Request; recipe: Recipe; warnings: string[] };

/** Prepares a question: refreshes the sources, and completes the recipe with everything it has to look up. */
export async function prepare(input: ContextInput, workspace: Workspace, environment: Environment): Promise<Prepared> {
  const chosenInput = asksNotes(input) ? { ...input, recipe: "graph" as const } : input;
  if (chosenInput.recipe === "chat") {
    const { prepareChat } = await import("../chat/prepare-chat.ts");
    return prepareChat(chosenInput, [], workspace, environment);
  }
  const sources = sourcesOf(chosenInput);
  const { query, offline } = input;
  const warnings: string[] = [];
  let backend: Awaited<ReturnType<typeof refreshNoteSources>>["backend"] = "sqlite";
  if (input.refresh) {
    const others = sources.filter((name) => name !== "note");
    warnings.push(...(await refreshSources(workspace, environment, others, input)));
    if (sources.includes("note")) {
      const notes = await refreshNoteSources(workspace, environment, { query, offline });
      warnings.push(...notes.warnings);
      backend = notes.backend;
    }
  }
  const caveats = await caveatsOf(query, sources, workspace);
  // Only with fresh notes can a note be recognised by its id.
  const request = requestOf(
    (await asksGraph(chosenInput, workspace)) ? { ...chosenInput, recipe: "graph" } : chosenInput,
  );
  const chosen = await recipeOf(request, workspace, { backend, now: Date.now(), nameOf: environment.nameOf });
  return {
    ...chosen,
    request: input.maxTokens < roomForCaveats ? chosen.request : { ...chosen.request, caveats },
    warnings: [...new Set([...warnings, ...caveats, ...chosen.warnings])],
  };
}

/**
 * The smallest budget whose document states what is missing from it. In a smaller one this would take the answer's
 * room.
 */
const roomForCaveats = 256;

/** What the reader must know about gaps in this answer: a model gets only the document, not the warnings beside it. */
async function caveatsOf(query: string, sources: readonly string[], workspace: Workspace): Promise<string[]> {
  const isOfHistory = sources.includes("commit") && isHistoryQuestion(analyseQuery(query));
  const { unread } = workspace;
  const unindexed = unread && (unread.files || isOfHistory) ? [unread.sentence] : [];
  if (!isOfHistory) return unindexed;
  const { unreadHistory } = await import("../../indexing/history/history.ts");
  return [...unindexed, ...(await unreadHistory(workspace))];
}
