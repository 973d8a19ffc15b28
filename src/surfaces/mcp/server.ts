import { type InputRequiredResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { ToolSet } from "../../operations/serving.ts";
import { sessionIn } from "./client-session.ts";
import type { Cursors } from "./cursors.ts";
import { capabilities, serverInfo } from "./greeting.ts";
import type { Ground } from "./ground.ts";
import { instructions } from "./instructions.ts";
import type { Folders } from "./roots.ts";
import { listing } from "./tools.ts";

export type Agent = {
  ground: Ground;
  tools: ToolSet;
  cursors: Cursors;
  /** The folders of a request; or what the client must be asked before it can be answered. */
  folders: Folders;
  /** Told of every call while it runs. */
  calling?: (call: Promise<unknown>) => void;
};

/** Lists do not change while the process lives; what is read is as it is now. */
const lasting = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Of a client that is gone, which is noticed elsewhere. */
const ignored = () => undefined;

/** One agent's server. What listing does not need is loaded by the first call. */
export function createServer({ ground, tools, cursors, folders, calling = ignored }: Agent): Server {
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

  async function offered() {
    const { access, ...sets } = await listing();
    const { offeredTo } = await import("./offered.ts");
    return offeredTo(ground, sets[tools], access);
  }

  server.setRequestHandler("tools/list", async () => ({ tools: await offered() }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answering(context, async (asked) => {
      const [{ callTool }, { invalid }, { progressReports }, known] = await Promise.all([
        import("./call-tool.ts"),
        import("./protocol-errors.ts"),
        import("./progress.ts"),
        offered(),
      ]);
      const { name, arguments: given = {}, _meta } = params;
      if (!known.some((tool) => tool.name === name))
        throw invalid(`There is no tool ${JSON.stringify(name.slice(0, 100))}.`);
      const progressToken = _meta?.progressToken ?? context.mcpReq._meta?.progressToken;
      const progress =
        progressToken === undefined
          ? undefined
          : progressReports((report) => {
              context.mcpReq
                .notify({ method: "notifications/progress", params: { progressToken, ...report } })
                .catch(ignored);
            });
      const session = sessionIn(_meta ?? context.mcpReq._meta);
      return callTool(name, given, { ...asked, progress, ...(session && { session }) }, { ground, cursors });
    }),
  );
  server.setRequestHandler("resources/list", async () => (await import("./resources.ts")).resources);
  server.setRequestHandler("resources/templates/list", async () => (await import("./resources.ts")).templates);
  server.setRequestHandler("resources/read", ({ params }, context) =>
    answering(context, async (asked) => (await import("./resources.ts")).readResource(params.uri, asked, ground)),
  );
  server.setRequestHandler("prompts/list", async () => (await import("./prompts.ts")).prompts);
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    answering(context, async (asked) => {
      const { getPrompt } = await import("./prompts.ts");
      return getPrompt(params.name, params.arguments ?? {}, asked, ground);
    }),
  );
  return server;
}
