/** Eigenvalues in falling order, and the eigenvectors as columns of a row-major matrix. */
export type Eigen = { values: Float64Array; vectors: Float64Array };

/** Once the error is small, a sweep over all pairs squares it: random matrices of this size need 8 sweeps. */
const mostSweeps = 30;

/** The eigenvectors of a small symmetric matrix (row-major, size x size) by cyclic Jacobi rotations. */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i++) v[i * size + i] = 1;

  let total = 0;
  for (const value of a) total += value * value;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    let outside = 0;
    for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) outside += a[i * size + j]! * a[i * size + j]!;
    if (outside <= total * 1e-24) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, size, p, q);
  }

  const order = Array.from({ length: size }, (_, i) => i).sort((x, y) => a[y * size + y]! - a[x * size + x]! || x - y);
  const values = Float64Array.from(order, (i) => a[i * size + i]!);
  const vectors = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) vectors[row * size + column] = v[row * size + order[column]!]!;
  }
  return { values, vectors };
}

/** Rotates the plane of p and q so that a[p, q] becomes zero. */
function rotate(a: Float64Array, v: Float64Array, size: number, p: number, q: number): void {
  const between = a[p * size + q]!;
  if (between === 0) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * between);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const x = a[k * size + p]!;
    const y = a[k * size + q]!;
    a[k * size + p] = c * x - s * y;
    a[k * size + q] = s * x + c * y;
  }
  for (let k = 0; k < size; k++) {
    const x = a[p * size + k]!;
    const y = a[q * size + k]!;
    a[p * size + k] = c * x - s * y;
    a[q * size + k] = s * x + c * y;
  }
  for (let k = 0; k < size; k++) {
    const x = v[k * size + p]!;
    const y = v[k * size + q]!;
    v[k * size + p] = c * x - s * y;
    v[k * size + q] = s * x + c * y;
  }
}
