import type { LanguageId } from "../languages.ts";
import type { Rules } from "../rules.ts";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";

/** The rules of every language that has a grammar. */
export const rulesOf: Partial<Record<LanguageId, Rules>> = {
  python,
  javascript,
  jsx: javascript,
  typescript: javascript,
  tsx: javascript,
  go,
};
