import { DossierError } from "../../errors.ts";

/** Note exports inside the root: they are indexed as notes, not as files. Empty while the config file is invalid. */
export async function exportedNotes(root: string): Promise<Set<string>> {
  const { originsInside } = await import("../../workspace/config/config.ts");
  const inside = await originsInside(root).catch((error: unknown) => {
    // Operations on notes report the error.
    if (error instanceof DossierError) return [];
    throw error;
  });
  return new Set(inside.filter(({ folder }) => !folder).map(({ path }) => path));
}
