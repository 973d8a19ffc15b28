import type { Workspace } from "../../src/workspace/workspace.ts";

/**
 * Queries of every shape, made from the workspace itself and always the same: names, first sentences of doc comments,
 * paths.
 */
export async function sampleQueries(workspace: Workspace, count: number): Promise<string[]> {
  const files = await workspace.store.files(workspace.owner);
  const names: string[] = [];
  const sentences: string[] = [];
  const paths: string[] = [];
  const step = Math.max(1, Math.floor(files.length / count));
  for (let i = 0; i < files.length && sentences.length < count; i += step) {
    const items = await workspace.store.itemsOf(workspace.owner, files[i]!.path);
    paths.push(files[i]!.path);
    const named = items.find((item) => item.kind === "function" || item.kind === "method" || item.kind === "class");
    if (named) names.push(named.name);
    const documented = items.find((item) => (item.doc?.split(/\s+/).length ?? 0) > 4);
    if (documented) sentences.push(documented.doc!.split(/\s+/).slice(0, 12).join(" "));
  }
  const mixed: string[] = [];
  for (let i = 0; mixed.length < count && i < count; i++) {
    const kind = i % 4 === 3 ? (i % 8 === 7 ? paths : names) : sentences;
    const query = kind[i % Math.max(1, kind.length)];
    if (query) mixed.push(query);
  }
  return mixed;
}
