/** What an OpenAI-compatible server answers to a batch, read with suspicion. */

/** The vectors in the order of the texts; or what is wrong with the answer, as the end of a sentence that names the server. */
export function vectorsIn(answer: unknown, count: number): Float32Array[] | { wrong: string } {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return { wrong: "answered without a list of vectors" };
  if (data.length !== count) return { wrong: `answered with ${data.length} vectors for ${count} texts` };
  const vectors: Float32Array[] = new Array(count);
  for (const [place, entry] of data.entries()) {
    const { embedding, index } = (entry ?? {}) as { embedding?: unknown; index?: unknown };
    // Servers may answer in any order; those that number nothing answer in ours.
    const at = index === undefined ? place : index;
    if (typeof at !== "number" || !(at in data) || vectors[at])
      return { wrong: "answered with vectors in no clear order" };
    const vector = vectorOf(embedding);
    if (!vector) return { wrong: "answered with vectors that hold no numbers" };
    vectors[at] = vector;
  }
  return vectors;
}

function vectorOf(embedding: unknown): Float32Array | undefined {
  const vector = typeof embedding === "string" ? decoded(embedding) : embedding;
  if (!(vector instanceof Float32Array) && !Array.isArray(vector)) return undefined;
  if (vector.length === 0) return undefined;
  // A number that no float of 32 bits can hold is infinite in it.
  const floats = new Float32Array(vector.length);
  for (const [i, component] of vector.entries()) {
    if (typeof component !== "number" || !Number.isFinite(Math.fround(component))) return undefined;
    floats[i] = component;
  }
  return floats;
}

/** Servers that do not know `encoding_format` may answer in base64: floats of 32 bits, little-endian. */
function decoded(base64: string): Float32Array | undefined {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
