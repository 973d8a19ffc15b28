import { createMcpHandler } from "@modelcontextprotocol/server";
import { DossierError } from "../../errors.ts";
import { readInput } from "../../operations/input.ts";
import { type Mount, type MountedRequest, type ToolSet, toolSets } from "../../operations/serving.ts";
import { createCursors } from "./cursors.ts";
import type { Ground } from "./ground.ts";
import { errorCodes, refusal, refusalOf } from "./messages.ts";
import { snakeCase } from "./names.ts";
import { createServer } from "./server.ts";

/** Headers of the protocol that web pages may send and read. */
const headers = ["Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID"];

/** The protocol over HTTP, for callers that were identified before. Every request stands alone; what is left of long answers is kept. */
export const mountMcp: Mount = ({ settings, stopping }) => {
  const cursors = createCursors();
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) =>
      createServer({
        ground: farGround(authInfo!.extra!.asked as MountedRequest),
        tools: toolsOf(requestInfo),
        cursors,
        folders: async () => ["."],
      }),
    { maxRequestBodySize: settings.maxBody },
  );
  stopping.addEventListener("abort", () => void handler.close(), { once: true });
  return [
    {
      path: "/mcp",
      methods: ["POST"],
      summary: "Answer coding agents by the Model Context Protocol (streamable HTTP)",
      scope: "read",
      headers,
      async handle(request, asked) {
        const { key = "", scope } = asked.caller;
        const authInfo = { token: "", clientId: key, scopes: [scope], extra: { asked } };
        const body = await bodyOf(asked);
        const refused = body === unreadable ? notJson : Array.isArray(body) ? undefined : refusalOf(body);
        if (refused) return Response.json(refused, { status: 400 });
        return handler.fetch(request, { authInfo, parsedBody: body });
      },
    },
  ];
};

/** `/mcp?tools=all` offers every operation. */
function toolsOf(request: Request | undefined): ToolSet {
  const asked = request && new URL(request.url).searchParams.get("tools");
  return toolSets.find((set) => set === asked) ?? "default";
}

const unreadable = Symbol("unreadable");

/** What is no JSON is a matter of the protocol; what is too large or of another type is one of HTTP. */
async function bodyOf(asked: MountedRequest): Promise<unknown> {
  try {
    return (await asked.json()) ?? unreadable;
  } catch (error) {
    if (error instanceof DossierError && error.code === "bad-input") return unreadable;
    throw error;
  }
}

const notJson = refusal(null, errorCodes.notJson, "The body is not valid JSON, or nested too deep.");

function farGround({ caller, perform }: MountedRequest): Ground {
  return {
    from: "afar",
    caller,
    async run(operation, given, { project, signal, progress, session }) {
      if (project !== undefined) {
        throw new DossierError("bad-input", "This server serves one workspace: leave project out.");
      }
      const output = await perform(operation, given, { signal, progress, session, nameOf: snakeCase });
      return { input: readInput(operation, given, snakeCase), output };
    },
    others: () => [],
  };
}
