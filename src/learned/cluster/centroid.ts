import { unit } from "./vector-space.ts";

/** The centroid of a group of vectors, and how far from it a member's text may be. */
export type Centroid = {
  /** Of length 1; all zeros where the members cancel out. */
  direction: Float64Array;
  /** Cosine distances of the members, in their order. */
  distances: number[];
  /** Mean of these distances plus half a standard deviation. */
  threshold: number;
};

const deviations = 0.5;

/** The weighted centroid of unit vectors. */
export function centroidOf(vectors: readonly Float64Array[], weights: readonly number[]): Centroid {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [i, vector] of vectors.entries()) {
    for (let k = 0; k < sum.length; k++) sum[k]! += weights[i]! * vector[k]!;
  }
  const direction = unit(sum) ?? new Float64Array(sum.length);
  const distances = vectors.map((vector) => cosineDistance(vector, direction));
  const mean = average(distances);
  const variance = average(distances.map((distance) => (distance - mean) ** 2));
  return { direction, distances, threshold: mean + deviations * Math.sqrt(variance) };
}

/** Cosine distance of unit vectors: 0 for the same direction, 1 for orthogonal ones, 2 for opposite ones. */
export function cosineDistance(a: Float64Array, b: Float64Array): number {
  let dot = 0;
  for (let k = 0; k < a.length; k++) dot += a[k]! * b[k]!;
  return Math.max(0, 1 - dot);
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
