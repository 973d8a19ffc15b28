import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ToolSet } from "../../../operations/core/serving.ts";
import { lensNamesAt } from "../../../operations/notes/lens-names.ts";
import type { CallTarget } from "../call-target.ts";
import { ownOffer } from "../offer.ts";
import { clientFolders } from "../roots.ts";
import { createServer } from "../server.ts";
import { createCursors } from "../tools/cursors.ts";

export type Connection = {
  path: string;
  tools: ToolSet;
  target: CallTarget;
  calling: (call: Promise<unknown>) => void;
};

/** Speaks the protocol, in the revision of the client, over a transport. */
export function connect(transport: Transport, { path, calling, ...parts }: Connection): { close(): Promise<void> } {
  const offer = ownOffer({ ...parts, cursors: createCursors(), lenses: () => lensNamesAt(path) });
  const folders = clientFolders(path);
  return serveStdio(() => createServer({ offer, folders, calling }), {
    transport,
    onerror: (error) => console.error(`dossier mcp: ${error.message}`),
  });
}
