import * as z from "zod";
import { path } from "../../options.ts";
import { scopes } from "../../stores/keys.ts";
import { operation } from "../core/operation.ts";
import { plain } from "../terminal/phrases.ts";

/** For pages and applications that offer only what their key allows. */
export const whoami = operation({
  name: "whoami",
  command: "key whoami",
  group: "Serve",
  summary: "Say whose documents, threads and memories are seen, and what may be done with them",
  // A worker process does not know the caller.
  inProcess: true,
  input: z.object({ path }),
  output: z.object({
    owner: z.string().describe("Whose documents, threads and memories are seen"),
    keyScope: z
      .enum(scopes)
      .optional()
      .describe(
        "What the key allows: read asks, write also changes what the owner has, admin also manages the index; absent without a key",
      ),
  }),
  examples: [{ command: "dossier key whoami", what: "the owner that the command line asks as" }],
  run: async (_input, { owner, keyScope }) => ({ owner, ...(keyScope && { keyScope }) }),
  text: ({ owner, keyScope = "admin" }) => `${plain(owner)} (${keyScope})`,
});
