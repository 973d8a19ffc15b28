import { recipes } from "../recipes/all.ts";
import type { Recipe } from "../recipes/recipe.ts";
import { originsInside } from "../workspace/config/config.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The built-in recipe of an ordinary question. A workspace's own weights are applied on top of it. */
export async function builtInRecipe({ root }: Workspace): Promise<Recipe> {
  const inside = (await originsInside(root)).filter(({ folder }) => folder).map(({ name }) => name);
  return { ...recipes.auto, noteFilter: { excludeTags: [], withoutOrigins: inside } };
}
