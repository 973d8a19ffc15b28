import { code } from "./code.ts";
import type { Recipe } from "./recipe.ts";

/**
 * Anything, over everything the workspace holds. What people wrote down answers as well as what they programmed; a commit
 * tells how things came to be, which is seldom the whole answer.
 */
export const auto: Recipe = {
  ...code,
  name: "auto",
  // Commits at .6 took 15 % of the tokens for 320 questions after a symbol (flask, express, fastify, gson), at .3 5 %; at .2 they are all but gone.
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
