import { basename } from "node:path";
import { DossierError } from "../errors.ts";
import type { ContextInput } from "../options.ts";
import { recipes } from "../recipes/all.ts";
import { graph } from "../recipes/graph.ts";
import type { Recipe } from "../recipes/recipe.ts";
import { withWeights } from "../recipes/weights.ts";
import type { Workspace } from "../workspace.ts";
import type { Backend } from "./fresh-notes.ts";
import { parseWhen } from "./when.ts";

/** True when the question is one about the notes graph: by its recipe, by a lens, or by naming a note by its id. */
export async function asksGraph({ recipe, lens, query }: ContextInput, { store, owner }: Workspace): Promise<boolean> {
  if (recipe === "graph" || lens !== undefined) return true;
  if (recipe !== "auto" || /\s/.test(query.trim()) || query.trim() === "") return false;
  return (await store.graph.called(owner, query.trim().replace(/^\[|\]$/g, ""))).length > 0;
}

/** The recipe of a request with all that is looked up for it: the lens, the time, what the document says of itself. */
export async function recipeOf(
  input: ContextInput,
  workspace: Workspace,
  { backend, now }: { backend: Backend; now: number },
): Promise<Recipe> {
  const { excludeTag: excludeTags = [], newerThan: since } = input;
  const newerThan = since === undefined ? undefined : parseWhen(since, now, "newerThan");
  const filter = { excludeTags, ...(newerThan === undefined ? {} : { newerThan }) };
  if (input.recipe !== "graph") {
    const withoutOrigins = await originsAmongFiles(workspace.root);
    return { ...(await tuned(recipes[input.recipe], workspace)), noteFilter: { ...filter, withoutOrigins } };
  }
  if (input.depth === 0) throw new DossierError("bad-input", "In a notes graph the depth is from 1 to 5, not 0.");
  const { readConfig, lensNamed } = await import("../notes/config.ts");
  const lens = lensNamed(await readConfig(workspace.root), input.lens ?? "general");
  const header = {
    query: input.query,
    workspace: await workspaceName(input, workspace),
    lens: lens.name,
    backend,
    assembledAt: new Date(now).toISOString(),
  };
  return graph({ ...filter, lens, header });
}

/** The recipe with what this workspace's own measurement changed (`dossier eval --tune`). */
export async function tuned(recipe: Recipe, { root }: Workspace): Promise<Recipe> {
  const { readConfig } = await import("../notes/config.ts");
  return withWeights(recipe, (await readConfig(root)).weights);
}

/** Vaults inside the root: what they say is found as files, with lines to cite, and must not be said twice. */
async function originsAmongFiles(root: string): Promise<string[]> {
  const { originsInside } = await import("../notes/config.ts");
  return (await originsInside(root)).filter(({ folder }) => folder).map(({ name }) => name);
}

async function workspaceName({ workspace: asked }: ContextInput, { root }: Workspace): Promise<string> {
  if (asked !== undefined) return asked;
  const { nameOfWorkspace } = await import("../tree/registry.ts");
  try {
    return nameOfWorkspace(root) ?? basename(root);
  } catch (error) {
    // A broken list of names is told to whoever asks for one.
    if (error instanceof DossierError && error.code === "bad-config") return basename(root);
    throw error;
  }
}
