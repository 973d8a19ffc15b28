import { basename } from "node:path";
import { DossierError } from "../../errors.ts";
import type { ContextInput, Request } from "../../options.ts";
import { recipes } from "../../recipes/all.ts";
import { graph } from "../../recipes/graph.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { withWeights } from "../../recipes/weights.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AnsweringBackend } from "../core/refresh-notes.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { selectionOf } from "./selection.ts";

/** True when the question is one about the notes graph: by its recipe, by a lens, or by naming a note by its id. */
export async function asksGraph(
  { recipe, query, sources, types, languages, paths, ...notes }: ContextInput,
  workspace: Workspace,
): Promise<boolean> {
  if (recipe === "graph" || asksNotes(notes)) return true;
  if (recipe !== "auto" || query.trim() === "") return false;
  const { store, owner } = workspace;
  const id = query.trim().replace(/^\[|\]$/g, "");
  if (!/\s/.test(id) && (await store.graph.called(owner, id)).length > 0) return true;
  // A request that selects files means files.
  if (sources ?? types ?? languages ?? paths) return false;
  return hasOnlyNotes(workspace);
}

/** True when something is asked that only notes have: a lens, a tag, a field. */
export function asksNotes({ lens, tag, field, sort }: Pick<ContextInput, "lens" | "tag" | "field" | "sort">): boolean {
  return lens !== undefined || tag !== undefined || field !== undefined || sort !== undefined;
}

/** Files in a folder of notes that are not notes: attachments, and the settings of applications. */
const otherFile =
  /^(?:\.obsidian|\.trash|logseq|assets|attachments)\/|\.(?:canvas|excalidraw|png|jpe?g|gif|svg|pdf|css)$/i;
const noteFile = /\.(?:md|markdown|org)$/i;

const cache = new WeakMap<object, { revision: number; only: boolean }>();

/** True if the folder holds only notes, which are better asked as a graph than as files. */
async function hasOnlyNotes(workspace: Workspace): Promise<boolean> {
  const { root, store, owner } = workspace;
  // Records and the library are searched by other recipes: with them, the workspace is more than notes.
  if (workspace.hasRecords()) return false;
  const { configName, originsInside } = await import("../../workspace/config/config.ts");
  const [origins, revision] = await Promise.all([store.graph.origins(owner), store.revision(owner)]);
  if (origins.every(({ notes }) => notes === 0)) return false;
  const before = cache.get(store);
  if (before?.revision === revision) return before.only;
  const inside = await originsInside(root);
  const isNote = (path: string) => {
    if (path === configName || inside.some((origin) => !origin.folder && origin.path === path)) return true;
    const within = inside.find((origin) => origin.folder && (origin.path === "" || path.startsWith(`${origin.path}/`)));
    if (!within) return false;
    const inOrigin = within.path === "" ? path : path.slice(within.path.length + 1);
    return noteFile.test(inOrigin) || otherFile.test(inOrigin);
  };
  const only = (await store.files(owner)).every(({ path }) => isNote(path));
  cache.set(store, { revision, only });
  return only;
}

/** A recipe with its request: what a question says about the structure of notes is taken out of its topic. */
type ChosenRecipe = { recipe: Recipe; request: Request; warnings: string[] };

/**
 * The recipe of a request, with everything that it looks up: the lens, the time, and the sentence that describes the
 * answer.
 */
export async function recipeOf(
  input: Request,
  workspace: Workspace,
  { backend, now, nameOf = String }: { backend: AnsweringBackend; now: number; nameOf?: (key: string) => string },
): Promise<ChosenRecipe> {
  const { excludeTag: excludeTags = [], newerThan: since } = input;
  const newerThan = since === undefined ? undefined : parseTime(since, now, nameOf("newerThan"));
  const filter = { excludeTags, ...(newerThan === undefined ? {} : { newerThan }) };
  if (input.recipe !== "graph") {
    const withoutOrigins = await originsAmongFiles(workspace.root);
    const recipe = { ...(await tuned(recipes[input.recipe], workspace)), noteFilter: { ...filter, withoutOrigins } };
    return { recipe, request: input, warnings: [] };
  }
  if (input.depth === 0) throw new DossierError("bad-input", "In a notes graph the depth is from 1 to 5, not 0.");
  const { readConfig, lensNamed } = await import("../../workspace/config/config.ts");
  const config = await readConfig(workspace.root);
  const lens = lensNamed(config, input.lens ?? "general");
  const { graph: stored } = workspace.store;
  const isEmpty = (await stored.origins(workspace.owner)).every(({ notes }) => notes === 0);
  const selected = isEmpty ? undefined : await selectionOf(input, workspace, { now, filter, config, lens: lens.name });
  const header = {
    query: input.query,
    workspace: await workspaceName(input, workspace),
    lens: lens.name,
    backend,
    assembledAt: new Date(now).toISOString(),
    ...(selected ? { matches: { count: selected.selection.notes.length, where: selected.where } } : {}),
    ...(selected && selected.warnings.length > 0 ? { warnings: selected.warnings } : {}),
  };
  const recipe = graph({
    ...{ ...filter, lens, header },
    ...(selected ? { selection: selected.selection, isTopicless: selected.topic === "" } : {}),
  });
  const nothing = isEmpty ? nothingConnected : selected?.nothing;
  return {
    recipe: nothing === undefined ? recipe : { ...recipe, look: { ...recipe.look, nothing } },
    request: selected ? { ...input, query: selected.topic } : input,
    warnings: selected?.warnings ?? [],
  };
}

const nothingConnected =
  "No notes are connected to this workspace, or they are empty. Connect a Tana export, a vault or a folder of Markdown notes: dossier notes connect <file or folder>.";

/** The recipe with the weights that this workspace's own measurement chose (`dossier eval --tune`). */
export async function tuned(recipe: Recipe, { root }: Workspace): Promise<Recipe> {
  const { readConfig } = await import("../../workspace/config/config.ts");
  return withWeights(recipe, (await readConfig(root)).weights);
}

/** Vaults inside the root: their text is found as files, with lines to cite, and must not appear twice. */
async function originsAmongFiles(root: string): Promise<string[]> {
  const { originsInside } = await import("../../workspace/config/config.ts");
  return (await originsInside(root)).filter(({ folder }) => folder).map(({ name }) => name);
}

async function workspaceName({ workspace: workspaceInput }: ContextInput, { root }: Workspace): Promise<string> {
  if (workspaceInput !== undefined) return workspaceInput;
  const { nameOfWorkspace } = await import("../../workspace/registry.ts");
  try {
    return nameOfWorkspace(root) ?? basename(root);
  } catch (error) {
    // A broken registry is reported to a caller that asks for a name.
    if (error instanceof DossierError && error.code === "bad-config") return basename(root);
    throw error;
  }
}
