import type { Source } from "../source.ts";
import { findChunks } from "./find-chunks.ts";
import { readChunks, recordOf } from "./read-chunks.ts";
import { correctionsOf, withCorrections } from "./spelling.ts";

/** Texts that an application stores for its users, in chunks. */
export const document: Source = {
  name: "document",
  brings: ["document"],
  shelf: "document",
  measuredAs: "documents",
  find: findChunks,
  corrected: async (query, workspace) => withCorrections(query, await correctionsOf(query, workspace)),
  async read(items, workspace) {
    const texts = await readChunks(items, workspace);
    return new Map([...texts].map(([id, text]) => [id, recordOf(text)]));
  },
};
