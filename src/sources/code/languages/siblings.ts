import { none, type SyntaxTree } from "../tree.ts";

/** The node after this one in the same parent, or `none`. */
export function nextSibling(tree: SyntaxTree, node: number): number {
  const next = node === none ? tree.count : tree.after[node]!;
  return next < tree.count && tree.parents[next] === tree.parents[node] ? next : none;
}

/** The node before this one in the same parent, or `none`. In text order, a node is preceded by the descendants of its sibling. */
export function previousSibling(tree: SyntaxTree, node: number): number {
  if (node === none) return none;
  const parent = tree.parents[node]!;
  let previous = node - 1;
  while (previous !== none && previous !== parent && tree.parents[previous] !== parent)
    previous = tree.parents[previous]!;
  return previous === parent ? none : previous;
}
