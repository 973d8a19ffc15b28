import type { OperationName } from "../../operations/all.ts";

/** What both of the agent's own documents say of each item. */
const ofEachItem = ["items.content", "items.because", "items.merged", "items.level", "items.tokens"];

/**
 * What an agent is not given as data, because the document beside it says so already: some clients show a model the data alone, which
 * would pay for every line twice. A dot reaches into the entries of a list.
 */
const repeated: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  context: [
    "query",
    "recipe",
    "format",
    "items.text",
    "items.block",
    "items.imports",
    "items.because",
    "items.merged",
    "stats",
  ],
  context_query: ["query", "results"],
  assemble_context: [...ofEachItem, "dropped", "stats"],
  get_premortem_context: [...ofEachItem, "dropped", "stats"],
  tana_context: ["nodes.content"],
  prime_context: ["items.content", "items.excerpt", "items.because", "citations", "milliseconds"],
};

/** The data of an answer without what its document repeats. */
export function lean(name: string, data: Record<string, unknown>): Record<string, unknown> {
  const paths = Object.hasOwn(repeated, name) ? repeated[name as OperationName]! : [];
  const kept = without(
    data,
    paths.filter((path) => !path.includes(".")),
  );
  for (const list of new Set(paths.filter((path) => path.includes(".")).map((path) => path.split(".")[0]!))) {
    const keys = paths.filter((path) => path.startsWith(`${list}.`)).map((path) => path.slice(list.length + 1));
    const entries = kept[list];
    if (Array.isArray(entries)) kept[list] = entries.map((entry) => without(entry as Record<string, unknown>, keys));
  }
  return kept;
}

/** Names of an answer's parts that are never given. */
export function leftOut(name: string): readonly string[] {
  return (Object.hasOwn(repeated, name) ? repeated[name as OperationName]! : []).filter((path) => !path.includes("."));
}

function without(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
