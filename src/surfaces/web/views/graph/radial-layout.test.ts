import fc from "fast-check";
import { expect, it } from "vitest";
import { radialLayout } from "./radial-layout.ts";

/** Every node but the first is linked with one that came before it. */
const graphs = fc.array(fc.nat(), { minLength: 1, maxLength: 120 }).map((choices) => {
  const nodes = [{ id: "0", distance: 0, links: 1 }];
  const edges: { from: string; to: string }[] = [];
  for (const [i, choice] of choices.entries()) {
    const parent = nodes[choice % nodes.length]!;
    nodes.push({ id: String(i + 1), distance: parent.distance + 1, links: 1 });
    edges.push({ from: parent.id, to: String(i + 1) });
  }
  return { nodes: nodes.sort((a, b) => a.distance - b.distance), edges };
});

it("places every node on the ring of its distance, and no two in one place", () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const { places, rings } = radialLayout(nodes, edges);
      expect(places.size).toBe(nodes.length);
      for (const { id, distance } of nodes)
        expect(places.get(id)!.radius).toBeCloseTo(distance === 0 ? 0 : rings[distance - 1]!, 6);
      const positions = new Set([...places.values()].map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`));
      expect(positions.size).toBe(nodes.length);
    }),
  );
});

it("puts several centres around the middle", () => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, distance: 0, links: 0 }));
  const { places, rings } = radialLayout(nodes, []);
  expect(rings).toHaveLength(1);
  expect([...places.values()].every(({ radius }) => radius === rings[0])).toBe(true);
});
