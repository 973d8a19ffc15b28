/**
 * A syntax tree copied out of the parser's memory: named nodes in the order of the text, as plain arrays.
 * The children of `node` are `node + 1` and on; `after[node]` is the first node that is not inside it,
 * so a subtree is a range of numbers and a walk is a loop that cannot overflow the stack.
 */
export type SyntaxTree = {
  text: string;
  count: number;
  /** Type of each node, an index into `typeNames`. */
  types: Uint16Array;
  typeNames: readonly string[];
  /** Role of each node in its parent, an index into `fieldNames`; 0 for none. */
  roles: Uint8Array;
  fieldNames: readonly (string | null)[];
  /** Start and end of the node's text, in UTF-16 units. */
  starts: Uint32Array;
  ends: Uint32Array;
  after: Int32Array;
  parents: Int32Array;
};

export const none = -1;

export function typeOf(tree: SyntaxTree, node: number): string {
  return node === none ? "" : tree.typeNames[tree.types[node]!]!;
}

export function textOf(tree: SyntaxTree, node: number): string {
  return node === none ? "" : tree.text.slice(tree.starts[node], tree.ends[node]);
}

export function parentOf(tree: SyntaxTree, node: number): number {
  return tree.parents[node]!;
}

export function childrenOf(tree: SyntaxTree, node: number): number[] {
  const children: number[] = [];
  const end = tree.after[node]!;
  for (let child = node + 1; child < end; child = tree.after[child]!) children.push(child);
  return children;
}

/** The first child with this role, or `none`. */
export function childAs(tree: SyntaxTree, node: number, role: string): number {
  if (node === none) return none;
  const end = tree.after[node]!;
  for (let child = node + 1; child < end; child = tree.after[child]!) {
    if (tree.fieldNames[tree.roles[child]!] === role) return child;
  }
  return none;
}

/** The first child of one of these types, or `none`. */
export function childOf(tree: SyntaxTree, node: number, ...types: string[]): number {
  if (node === none) return none;
  const end = tree.after[node]!;
  for (let child = node + 1; child < end; child = tree.after[child]!) {
    if (types.includes(typeOf(tree, child))) return child;
  }
  return none;
}

/** Every node of one of these types inside `node`, in order, `node` excluded. */
export function within(tree: SyntaxTree, node: number, ...types: string[]): number[] {
  const nodes: number[] = [];
  for (let inner = node + 1; inner < tree.after[node]!; inner++)
    if (types.includes(typeOf(tree, inner))) nodes.push(inner);
  return nodes;
}

/** The nearest node around `node` of one of these types, or `none`. */
export function around(tree: SyntaxTree, node: number, ...types: string[]): number {
  let outer = tree.parents[node]!;
  while (outer !== none && !types.includes(typeOf(tree, outer))) outer = tree.parents[outer]!;
  return outer;
}

/** The node after this one in the same parent, or `none`. */
export function nextSibling(tree: SyntaxTree, node: number): number {
  const next = node === none ? tree.count : tree.after[node]!;
  return next < tree.count && tree.parents[next] === tree.parents[node] ? next : none;
}

/**
 * The node before this one in the same parent, or `none`. In text order, a node is preceded by the descendants of its
 * sibling.
 */
export function previousSibling(tree: SyntaxTree, node: number): number {
  if (node === none) return none;
  const parent = tree.parents[node]!;
  let previous = node - 1;
  while (previous !== none && previous !== parent && tree.parents[previous] !== parent)
    previous = tree.parents[previous]!;
  return previous === parent ? none : previous;
}
