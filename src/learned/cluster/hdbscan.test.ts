import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hdbscan } from "./hdbscan.ts";
import { pointsOf } from "./points.ts";
import { noise } from "./select-clusters.ts";

const settings = { smallest: 5, samples: 3 };

describe("hdbscan", () => {
  it("calls everything noise where there are fewer points than a cluster has", async () => {
    for (const count of [0, 1, 2, 4]) {
      const rows = Array.from({ length: count }, () => [1, 2]);
      const { labels, probabilities, clusters } = await hdbscan(pointsOf(rows), settings);
      expect([...labels]).toEqual(rows.map(() => noise));
      expect([...probabilities]).toEqual(rows.map(() => 0));
      expect(clusters).toBe(0);
    }
  });

  it("finds no cluster in what is all the same: there is nothing to tell it from", async () => {
    for (const row of [
      [0, 0, 0],
      [3, 1, 2],
    ]) {
      const { labels } = await hdbscan(pointsOf(Array.from({ length: 12 }, () => row)), settings);
      expect(new Set(labels)).toEqual(new Set([noise]));
    }
  });

  it("tells groups of identical points apart, fully members of their own", async () => {
    const rows = [...repeated([0, 0], 6), ...repeated([0, 9], 5), ...repeated([7, 0], 8), [30, 30]];
    const { labels, probabilities } = await hdbscan(pointsOf(rows), settings);
    expect([...labels]).toEqual([...repeated(0, 6), ...repeated(1, 5), ...repeated(2, 8), noise]);
    expect([...probabilities.slice(0, 19)]).toEqual(repeated(1, 19));
    expect(probabilities[19]).toBe(0);
  });

  it("does not let identical points outweigh the cluster they are in", async () => {
    // One cluster of two halves with hardly a gap between them, and another far away. Infinitely dense twins would tear
    // the halves apart.
    const row = (from: number) => [0, 1.01, 2.03, 3.06, 4.1, 5.15].map((x) => [from + x]);
    const rows = [...row(0), ...row(6.5), ...row(60), ...repeated([2.03], 4)];
    const { labels } = await hdbscan(pointsOf(rows), { smallest: 5, samples: 1 });
    expect([...labels]).toEqual([...repeated(0, 12), ...repeated(1, 6), ...repeated(0, 4)]);
  });

  it("puts a point that joins two clusters at the same distance into neither", async () => {
    const left = [-1.5, -1.4, -1.3, -1.2, -1].map((x) => [x]);
    const right = [1, 1.2, 1.3, 1.4, 1.5].map((x) => [x]);
    const { labels } = await hdbscan(pointsOf([...left, [0], ...right]), { smallest: 5, samples: 1 });
    expect([...labels]).toEqual([...repeated(0, 5), noise, ...repeated(1, 5)]);
  });

  it("finds the dense and the loose cluster at once", async () => {
    const dense = grid(5, 0.1).map(([x, y]) => [x!, y!]);
    const loose = grid(5, 3).map(([x, y]) => [x! + 100, y!]);
    const { labels } = await hdbscan(pointsOf([...dense, ...loose]), settings);
    expect([...labels]).toEqual([...repeated(0, 25), ...repeated(1, 25)]);
  });

  it("gives points at the rim a smaller membership than those in the middle", async () => {
    const rows = [...grid(4, 1), [5.5, 1.5], ...grid(4, 1).map(([x, y]) => [x! + 40, y!])];
    const { labels, probabilities } = await hdbscan(pointsOf(rows), settings);
    expect(labels[16]).toBe(labels[0]);
    expect(probabilities[16]!).toBeLessThan(0.7);
    expect(probabilities[5]!).toBeGreaterThan(0.9);
  });

  it("keeps no distance of every point to every other", async () => {
    const points = pointsOf(grid(36, 1));
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const pause = async () => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    };
    await hdbscan(points, { ...settings, pause });
    // A tenth of what they would take.
    expect(most).toBeLessThan((points.count ** 2 * 8) / 10);
  });

  it("stops when it is told to", async () => {
    const rows = grid(20, 1);
    const stopping = hdbscan(pointsOf(rows), { ...settings, pause: () => Promise.reject(new Error("stop")) });
    await expect(stopping).rejects.toThrow("stop");
  });
});

describe("hdbscan, whatever the points are", () => {
  /** Few different coordinates: many duplicates and many distances that are equal. */
  const coarse = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { maxLength: 60 });
  const fine = fc.array(fc.tuple(unit(), unit(), unit()), { maxLength: 60 });
  const points = fc.oneof(coarse, fine) as fc.Arbitrary<number[][]>;
  const options = fc.record({ smallest: fc.integer({ min: 2, max: 7 }), samples: fc.integer({ min: 1, max: 6 }) });

  it("finds clusters that are large enough, numbered by their first points, and memberships in 0..1", async () => {
    await fc.assert(
      fc.asyncProperty(points, options, async (rows, settings) => {
        const { labels, probabilities, clusters } = await hdbscan(pointsOf(rows), settings);
        expect(labels.length).toBe(rows.length);
        const sizes = Array.from({ length: clusters }, (_, c) => labels.filter((label) => label === c).length);
        for (const size of sizes) expect(size).toBeGreaterThanOrEqual(settings.smallest);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(labels.filter((label) => label !== noise).length);
        const firsts = sizes.map((_, c) => labels.indexOf(c));
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
        for (const [i, probability] of probabilities.entries()) {
          expect(probability >= 0 && probability <= 1).toBe(true);
          expect(probability > 0).toBe(labels[i] !== noise);
        }
      }),
    );
  });

  it("finds the same clusters in whatever order the points come", async () => {
    const shuffled = points.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows.keys()], { minLength: rows.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, options, async ([rows, order], settings) => {
        const straight = await hdbscan(pointsOf(rows), settings);
        const turned = await hdbscan(pointsOf(order.map((i) => rows[i]!)), settings);
        const back = new Int32Array(rows.length);
        order.forEach((i, at) => {
          back[i] = turned.labels[at]!;
        });
        expect(renumbered(back)).toEqual([...straight.labels]);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps identical points together when they are enough for a neighbourhood", async () => {
    await fc.assert(
      fc.asyncProperty(coarse, options, async (rows, settings) => {
        const { labels } = await hdbscan(pointsOf(rows), settings);
        const byPlace = new Map<string, number[]>();
        for (const [i, row] of rows.entries()) byPlace.set(String(row), [...(byPlace.get(String(row)) ?? []), i]);
        for (const twins of byPlace.values()) {
          if (twins.length < settings.samples) continue;
          expect(new Set(twins.map((i) => labels[i])).size).toBe(1);
        }
      }),
    );
  });
});

function unit(): fc.Arbitrary<number> {
  return fc.integer({ min: -9999, max: 9999 }).map((number) => number / 10_000);
}

function repeated<Element>(element: Element, times: number): Element[] {
  return Array.from({ length: times }, () => element);
}

/** A square of points, slightly uneven so that no two distances are equal. */
function grid(side: number, step: number): number[][] {
  return Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return [x * step * (1 + 0.003 * y), y * step * (1 + 0.002 * x)];
  });
}

function renumbered(labels: Int32Array): number[] {
  const numbers = new Map<number, number>([[noise, noise]]);
  return Array.from(labels, (label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size - 1);
    return numbers.get(label)!;
  });
}
