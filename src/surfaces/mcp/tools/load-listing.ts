import { readFile } from "node:fs/promises";
import type { ToolListing } from "./listing.ts";

let cached: Promise<ToolListing> | undefined;

/**
 * The tools there are. A built program reads the list made by the build; when run from source, the list is made now.
 */
export function listing(): Promise<ToolListing> {
  cached ??= import.meta.url.endsWith(".ts") ? listNow() : readListed();
  return cached;
}

async function readListed(): Promise<ToolListing> {
  return JSON.parse(await readFile(new URL("./mcp-tools.json", import.meta.url), "utf8")) as ToolListing;
}

async function listNow(): Promise<ToolListing> {
  const [{ allOperations }, { listingOf }] = await Promise.all([
    import("../../../operations/core/registry.ts"),
    import("./listing.ts"),
  ]);
  return listingOf(await allOperations());
}
