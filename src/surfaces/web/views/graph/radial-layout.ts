/**
 * A graph as rings around its centre: the ring is the number of links from the centre, and children stand behind
 * their parents.
 */

export type LayoutNode = { id: string; distance: number; links: number };
export type LayoutEdge = { from: string; to: string };

export type Placed = { x: number; y: number; angle: number; radius: number };
export type RadialLayout = {
  places: Map<string, Placed>;
  /** Radii of the rings, nearest first. */
  rings: number[];
  /** By a node's id: the parent, one ring nearer, that it stands behind. */
  parents: Map<string, string>;
  /** How far the outermost label reaches. */
  extent: number;
};

/** Pixels between rings, and between two nodes of a ring: room for a label each. */
const ringGap = 135;
const spacing = 14;
const labelLength = 130;

export function radialLayout(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): RadialLayout {
  const parents = parentsOf(nodes, edges);
  const children = new Map<string, string[]>();
  for (const [child, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), child]);
  const centres = nodes.filter(({ distance }) => distance === 0).map(({ id }) => id);
  const weights = new Map<string, number>();
  // Nodes come by distance, so the last ones have no children that are not weighed yet.
  for (const { id } of [...nodes].reverse()) {
    const below = (children.get(id) ?? []).reduce((sum, child) => sum + weights.get(child)!, 0);
    weights.set(id, Math.max(1, below));
  }
  const sum = () => centres.reduce((all, id) => all + weights.get(id)!, 0);
  // A centre with few links still needs room for its name.
  const least = sum() / (2 * centres.length);
  for (const id of centres) weights.set(id, Math.max(least, weights.get(id)!));
  const leaves = sum();
  const depth = Math.max(0, ...nodes.map(({ distance }) => distance));
  const around = centres.length > 1 ? 1 : 0;
  const count = depth + around;
  const needed = (leaves * spacing) / (2 * Math.PI);
  const gap = Math.max(ringGap, count > 0 ? needed / count : 0);
  const rings = Array.from({ length: count }, (_, at) => gap * (at + 1));
  const radiusOf = (distance: number) => rings[distance - 1 + around] ?? 0;
  const places = new Map<string, Placed>();
  const place = (ids: readonly string[], from: number, to: number, distance: number) => {
    const total = ids.reduce((sum, id) => sum + weights.get(id)!, 0);
    let at = from;
    for (const id of ids) {
      const width = ((to - from) * weights.get(id)!) / Math.max(1, total);
      const angle = at + width / 2;
      const radius = distance === 0 && around === 0 ? 0 : radiusOf(distance);
      places.set(id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle), angle, radius });
      place(children.get(id) ?? [], at, at + width, distance + 1);
      at += width;
    }
  };
  // From the left, so that the first one is read first.
  place(centres, -Math.PI, Math.PI, 0);
  return { places, rings, parents, extent: (rings.at(-1) ?? 0) + labelLength };
}

/** Of those that are a step nearer, the one with the fewest children so far: the rings fill evenly. */
function parentsOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Map<string, string> {
  const distances = new Map(nodes.map(({ id, distance }) => [id, distance]));
  const nearer = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const [a, b] = [distances.get(from), distances.get(to)];
    if (a === undefined || b === undefined || Math.abs(a - b) !== 1) continue;
    const [parent, child] = a < b ? [from, to] : [to, from];
    nearer.set(child, [...(nearer.get(child) ?? []), parent]);
  }
  const childCounts = new Map<string, number>();
  const parents = new Map<string, string>();
  for (const { id, distance } of nodes) {
    if (distance === 0) continue;
    const [parent] = (nearer.get(id) ?? []).sort((a, b) => (childCounts.get(a) ?? 0) - (childCounts.get(b) ?? 0));
    if (parent === undefined) continue;
    parents.set(id, parent);
    childCounts.set(parent, (childCounts.get(parent) ?? 0) + 1);
  }
  return parents;
}

/** From a parent to its child: out along the ring, then away from the centre. */
export function treePath(from: Placed, to: Placed): string {
  const middle = (from.radius + to.radius) / 2;
  const [a, b] = [at(from.angle, middle), at(to.angle, middle)];
  const start = from.radius === 0 ? at(to.angle, middle) : a;
  return `M${round(from.x)},${round(from.y)}C${start} ${b} ${round(to.x)},${round(to.y)}`;
}

/** Between any two nodes: bent towards the centre, so that lines to the same side run together. */
export function crossPath(from: Placed, to: Placed): string {
  const bend = 0.45;
  return `M${round(from.x)},${round(from.y)}Q${round(((from.x + to.x) / 2) * bend)},${round(((from.y + to.y) / 2) * bend)} ${round(to.x)},${round(to.y)}`;
}

function at(angle: number, radius: number): string {
  return `${round(radius * Math.cos(angle))},${round(radius * Math.sin(angle))}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
