/**
 * Clusters as circles: as large as they have members, near each other where their subjects are, and never one over
 * another.
 */

export type ClusterShape = { id: string; size: number; centroid: readonly number[] };
export type Circle = { id: string; x: number; y: number; radius: number };

const rounds = 160;
const margin = 10;

export function clusterLayout(clusters: readonly ClusterShape[], width: number, height: number): Circle[] {
  if (clusters.length === 0) return [];
  const total = clusters.reduce((sum, { size }) => sum + size, 0);
  // A third of the picture is covered: the rest is the distance between subjects.
  const scale = Math.sqrt((0.33 * width * height) / (Math.PI * total));
  // Never less than nothing: a frame that is not laid out yet has no size.
  const most = Math.max(0, Math.min(width, height) / 2 - 2 * margin);
  const places = projected(clusters.map(({ centroid }) => centroid));
  const circles = clusters.map(({ id, size }, at) => ({
    id,
    radius: Math.min(most, Math.max(16, scale * Math.sqrt(size))),
    x: width / 2 + places[at]![0] * width * 0.4,
    y: height / 2 + places[at]![1] * height * 0.4,
  }));
  for (let round = 0; round < rounds; round++) {
    pushApart(circles);
    for (const circle of circles) {
      circle.x = clamp(circle.x, circle.radius + margin, width - circle.radius - margin);
      circle.y = clamp(circle.y, circle.radius + margin, height - circle.radius - margin);
    }
  }
  return circles;
}

function pushApart(circles: Circle[]): void {
  for (const [i, a] of circles.entries()) {
    for (const b of circles.slice(i + 1)) {
      const [x, y] = [b.x - a.x, b.y - a.y];
      const distance = Math.hypot(x, y) || 0.01;
      const overlap = a.radius + b.radius + margin - distance;
      if (overlap <= 0) continue;
      const [dx, dy] = distance < 0.1 ? [i % 2 ? 1 : -1, 0.5] : [x / distance, y / distance];
      a.x -= (dx * overlap) / 2;
      a.y -= (dy * overlap) / 2;
      b.x += (dx * overlap) / 2;
      b.y += (dy * overlap) / 2;
    }
  }
}

function clamp(value: number, least: number, most: number): number {
  return least > most ? (least + most) / 2 : Math.max(least, Math.min(most, value));
}

/** The two directions in which points differ most (principal components, by power iteration), each scaled to -1..1. */
function projected(points: readonly (readonly number[])[]): [number, number][] {
  const size = points[0]?.length ?? 0;
  const mean = Array.from(
    { length: size },
    (_, i) => points.reduce((sum, point) => sum + point[i]!, 0) / points.length,
  );
  const centred = points.map((point) => point.map((value, i) => value - mean[i]!));
  const first = direction(centred);
  const rest = centred.map((point) => subtract(point, first, dot(point, first)));
  const second = direction(rest);
  const [xs, ys] = [centred.map((point) => dot(point, first)), rest.map((point) => dot(point, second))];
  const spread = (values: number[]) => Math.max(1e-9, ...values.map(Math.abs));
  const [wide, high] = [spread(xs), spread(ys)];
  return points.map((_, i) => [xs[i]! / wide, ys[i]! / high]);
}

const iterations = 40;

function direction(points: readonly (readonly number[])[]): number[] {
  const size = points[0]?.length ?? 0;
  // Not random: the same clusters are drawn in the same places.
  let vector = Array.from({ length: size }, (_, i) => 1 + (i % 7) / 7);
  for (let round = 0; round < iterations; round++) {
    const next = new Array<number>(size).fill(0);
    for (const point of points) {
      const along = dot(point, vector);
      for (let i = 0; i < size; i++) next[i]! += along * point[i]!;
    }
    const length = Math.sqrt(dot(next, next));
    if (length < 1e-12) break;
    vector = next.map((value) => value / length);
  }
  return vector;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function subtract(point: readonly number[], vector: readonly number[], amount: number): number[] {
  return point.map((value, i) => value - amount * vector[i]!);
}
