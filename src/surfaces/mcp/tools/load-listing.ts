import type { ToolListing } from "./listing.ts";
import { makeListing } from "./make-listing.ts";

let cached: Promise<ToolListing> | undefined;

/** All tools, listed or read once. */
export function listing(): Promise<ToolListing> {
  cached ??= makeListing();
  return cached;
}
