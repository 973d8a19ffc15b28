import { asDossierError, DossierError } from "../../errors.ts";
import type { Item } from "../../item.ts";
import { searchInput } from "../../options.ts";
import { recipes } from "../../recipes/all.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findItem } from "../ask/item-find.ts";
import { isId, noteCalled } from "../ask/item-note.ts";
import { type OpenTarget, targetsCalled } from "../ask/open-targets.ts";
import { tuned } from "../notes/graph-recipe.ts";
import { itemsById } from "./links.ts";

/** Where a walk begins. `found`: by a question, with scores; else by id, name or path. */
export type Centres = { items: Item[]; scores: Map<string, number>; found: boolean; warnings: string[] };

/** Most items that a question or a folder begins with. */
const mostCentres = 12;

/** The items that an id, a name, a path or a question means. */
export async function centresOf(typed: string, workspace: Workspace): Promise<Centres> {
  const text = typed.trim();
  const byName = (items: Item[]): Centres => ({ items, scores: new Map(), found: false, warnings: [] });
  const bare = text.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isId(bare)) return byName(await byId(bare, workspace));
  const note = await noteCalled(workspace, text);
  if (note) return byName(await byId(note.id, workspace));
  const units = await targetsNamed(text, workspace);
  return units.length > 0 ? byName(units) : byQuestion(text, workspace);
}

async function byId(typed: string, workspace: Workspace): Promise<Item[]> {
  const { id } = await findItem(workspace, typed);
  const item = (await itemsById([id], workspace)).get(id);
  if (item) return [item];
  throw new DossierError("not-found", `${id} is not in the index: nothing leads to it or from it.`);
}

async function targetsNamed(text: string, workspace: Workspace): Promise<Item[]> {
  let targets: OpenTarget[];
  try {
    targets = await targetsCalled(text, workspace);
  } catch (thrown) {
    // No unit has this name: the text is a question.
    if (asDossierError(thrown).code !== "not-found") throw thrown;
    return [];
  }
  const items = await Promise.all(targets.map((target) => itemsOf(target, workspace)));
  return [...new Map(items.flat().map((item) => [item.id, item])).values()].slice(0, mostCentres);
}

async function itemsOf(target: OpenTarget, { store, owner }: Workspace): Promise<Item[]> {
  if (target.kind === "unit") return [target.item];
  if (target.kind === "id") return [];
  const under = target.kind === "folder" ? (target.path === "" ? "" : `${target.path}/`) : undefined;
  const paths =
    under === undefined
      ? [target.path]
      : (await store.files(owner)).map(({ path }) => path).filter((path) => path.startsWith(under));
  const files = await store.wholeFiles(owner, paths.slice(0, mostCentres));
  if (target.kind !== "lines") return [...files.values()].map(({ item }) => item);
  const inside = (await store.itemsOf(owner, target.path)).filter(
    ({ startLine, endLine }) => startLine <= target.startLine && endLine >= target.startLine,
  );
  return inside.slice(-1);
}

async function byQuestion(query: string, workspace: Workspace): Promise<Centres> {
  const { rank } = await import("../../assemble.ts");
  const request = searchInput.parse({ query, limit: mostCentres });
  const { ranked, warnings, notice } = await rank(workspace, request, await tuned(recipes.auto, workspace));
  const best = ranked.slice(0, mostCentres);
  return {
    items: best.map(({ item }) => item),
    scores: new Map(best.map(({ item, score }) => [item.id, score])),
    found: true,
    warnings: best.length > 0 ? warnings : [...warnings, notice ?? "Nothing here matches."],
  };
}
