import { readFile } from "node:fs/promises";
import { builtFile } from "../../../package.ts";
import type { ToolListing } from "./listing.ts";

/** Stands in for make-listing.ts in a built program: the list that the build made. */
export async function makeListing(): Promise<ToolListing> {
  return JSON.parse(await readFile(builtFile("mcp-tools.json"), "utf8")) as ToolListing;
}
