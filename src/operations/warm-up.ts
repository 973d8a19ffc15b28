/** Loads what answering a question takes, so that the first one does not wait for it. Opens nothing. */
export async function warmUp(): Promise<void> {
  await import("./context-query.ts");
  await import("../workspace.ts");
  await import("../stores/sqlite/open.ts");
  await import("../indexing/update.ts");
  await import("../assemble.ts");
  const { tokenCounter } = await import("../text/tokens.ts");
  tokenCounter("o200k_base");
}
