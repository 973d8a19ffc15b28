import { type InputRequiredResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import { capabilities, serverInfo } from "./greeting.ts";
import { instructions } from "./instructions.ts";
import type { ServerOffer } from "./offer.ts";
import type { Folders } from "./roots.ts";

export type Agent = {
  offer: ServerOffer;
  /** The folders of a request; or the request that the client has to answer first. */
  folders: Folders;
  /** Called for every call while it runs. */
  calling?: (call: Promise<unknown>) => void;
};

/** Lists do not change while the process lives; resources are read again each time. */
const lasting = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Errors of a client that has gone are ignored: its closed stream is noticed elsewhere. */
const ignored = () => undefined;

/** One agent's server. */
export function createServer({ offer, folders, calling = ignored }: Agent): Server {
  const server = new Server(
    { ...serverInfo },
    {
      capabilities: { ...capabilities },
      instructions,
      // The server never elicits input from the user, so no such answer has to be validated.
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

  /** Runs with the folders of the request, unless the client has to name them first. */
  async function withFolders<Result>(
    context: ServerContext,
    answer: (request: { folders: string[]; signal: AbortSignal }) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const known = await folders(server, context);
    if (!Array.isArray(known)) return known;
    const result = answer({ folders: known, signal: context.mcpReq.signal });
    calling(result);
    return result;
  }

  server.setRequestHandler("tools/list", offer.tools);
  server.setRequestHandler("tools/call", ({ params }, context) =>
    withFolders(context, async (request) => {
      const { name, arguments: args = {}, _meta } = params;
      const progressToken = _meta?.progressToken ?? context.mcpReq._meta?.progressToken;
      const session = sessionIn(_meta ?? context.mcpReq._meta);
      const toolRequest = { ...request, ...(session && { session }) };
      if (progressToken === undefined) return offer.call(name, args, toolRequest);
      const { progressReports } = await import("./transport/progress.ts");
      const progress = progressReports((report) => {
        context.mcpReq
          .notify({ method: "notifications/progress", params: { progressToken, ...report } })
          .catch(ignored);
      });
      return offer.call(name, args, { ...toolRequest, progress });
    }),
  );
  server.setRequestHandler("resources/list", offer.resources);
  server.setRequestHandler("resources/templates/list", offer.templates);
  server.setRequestHandler("resources/read", ({ params }, context) =>
    withFolders(context, (request) => offer.read(params.uri, request)),
  );
  server.setRequestHandler("prompts/list", offer.prompts);
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    withFolders(context, (request) => offer.prompt(params.name, params.arguments ?? {}, request)),
  );
  return server;
}

/** Keys of `_meta` by which clients name their session, with or without a prefix. */
const sessionKey = /^(?:[^/]+\/)?session[_-]?id$/i;
const longestSession = 100;

/** The client's own session, if a call names one. Only a plain name is accepted: it is just a label. */
export function sessionIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(meta ?? {})) {
    if (
      sessionKey.test(name) &&
      typeof value === "string" &&
      /^[\w.:-]+$/.test(value) &&
      value.length <= longestSession
    )
      return value;
  }
  return undefined;
}
