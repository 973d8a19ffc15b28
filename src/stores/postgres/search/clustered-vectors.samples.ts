import type { IndexedFile, Store } from "../../store.ts";

/**
 * Vectors as language models make them: in clusters of many sizes, near each other inside, all of one length. Each is a
 * subject's direction and some of its own.
 */
export type ClusteredVectors = { next(): Int8Array };

/** Draws the same numbers each time. */
function draw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/** How far a vector may be from its subject, and the largest component of an int8. */
const [spread, largest] = [0.7, 127];

export function clusteredVectors(
  seed: number,
  { dimensions, clusters }: { dimensions: number; clusters: number },
): ClusteredVectors {
  const random = draw(seed);
  // Box and Muller: two even draws make a normal one.
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const direction = () => {
    const vector = Float64Array.from({ length: dimensions }, normal);
    const norm = Math.hypot(...vector);
    return vector.map((component) => component / norm);
  };
  const centres = Array.from({ length: clusters }, direction);
  return {
    next() {
      // The nth cluster is about 1/n as large as the first.
      const centre = centres[Math.min(clusters, Math.floor((clusters + 1) ** random())) - 1]!;
      const own = direction();
      const mixed = centre.map((component, i) => component + spread * own[i]!);
      const scale = largest / Math.max(...mixed.map(Math.abs));
      return Int8Array.from(mixed, (component) => Math.round(component * scale));
    },
  };
}

/** Writes items that have nothing but a name, and their vectors; returns these by item id. */
export async function writeClustered(
  store: Store,
  owner: string,
  { model, count, vectors }: { model: string; count: number; vectors: ClusteredVectors },
): Promise<Map<string, Int8Array>> {
  const perFile = 500;
  for (let first = 0; first < count; first += perFile) {
    const file = bareFile(`${first}.md`, Math.min(perFile, count - first));
    await store.write(owner, { files: [file], removed: [] });
  }
  const vectorsById = new Map<string, Int8Array>();
  for (;;) {
    const slots = await store.modelVectors.missing(owner, model, perFile);
    if (slots.length === 0) return vectorsById;
    const bySlot = new Map(slots.map(({ slot }) => [slot, vectors.next()]));
    for (const { slot, item } of slots) vectorsById.set(item.id, bySlot.get(slot)!);
    await store.modelVectors.write(owner, model, bySlot);
  }
}

function bareFile(path: string, count: number): IndexedFile {
  const items = Array.from({ length: count }, (_, i) => ({
    item: {
      id: `doc-${path}-${i}`,
      source: "code" as const,
      kind: "section" as const,
      name: `part ${i}`,
      qualifiedName: `${path}::${i}`,
      path,
      startLine: i + 1,
      endLine: i + 1,
      hash: String(i),
    },
    unit: { terms: new Uint8Array(), length: 0 },
  }));
  return { path, hash: path, size: 0, modified: 0, text: "", imports: [], items, links: [] };
}

/** The share of the nearest that a search found, of so many queries that are like the vectors. */
export async function recallOf(
  store: Store,
  owner: string,
  {
    model,
    written,
    vectors,
    queries,
    limit,
  }: {
    model: string;
    written: ReadonlyMap<string, Int8Array>;
    vectors: ClusteredVectors;
    queries: number;
    limit: number;
  },
): Promise<{ recall: number; milliseconds: number[] }> {
  let [expected, matched] = [0, 0];
  const milliseconds: number[] = [];
  for (let i = 0; i < queries; i++) {
    const vector = vectors.next();
    const began = performance.now();
    const hits = await store.modelVectors.search(owner, model, { vector, limit });
    milliseconds.push(performance.now() - began);
    const products = [...written.values()].map((each) => dot(each, vector)).sort((a, b) => b - a);
    // Those as near as the last of the nearest are as good as it.
    const least = products[limit - 1] ?? Number.NEGATIVE_INFINITY;
    expected += Math.min(limit, written.size);
    matched += hits.filter(({ item }) => dot(written.get(item.id)!, vector) >= least).length;
  }
  return { recall: matched / expected, milliseconds };
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
