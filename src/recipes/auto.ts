import { code } from "./code.ts";
import type { Recipe } from "./recipe.ts";

/** Anything, over everything the workspace holds: today that is its files. */
export const auto: Recipe = { ...code, name: "auto" };
