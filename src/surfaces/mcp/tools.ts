import { readFile } from "node:fs/promises";
import type { Listing } from "./listing.ts";

let known: Promise<Listing> | undefined;

/** The tools there are. A built program reads what was listed when it was built; sources are asked themselves. */
export function listing(): Promise<Listing> {
  known ??= import.meta.url.endsWith(".ts") ? listNow() : readListed();
  return known;
}

async function readListed(): Promise<Listing> {
  return JSON.parse(await readFile(new URL("./mcp-tools.json", import.meta.url), "utf8")) as Listing;
}

async function listNow(): Promise<Listing> {
  const [{ allOperations }, { listingOf }] = await Promise.all([
    import("../../operations/all.ts"),
    import("./listing.ts"),
  ]);
  return listingOf(await allOperations());
}
