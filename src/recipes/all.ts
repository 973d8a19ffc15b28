import type { Request } from "../options.ts";
import { auto } from "./auto.ts";
import { code } from "./code.ts";
import type { Recipe } from "./recipe.ts";

export const recipes: Record<Request["recipe"], Recipe> = { auto, code };
