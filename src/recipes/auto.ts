import { code } from "./code.ts";
import type { Recipe } from "./recipe.ts";

/**
 * The default: any query, over all sources of the workspace. Commits count least: they describe how the code came to
 * be, which is seldom the answer.
 */
export const auto: Recipe = {
  ...code,
  name: "auto",
  // On 320 questions about a symbol (flask, express, fastify, gson), commits at .6 took 15 % of the tokens, at .3 5 %,
  // at .2 almost none.
  asks: [
    ...code.asks,
    { source: "memory", deadline: 2000, limit: 20 },
    { source: "experience", deadline: 2000, limit: 20, kinds: ["experience"], factor: 0.9 },
    { source: "value", deadline: 2000, limit: 10, factor: 0.9 },
    { source: "note", deadline: 2000, limit: 20 },
    { source: "document", deadline: 2000, limit: 20 },
    { source: "message", deadline: 2000, limit: 20, factor: 0.7 },
    { source: "commit", deadline: 2000, limit: 20, factor: 0.3, historyFactor: 1 },
  ],
};
