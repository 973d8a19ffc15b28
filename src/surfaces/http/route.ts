import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Caller } from "../../operations/core/access.ts";
import type { Operation } from "../../operations/core/operation.ts";

/** The state of a request between the steps of its handling. `Bindings` are absent where no Node server is in front. */
export type RequestEnvironment = {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; caller: Caller; failure?: string };
};

export type RequestContext = Context<RequestEnvironment>;

/**
 * One method of one path, with all that the description of the API says about it. Paths have no variable parts.
 *
 * Another surface joins the server with a `Mount` (`operations/core/serving.ts`), which knows nothing of this room. It is a
 * function from the parts of the service to paths, each with its methods, its scope and `handle(request, { caller, perform,
 * ... })`. `surfaces/serve.ts` passes it to `serveHttp`, or to `openServer` and `createApp`, as `mounts`. It becomes routes
 * of this kind: checked (host, origin, rate, key, scope), counted, logged and described like all others.
 */
export type Route = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  summary: string;
  /** Callers that need no key even where keys exist: anyone, or programs on this machine. */
  open?: "all" | "local";
  /** The scope that a key needs at least; an operation may need more, depending on its input. */
  scope: Caller["scope"];
  /** The operation that it calls, whose input and output are described. */
  operation?: Operation;
  /** Its inputs have the names of the first design. */
  renamed?: true;
  /** How the output is wrapped: the names of the parts; `data` is the output itself. */
  answers?: "data" | "success";
  /** Answers with the ETag of a document; `put` also obeys If-Match and If-None-Match. */
  tagged?: "get" | "put";
  /** Headers that pages of allowed origins may send and read, besides those of every route. */
  headers?: readonly string[];
  /** Not part of the API: the description and its page leave it out. */
  undescribed?: true;
  /** Media type of an answer that is not JSON. */
  contentType?: string;
  handle(c: RequestContext): Response | Promise<Response>;
};

/** True for requests from this machine itself that no proxy passed on. */
export function isLocal(c: RequestContext, isLoopback: (address: string) => boolean): boolean {
  const address = c.env?.incoming?.socket?.remoteAddress;
  if (address === undefined || !isLoopback(address)) return false;
  return ["forwarded", "x-forwarded-for", "x-real-ip", "via"].every((name) => c.req.header(name) === undefined);
}
