import type { ToolListing } from "./listing.ts";

/**
 * All tools, listed now. The build replaces this module by read-listing.ts: reading the list of the build takes a
 * fraction of the time.
 */
export async function makeListing(): Promise<ToolListing> {
  const [{ allOperations }, { listingOf }] = await Promise.all([
    import("../../../operations/core/registry.ts"),
    import("./listing.ts"),
  ]);
  return listingOf(await allOperations());
}
