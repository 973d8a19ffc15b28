import fc from "fast-check";
import { expect, it } from "vitest";
import { clusterLayout } from "./cluster-layout.ts";

const clusters = fc.array(
  fc.record({
    size: fc.integer({ min: 3, max: 60 }),
    centroid: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 12 },
);

it("draws every cluster inside the picture, and the same each time", () => {
  fc.assert(
    fc.property(clusters, (sizes) => {
      const withIds = sizes.map((each, at) => ({ ...each, id: String(at) }));
      const circles = clusterLayout(withIds, 800, 500);
      expect(circles).toHaveLength(withIds.length);
      for (const { x, y, radius } of circles) {
        expect(x - radius).toBeGreaterThanOrEqual(0);
        expect(x + radius).toBeLessThanOrEqual(800);
        expect(y - radius).toBeGreaterThanOrEqual(0);
        expect(y + radius).toBeLessThanOrEqual(500);
      }
      expect(clusterLayout(withIds, 800, 500)).toEqual(circles);
    }),
  );
});

it("has larger circles for larger clusters, side by side", () => {
  const [small, large] = clusterLayout(
    [
      { id: "a", size: 4, centroid: [1, 0] },
      { id: "b", size: 40, centroid: [1, 0] },
    ],
    800,
    500,
  );
  expect(large!.radius).toBeGreaterThan(small!.radius);
  expect(Math.hypot(large!.x - small!.x, large!.y - small!.y)).toBeGreaterThanOrEqual(large!.radius + small!.radius);
});
