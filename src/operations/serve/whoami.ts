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
  // A worker is told what to do, not who asks.
  inProcess: true,
  input: z.object({ path }),
  output: z.object({
    owner: z.string().describe("Whose documents, threads and memories are seen"),
    scope: z.enum(scopes).describe("read asks, write also changes what the owner has, admin also manages the index"),
    keyed: z.boolean().describe("True where a key decided it; false for whoever is at the machine itself"),
  }),
  examples: [{ command: "dossier key whoami", what: "the owner that the command line asks as" }],
  run: async (_input, { owner, scope, keyed = false }) => ({ owner, scope: scope ?? "admin", keyed }),
  text: ({ owner, scope }) => `${plain(owner)} (${scope})`,
});
