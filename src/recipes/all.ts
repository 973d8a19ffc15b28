import type { Request } from "../options.ts";
import { agent } from "./agent.ts";
import { auto } from "./auto.ts";
import { chat } from "./chat.ts";
import { code } from "./code.ts";
import { graph } from "./graph.ts";
import type { Recipe } from "./recipe.ts";

/** Recipes that need only a query; `premortem` needs a domain instead. */
export const recipes: Record<Request["recipe"], Recipe> = { auto, code, agent: agent(), graph: graph(), chat: chat() };
