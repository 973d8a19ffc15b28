import * as z from "zod";
import type { Environment } from "./operation.ts";

/** A field of every answer to a write. */
export const indexingFlag = z
  .boolean()
  .optional()
  .describe("Of a server: true while questions may not find it yet, because it is being indexed in the background");

/** Starts indexing what was written, if a server does that; returns the flag for the answer. */
export async function beginIndexing({ indexing }: Environment): Promise<{ indexing?: boolean }> {
  return indexing ? { indexing: await indexing.written() } : {};
}
