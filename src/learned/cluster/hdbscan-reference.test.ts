import { describe, expect, it } from "vitest";
import { hdbscan } from "./hdbscan.ts";
import { knownSets } from "./hdbscan-reference.samples.ts";
import { pointsOf } from "./points.ts";

describe("hdbscan finds what scikit-learn finds", () => {
  for (const { name, points, results } of knownSets) {
    const rows = points.split(" ").map((point) => point.split(",").map(Number));
    for (const { smallest, samples, labels, memberships } of results) {
      it(`in ${name}, ${smallest} points a cluster, ${samples} a neighbourhood`, async () => {
        const result = await hdbscan(pointsOf(rows), { smallest, samples });
        expect(lettered(result.labels)).toBe(labels);
        if (!memberships) return;
        const expected = memberships.split(" ").map(Number);
        for (const [i, membership] of expected.entries()) expect(result.probabilities[i]).toBeCloseTo(membership, 3);
      });
    }
  }

  it("has sets with clusters, with noise and with both to compare", () => {
    const all = knownSets.flatMap(({ results }) => results.map(({ labels }) => labels));
    expect(all.length).toBeGreaterThanOrEqual(20);
    expect(all.some((labels) => /^\.+$/.test(labels))).toBe(true);
    expect(all.some((labels) => labels.includes(".") && labels.includes("c"))).toBe(true);
    expect(all.some((labels) => !labels.includes(".") && labels.includes("e"))).toBe(true);
  });
});

/** Clusters are numbered by their first points, here and in the samples. */
function lettered(labels: Int32Array): string {
  return Array.from(labels, (label) => (label < 0 ? "." : String.fromCharCode(97 + label))).join("");
}
