import type { EmbeddableItem } from "./embedder.ts";

/**
 * Vectors of what is searched, by a model of language: texts get their prefix, and a blank one gets zeros without asking the
 * model, which would answer with the meaning of nothing, or not at all.
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
