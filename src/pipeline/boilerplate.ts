import type { Item } from "../item.ts";
import type { Query } from "../text/analysis/query.ts";

const named = /^[_$]*(?:[a-z]_)?(?:log|logger|logging)_*$|^serialVersionUID$/i;
/**
 * `LogProvider.GetLogger(...)`, `LoggerFactory.getLogger(...)`, `logging.getLogger(__name__)`, `private final Logger
 * audit`.
 */
const madeAs =
  /\b(?:[gs]et_?|create_?|new_?|for_?)logger\b|\b(?:Log(?:ger)?(?:Factory|Manager|Provider)|KotlinLogging)\b|\bI?Log(?:ger)?(?:<[^<>]{0,200}>)?\s+\w+\s*=|:\s*Logger\s*=|=\s*new\s+[Oo]bject\(\)/i;

/**
 * A field that every class of a program has: its logger, the object that it locks. It is the same everywhere and tells
 * nothing of what a function does, unless the question has a word of its name.
 */
export function isBoilerplate({ kind, name, signature = "" }: Item, { terms }: Pick<Query, "terms">): boolean {
  if (kind !== "field" && kind !== "constant") return false;
  if (!named.test(name) && !madeAs.test(signature)) return false;
  const bare = name.toLowerCase();
  return !terms.some(({ term }) => term.length > 2 && bare.includes(term.toLowerCase()));
}
