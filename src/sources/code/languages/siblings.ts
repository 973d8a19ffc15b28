import { none, type SyntaxTree } from "../tree.ts";

/** The node after this one in the same parent, or `none`. */
export function nextSibling(tree: SyntaxTree, node: number): number {
  const next = node === none ? tree.count : tree.after[node]!;
  return next < tree.count && tree.parents[next] === tree.parents[node] ? next : none;
}

/** The node before this one in the same parent, or `none`. What stands before a node in the order is inside its predecessor. */
export function previousSibling(tree: SyntaxTree, node: number): number {
  if (node === none) return none;
  const parent = tree.parents[node]!;
  let previous = node - 1;
  while (previous !== none && previous !== parent && tree.parents[previous] !== parent)
    previous = tree.parents[previous]!;
  return previous === parent ? none : previous;
}
