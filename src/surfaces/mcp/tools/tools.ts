import { readFile } from "node:fs/promises";
import type { ToolListing } from "./listing.ts";

let known: Promise<ToolListing> | undefined;

/** The tools there are. A built program reads what was listed when it was built; sources are asked themselves. */
export function listing(): Promise<ToolListing> {
  known ??= import.meta.url.endsWith(".ts") ? listNow() : readListed();
  return known;
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
