/** Points in a space, stored row by row. */
export type Points = { count: number; dimensions: number; values: Float64Array };

export function pointsOf(rows: readonly ArrayLike<number>[]): Points {
  const dimensions = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length * dimensions);
  for (const [i, row] of rows.entries()) values.set(row, i * dimensions);
  return { count: rows.length, dimensions, values };
}

/** Components between two checks of the limit. */
const stride = 8;

/**
 * Squared Euclidean distance, or some number above `limit` where it is larger: most pairs are far apart, and a few
 * components show it. Exactly the same for (i, j) and (j, i), and exactly 0 for identical points.
 */
export function squaredDistance({ dimensions, values }: Points, i: number, j: number, limit: number): number {
  const from = i * dimensions;
  const to = j * dimensions;
  let sum = 0;
  for (let start = 0; start < dimensions && sum <= limit; start += stride) {
    const end = Math.min(start + stride, dimensions);
    for (let k = start; k < end; k++) {
      const difference = values[from + k]! - values[to + k]!;
      sum += difference * difference;
    }
  }
  return sum;
}
