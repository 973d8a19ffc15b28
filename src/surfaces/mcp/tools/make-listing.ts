import type { ToolListing } from "./listing.ts";

/**
 * The tools there are, listed now. The build puts read-listing.ts in place of this module: what it listed is read in a
 * fraction of the time.
 */
export async function makeListing(): Promise<ToolListing> {
  const [{ allOperations }, { listingOf }] = await Promise.all([
    import("../../../operations/core/registry.ts"),
    import("./listing.ts"),
  ]);
  return listingOf(await allOperations());
}
