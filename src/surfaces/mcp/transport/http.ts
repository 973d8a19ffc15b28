import { randomUUID } from "node:crypto";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { DossierError } from "../../../errors.ts";
import { readInput } from "../../../operations/core/input.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { type Mount, type MountedRequest, type ToolSet, toolSets } from "../../../operations/core/serving.ts";
import type { CallTarget } from "../call-target.ts";
import { ownOffer, type ServerOffer } from "../offer.ts";
import { createServer } from "../server.ts";
import { createCursors } from "../tools/cursors.ts";
import { snakeCase } from "../tools/snake-case.ts";
import { createCancellation } from "./cancellation.ts";
import { errorCodes, isRequest, refusal, refusalOf } from "./json-rpc.ts";

/** Headers of the protocol that web pages may send and read. */
const headers = ["Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID"];

/** The origin of a request, and the signal that stops it. */
type IncomingRequest = { asked: MountedRequest; stopped: AbortSignal };

/**
 * The protocol over HTTP, for identified callers. Requests are stateless, except that the rests of long answers are
 * kept.
 */
export const mountMcp: Mount = (parts) => {
  const cursors = createCursors();
  return mountOffer((arrived, request) =>
    ownOffer({ target: remoteTarget(arrived), tools: toolsOf(request), cursors, lenses: () => lensesOf(arrived) }),
  )(parts);
};

/** The same handler for another offer. */
export function mountOffer(offerOf: (arrived: IncomingRequest, request: Request | undefined) => ServerOffer): Mount {
  return ({ settings, stopping }) => {
    const cancellation = createCancellation();
    const handler = createMcpHandler(
      ({ authInfo, requestInfo }) =>
        createServer({
          offer: offerOf(authInfo!.extra!.arrived as IncomingRequest, requestInfo),
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
        async handle(request, mounted) {
          const { key = "", owner, scope } = mounted.caller;
          const body = await bodyOf(mounted);
          const refused = body === unreadable ? notJson : Array.isArray(body) ? undefined : refusalOf(body);
          if (refused) return Response.json(refused, { status: 400 });
          const asker = JSON.stringify([key, owner, request.headers.get("Mcp-Session-Id")]);
          cancellation.hear(asker, body);
          const { signal, ended } = cancellation.begin(asker, isRequest(body) ? body.id : undefined);
          const stopped = AbortSignal.any([signal, request.signal]);
          const arrived: IncomingRequest = { asked: mounted, stopped };
          const authInfo = { token: "", clientId: key, scopes: [scope], extra: { arrived } };
          const response = await handler.fetch(request, { authInfo, parsedBody: body });
          return whenSent(withSession(response, body), ended);
        },
      },
    ];
  };
}

/** A session id lets a client name the request that it cancels; no state is kept by it. */
function withSession(response: Response, body: unknown): Response {
  if (isRequest(body) && body.method === "initialize" && response.ok) {
    response.headers.set("Mcp-Session-Id", randomUUID());
  }
  return response;
}

/** Calls `ended` when the whole answer was read or the reader has gone. */
function whenSent(response: Response, ended: () => void): Response {
  if (!response.body) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    },
    cancel(reason) {
      ended();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

/** `/mcp?tools=all` offers every operation. */
function toolsOf(request: Request | undefined): ToolSet {
  const requested = request && new URL(request.url).searchParams.get("tools");
  return toolSets.find((set) => set === requested) ?? "default";
}

const unreadable = Symbol("unreadable");

/** Invalid JSON is a protocol error; a body that is too large or of another type is an HTTP error. */
async function bodyOf(mounted: MountedRequest): Promise<unknown> {
  try {
    return (await mounted.json()) ?? unreadable;
  } catch (error) {
    if (error instanceof DossierError && error.code === "bad-input") return unreadable;
    throw error;
  }
}

const notJson = refusal(null, errorCodes.notJson, "The body is not valid JSON, or nested too deep.");

/** Names of the lenses of the workspace that is served. */
async function lensesOf({ asked: { perform }, stopped: signal }: IncomingRequest): Promise<string[]> {
  const { lenses } = await import("../../../operations/notes/lenses.ts");
  const answer = (await perform(lenses as Operation, {}, { signal })) as { lenses: { name: string }[] };
  return answer.lenses.map(({ name }) => name);
}

function remoteTarget({ asked: { caller, perform }, stopped }: IncomingRequest): CallTarget {
  return {
    from: "remote",
    caller,
    async run(operation, input, { project, signal: callSignal, progress, session }) {
      if (project !== undefined) {
        throw new DossierError("bad-input", "This server serves one workspace: leave project out.");
      }
      const signal = AbortSignal.any([callSignal, stopped]);
      const output = await perform(operation, input, { signal, progress, session, nameOf: snakeCase });
      return { input: readInput(operation, input, snakeCase), output };
    },
    others: () => [],
  };
}
