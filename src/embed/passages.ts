import type { EmbeddableItem } from "./embedder.ts";

/**
 * Vectors of indexed texts from a language model. Texts get the model's prefix. A blank text gets zeros without a
 * request, since a model answers it with a meaningless vector, or with an error.
 */
export async function embedPassages(
  items: EmbeddableItem[],
  { prefix, dimensions }: { prefix: string; dimensions: number },
  embed: (texts: string[]) => Promise<Int8Array[]>,
): Promise<Int8Array[]> {
  const filled = items.filter((item) => !isBlank(item.text));
  const vectors = await embed(filled.map(({ text }) => prefix + text));
  let next = 0;
  return items.map((item) => (isBlank(item.text) ? new Int8Array(dimensions) : vectors[next++]!));
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}
