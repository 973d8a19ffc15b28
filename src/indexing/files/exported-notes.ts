import { DossierError } from "../../errors.ts";

/** Exports of notes that lie in the root: their notes are read as such, not their bytes. None while the config file is broken. */
export async function exportedNotes(root: string): Promise<Set<string>> {
  const { originsInside } = await import("../../workspace/config/config.ts");
  const inside = await originsInside(root).catch((error: unknown) => {
    // Whoever asks for notes is told of it.
    if (error instanceof DossierError) return [];
    throw error;
  });
  return new Set(inside.filter(({ folder }) => !folder).map(({ path }) => path));
}
