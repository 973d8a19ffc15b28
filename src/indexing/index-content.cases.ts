import type { Workspace } from "../workspace/workspace.ts";

/** All content of an index, in a fixed order: the same files give the same content, whatever the path to it. */
export async function indexContent({ store, owner }: Workspace): Promise<unknown> {
  const files = (await store.files(owner)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const described = [];
  for (const file of files) {
    const items = await store.itemsOf(owner, file.path);
    const ids = items.map(({ id }) => id).sort();
    const links = await store.links(owner, ids, "from", undefined, 100_000);
    described.push({
      file: { ...file, modified: Math.round(file.modified) },
      stored: { ...(await store.file(owner, file.path))!, modified: 0 },
      items: items.map(({ changed, ...item }) => ({ ...item, changed: Math.round(changed ?? 0) })),
      links: links.map((link) => JSON.stringify(link)).sort(),
    });
  }
  const postings: Record<string, unknown> = {};
  for (const scope of ["unit", "file"] as const) {
    const terms: [string, string][] = [];
    for await (const batch of store.allTerms(owner, scope)) {
      for (const { id, terms: packed } of batch) terms.push([id, Buffer.from(packed).toString("base64")]);
    }
    const words = ["function", "value", "return", "total", "basket", "says", "helper", "class", "price", "note"];
    const search = { scope, terms: words.map((term) => ({ term, weight: 1 })), limit: 100_000 };
    const hits = await store.searchText(owner, search);
    const statistics = await store.termStatistics(owner, scope, words);
    postings[scope] = {
      terms: terms.sort(([a], [b]) => (a < b ? -1 : 1)),
      hits: hits.map(({ item, score }) => `${item.id} ${score.toFixed(9)}`).sort(),
      statistics: { ...statistics, frequencies: [...statistics.frequencies].sort() },
    };
  }
  return { described, postings };
}
