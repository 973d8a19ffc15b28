import type { Declaration, Rules } from "../rules.ts";
import { childOf, none, type SyntaxTree, textOf, within } from "../tree.ts";

/** The markup of Svelte and Vue files, beside their scripts. */
export const markup: Rules = {
  units: { snippet_statement: snippet },
  wrappers: [],
  comments: ["comment"],
  strings: ["text"],
  calls: { start_tag: "*", self_closing_tag: "*" },
  elements: ["start_tag", "self_closing_tag"],
  members: {},
  names: ["tag_name"],
  imports: {},
};

/** `{#snippet row(item)}` is a function of the template. */
function snippet(tree: SyntaxTree, node: number): Declaration | undefined {
  const name = textOf(tree, within(tree, node, "snippet_name")[0] ?? none);
  const head = childOf(tree, node, "snippet_start");
  const body = head === none ? none : tree.after[head]!;
  return name === "" ? undefined : { kind: "function", name, body: body < tree.after[node]! ? body : undefined };
}
