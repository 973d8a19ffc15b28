import { readEvents } from "./events.ts";
import { failureOf, RequestFailure } from "./failure.ts";
import {
  describeService,
  type InputDescription,
  type InputProperty,
  isServing,
  type ServiceDescription,
} from "./service.ts";
import type {
  Client,
  ClientOperation,
  ClientOptions,
  FailureCode,
  Input,
  MethodName,
  Output,
  RequestOptions,
} from "./types.ts";

export type {
  Client,
  ClientOperation,
  ClientOptions,
  FailureCode,
  Input,
  InputDescription,
  InputProperty,
  MethodName,
  Output,
  RequestOptions,
  ServiceDescription,
};
export { describeService, isServing, RequestFailure };

/** A client of `dossier serve`: a method for every operation, with its input and output as types. */
export function createClient({ url, key, fetch: ask = globalThis.fetch }: ClientOptions): Client {
  const base = url.replace(/\/+$/, "");
  const post = async (operation: string, input: object = {}, options: RequestOptions = {}): Promise<unknown> => {
    const { signal, progress, requestId } = options;
    const response = await sendReachable(
      () =>
        ask(`${base}/v1/${operation}`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Accept: progress ? "text/event-stream" : "application/json",
            ...(key !== undefined && { Authorization: `Bearer ${key}` }),
            ...(requestId !== undefined && { "X-Request-Id": requestId }),
          },
          body: JSON.stringify(input),
          signal,
        }),
      base,
      signal,
    );
    if (!response.ok) throw await failureOf(response);
    const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream");
    return sendReachable(() => (isEvents ? readEvents(response, progress) : response.json()), base, signal);
  };
  // Only the compiler knows the operations, so a method is made on its first use.
  return new Proxy({} as Client, {
    get(target, name) {
      // Printing or awaiting a client must not send a request, so properties that every object has, and `then`, are
      // left alone.
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
      if (name in Object.prototype) return Reflect.get(target, name) as unknown;
      const operation = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return (input?: object, options?: RequestOptions) => post(operation, input, options);
    },
  });
}

/** A server that cannot be reached is a failure with a code, too; an aborted request keeps its own error. */
async function sendReachable<Result>(
  request: () => Promise<Result>,
  base: string,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof RequestFailure || signal?.aborted) throw error;
    if (error instanceof SyntaxError) {
      throw new RequestFailure({
        code: "bad-answer",
        message: `${base} did not answer with JSON.`,
        fix: "Check that dossier serve listens there.",
        cause: error,
      });
    }
    throw new RequestFailure({
      code: "unreachable",
      message: `${base} cannot be reached.`,
      fix: "Start it with dossier serve, and check the address.",
      cause: error,
    });
  }
}
