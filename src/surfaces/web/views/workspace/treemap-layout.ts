/** A treemap: rectangles whose areas are as their amounts, as square as can be, folders inside folders. */

export type Entry = { path: string; kind: "file" | "folder" | "rest"; tokens: number };
export type Rectangle = { x: number; y: number; width: number; height: number };
export type Cell<Each extends Entry> = Rectangle & { entry: Each };
/** An opened folder: its cells lie inside it, below its name where there is room for one. */
type Frame = Rectangle & { path: string; name: string; tokens: number; titled: boolean };
export type Treemap<Each extends Entry> = { cells: Cell<Each>[]; frames: Frame[] };

type Node<Each extends Entry> = { path: string; name: string; tokens: number; entry?: Each; children: Node<Each>[] };

const titleHeight = 18;
const gap = 2;
/** Smaller frames have neither a name nor a border. */
const smallestFrame = { width: 60, height: 48 };

export function treemap<Each extends Entry>(
  entries: readonly Each[],
  under: string,
  width: number,
  height: number,
): Treemap<Each> {
  const result: Treemap<Each> = { cells: [], frames: [] };
  const root = treeOf(entries, under);
  place(root.children, { x: 0, y: 0, width, height }, result);
  return result;
}

function treeOf<Each extends Entry>(entries: readonly Each[], under: string): Node<Each> {
  const root: Node<Each> = { path: under, name: under, tokens: 0, children: [] };
  const folders = new Map<string, Node<Each>>([[under, root]]);
  const folderAt = (path: string): Node<Each> => {
    const existing = folders.get(path);
    if (existing) return existing;
    const slash = path.lastIndexOf("/");
    const parent = slash < 0 ? root : folderAt(path.slice(0, slash));
    const node: Node<Each> = { path, name: path.slice(slash + 1), tokens: 0, children: [] };
    folders.set(path, node);
    parent.children.push(node);
    return node;
  };
  for (const entry of entries) {
    if (entry.tokens <= 0) continue;
    const slash = entry.path.lastIndexOf("/");
    const parent =
      entry.kind === "rest" ? folderAt(entry.path) : slash < 0 ? root : folderAt(entry.path.slice(0, slash));
    const name = entry.kind === "rest" ? "…" : entry.path.slice(slash + 1);
    parent.children.push({ path: entry.path, name, tokens: entry.tokens, entry, children: [] });
  }
  summed(root);
  return root;
}

function summed<Each extends Entry>(node: Node<Each>): number {
  if (node.entry) return node.tokens;
  node.tokens = node.children.reduce((sum, child) => sum + summed(child), 0);
  node.children.sort((a, b) => b.tokens - a.tokens || (a.path < b.path ? -1 : 1));
  return node.tokens;
}

/** A folder with one folder in it is one frame: `src/main/java`. */
function joined<Each extends Entry>(node: Node<Each>): Node<Each> {
  const [only, ...others] = node.children;
  if (!only || others.length > 0 || only.entry) return node;
  const inner = joined(only);
  return { ...inner, name: `${node.name}/${inner.name}` };
}

function place<Each extends Entry>(nodes: Node<Each>[], area: Rectangle, result: Treemap<Each>): void {
  for (const [each, rectangle] of squarified(nodes, area)) {
    if (each.entry) {
      result.cells.push({ ...rectangle, entry: each.entry });
      continue;
    }
    const { path, name, tokens, children } = joined(each);
    const titled = rectangle.width >= smallestFrame.width && rectangle.height >= smallestFrame.height;
    result.frames.push({ ...rectangle, path, name, tokens, titled });
    place(children, titled ? inside(rectangle) : rectangle, result);
  }
}

function inside({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + gap, y: y + titleHeight, width: width - 2 * gap, height: height - titleHeight - gap };
}

/** Rows along the shorter side, each as long as its rectangles get more square by it (Bruls, Huizing and van Wijk). */
function squarified<Each extends Entry>(nodes: Node<Each>[], area: Rectangle): [Node<Each>, Rectangle][] {
  const placed: [Node<Each>, Rectangle][] = [];
  let { x, y, width, height } = area;
  let remaining = nodes.reduce((sum, { tokens }) => sum + tokens, 0);
  for (let first = 0; first < nodes.length; ) {
    const side = Math.min(width, height);
    const scale = remaining > 0 ? (width * height) / remaining : 0;
    let count = 1;
    let sum = nodes[first]!.tokens;
    let worst = ratio(sum, sum, sum, scale, side);
    while (first + count < nodes.length) {
      const next = nodes[first + count]!.tokens;
      const wider = ratio(sum + next, nodes[first]!.tokens, next, scale, side);
      if (wider > worst) break;
      worst = wider;
      sum += next;
      count++;
    }
    const thickness = side > 0 ? (sum * scale) / side : 0;
    let offset = 0;
    for (const node of nodes.slice(first, first + count)) {
      const length = sum > 0 ? (side * node.tokens) / sum : 0;
      placed.push([
        node,
        width >= height
          ? { x, y: y + offset, width: thickness, height: length }
          : { x: x + offset, y, width: length, height: thickness },
      ]);
      offset += length;
    }
    if (width >= height) {
      x += thickness;
      width = Math.max(0, width - thickness);
    } else {
      y += thickness;
      height = Math.max(0, height - thickness);
    }
    remaining -= sum;
    first += count;
  }
  return placed;
}

/** How far the worst rectangle of a row is from a square. */
function ratio(sum: number, largest: number, smallest: number, scale: number, side: number): number {
  const area = sum * scale;
  if (area <= 0 || side <= 0) return Number.POSITIVE_INFINITY;
  return Math.max((side ** 2 * largest * scale) / area ** 2, area ** 2 / (side ** 2 * smallest * scale));
}
