import { type InputRequiredResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import { sessionIn } from "./client-session.ts";
import { capabilities, serverInfo } from "./greeting.ts";
import { instructions } from "./instructions.ts";
import type { ServerOffer } from "./offer.ts";
import type { Folders } from "./roots.ts";

export type Agent = {
  offer: ServerOffer;
  /** The folders of a request; or what the client must be asked before it can be answered. */
  folders: Folders;
  /** Told of every call while it runs. */
  calling?: (call: Promise<unknown>) => void;
};

/** Lists do not change while the process lives; what is read is as it is now. */
const lasting = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Of a client that is gone, which is noticed elsewhere. */
const ignored = () => undefined;

/** One agent's server. */
export function createServer({ offer, folders, calling = ignored }: Agent): Server {
  const server = new Server(
    { ...serverInfo },
    {
      capabilities: { ...capabilities },
      instructions,
      // Nothing is ever asked of the user, so no answer has to be checked.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      cacheHints: {
        "tools/list": lasting,
        "prompts/list": lasting,
        "resources/list": lasting,
        "resources/templates/list": lasting,
      },
    },
  );

  /** Runs with the folders of the request, unless the client has to say first which those are. */
  async function answering<Result>(
    context: ServerContext,
    answer: (asked: { folders: string[]; signal: AbortSignal }) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const known = await folders(server, context);
    if (!Array.isArray(known)) return known;
    const answered = answer({ folders: known, signal: context.mcpReq.signal });
    calling(answered);
    return answered;
  }

  server.setRequestHandler("tools/list", offer.tools);
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answering(context, async (asked) => {
      const { name, arguments: given = {}, _meta } = params;
      const progressToken = _meta?.progressToken ?? context.mcpReq._meta?.progressToken;
      const session = sessionIn(_meta ?? context.mcpReq._meta);
      const asking = { ...asked, ...(session && { session }) };
      if (progressToken === undefined) return offer.call(name, given, asking);
      const { progressReports } = await import("./transport/progress.ts");
      const progress = progressReports((report) => {
        context.mcpReq
          .notify({ method: "notifications/progress", params: { progressToken, ...report } })
          .catch(ignored);
      });
      return offer.call(name, given, { ...asking, progress });
    }),
  );
  server.setRequestHandler("resources/list", offer.resources);
  server.setRequestHandler("resources/templates/list", offer.templates);
  server.setRequestHandler("resources/read", ({ params }, context) =>
    answering(context, (asked) => offer.read(params.uri, asked)),
  );
  server.setRequestHandler("prompts/list", offer.prompts);
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    answering(context, (asked) => offer.prompt(params.name, params.arguments ?? {}, asked)),
  );
  return server;
}
